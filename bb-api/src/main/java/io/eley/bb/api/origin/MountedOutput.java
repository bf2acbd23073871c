package io.eley.bb.api.origin;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;

/**
 * A file of a {@link MountedOrigin} that is being written. Each write is one of the mount, so
 * callers write in large pieces. An interrupted thread gets {@code INTERRUPTED}; a thread that is
 * interrupted while it writes loses the stream with it. Not safe for several threads.
 */
final class MountedOutput extends OutputStream implements DurableOutput {
  private final String path;
  private final FileChannel channel;

  MountedOutput(String path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    requireNotInterrupted();
    var left = ByteBuffer.wrap(bytes, offset, count);
    try {
      while (left.hasRemaining()) {
        channel.write(left);
      }
    } catch (IOException e) {
      throw failed("write", e);
    }
  }

  @Override
  public void force() throws EleyException {
    requireNotInterrupted();
    try {
      channel.force(true);
    } catch (IOException e) {
      throw failed("force", e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } catch (IOException e) {
      throw failed("close", e);
    }
  }

  /** Before the channel is touched, since an interrupt would close it. */
  private void requireNotInterrupted() throws EleyException {
    if (Thread.currentThread().isInterrupted()) {
      throw new EleyException(ErrorCode.INTERRUPTED, "interrupted: write " + path);
    }
  }

  private EleyException failed(String verb, IOException e) {
    return e instanceof ClosedByInterruptException
        ? new EleyException(ErrorCode.INTERRUPTED, "interrupted: " + verb + " " + path, e)
        : MountedOrigin.failed(verb, path, e);
  }
}
