package io.eley.emulated.pfs;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.DurableOutput;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A file being written whose bytes are paid for. It collects up to a mebibyte, as a kernel client's
 * write-back does, asks for leave and passes it on; {@code flush} and {@code close} do so at once.
 * Not safe for several threads.
 */
final class PacedOutput extends OutputStream implements DurableOutput {
  private final OutputStream target;
  private final PacedStream stream;
  private final byte[] collected = new byte[PacedStream.MAX_PIECE];
  private int count;
  private boolean closed;

  PacedOutput(OutputStream target, PacedStream stream) {
    this.target = target;
    this.stream = stream;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    requireOpen();
    int taken = 0;
    while (taken < length) {
      int piece = Math.min(length - taken, collected.length - count);
      System.arraycopy(bytes, offset + taken, collected, count, piece);
      count += piece;
      taken += piece;
      if (count == collected.length) {
        passOn();
      }
    }
  }

  @Override
  public void flush() throws IOException {
    requireOpen();
    passOn();
    target.flush();
  }

  /** Costs what {@link #flush} costs; the directory's own stream forces. */
  @Override
  public void force() throws EleyException {
    try {
      flush();
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ORIGIN_FAILED, "cannot force: " + e.getMessage(), e);
    }
    if (!(target instanceof DurableOutput durable)) {
      throw new EleyException(ErrorCode.ORIGIN_FAILED, "the directory's stream cannot be forced");
    }
    durable.force();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (target) {
      passOn();
    }
  }

  private void passOn() throws IOException {
    if (count > 0) {
      stream.payWrite(ReadCause.WRITE.name(), count);
      target.write(collected, 0, count);
      count = 0;
    }
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("stream is closed");
    }
  }
}
