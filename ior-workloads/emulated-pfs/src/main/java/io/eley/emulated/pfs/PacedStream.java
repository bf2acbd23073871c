package io.eley.emulated.pfs;

import io.eley.bb.api.error.EleyException;

/**
 * One stream of paid requests: whoever moves bytes of the directory asks here first. Calls above
 * {@link #MAX_PIECE} bytes are split, as a parallel file system's client does. Safe for several
 * threads, whose requests then share the stream's turns; threads that are to have turns of their
 * own take a stream each.
 *
 * <p>All methods block until leave is given, and throw what {@link EmulatedPfsClient#grant} throws.
 */
public final class PacedStream {
  /** Largest single request: 1 MiB. */
  public static final int MAX_PIECE = PfsMessage.MAX_REQUEST_BYTES;

  private final EmulatedPfsClient client;
  private final long number;

  /** A new stream of a connection, which may have many. */
  public PacedStream(EmulatedPfsClient client) {
    this.client = client;
    this.number = client.newStream();
  }

  /** Waits for leave to read so many bytes; zero costs the latency. */
  public void payRead(String cause, long bytes) throws EleyException {
    pay(cause, PfsOperation.READ, bytes);
  }

  /** Waits for leave to write so many bytes; zero costs the latency. */
  public void payWrite(String cause, long bytes) throws EleyException {
    pay(cause, PfsOperation.WRITE, bytes);
  }

  /** Waits for the latency of a call that moves no data: open, create, stat, close. */
  public void payCall(String cause) throws EleyException {
    pay(cause, PfsOperation.META, 0);
  }

  private void pay(String cause, PfsOperation operation, long bytes) throws EleyException {
    long left = bytes;
    do {
      int piece = (int) Math.min(left, MAX_PIECE);
      client.grant(number, cause, operation, piece);
      left -= piece;
    } while (left > 0);
  }
}
