package io.eley.emulated.pfs;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.OriginFile;
import io.eley.bb.api.origin.OriginStatus;
import java.nio.ByteBuffer;

/** An open file of the directory whose reads are paid for; one stream. Safe for several threads. */
final class PacedFile implements OriginFile {
  private final OriginFile file;
  private final PacedStream stream;

  PacedFile(OriginFile file, PacedStream stream) {
    this.file = file;
    this.stream = stream;
  }

  @Override
  public OriginStatus status() {
    return file.status();
  }

  @Override
  public OriginStatus currentStatus() throws EleyException {
    stream.payCall(ReadCause.DIRECT.name());
    return file.currentStatus();
  }

  /**
   * Pays for what lies before the end that the file had when it was opened, piece by piece. Past
   * that end it pays the latency, and for bytes that have been added since, after they came.
   */
  @Override
  public int read(long position, ByteBuffer target, ReadCause cause) throws EleyException {
    int limit = target.limit();
    int total = 0;
    try {
      int asked;
      int got;
      do {
        asked = Math.min(limit - target.position(), PacedStream.MAX_PIECE);
        target.limit(target.position() + asked);
        got = readPiece(position + total, target, cause);
        total += Math.max(got, 0);
      } while (got == asked && target.position() < limit);
      return total == 0 ? got : total;
    } finally {
      target.limit(limit);
    }
  }

  @Override
  public void close() throws EleyException {
    file.close();
  }

  private int readPiece(long position, ByteBuffer target, ReadCause cause) throws EleyException {
    long known = Math.max(0, status().length() - position);
    int paid = (int) Math.min(target.remaining(), known);
    stream.payRead(cause.name(), paid);
    int got = file.read(position, target, cause);
    if (got > paid) {
      stream.payRead(cause.name(), got - paid);
    }
    return got;
  }
}
