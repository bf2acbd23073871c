package io.eley.pfs;

import io.eley.api.error.EleyException;

/**
 * One stream of paid requests: asks for every byte before it moves, in pieces of at most {@link
 * #MAX_PIECE} bytes, as a parallel file system's client splits large calls. Safe for several
 * threads, whose requests then share the stream's turns.
 */
final class PacedStream {
  static final int MAX_PIECE = PfsMessage.MAX_REQUEST_BYTES;

  private final EmulatedPfsClient client;
  private final long number;

  PacedStream(EmulatedPfsClient client) {
    this.client = client;
    this.number = client.newStream();
  }

  /** Waits for leave to read up to {@link #MAX_PIECE} bytes. */
  void payRead(String cause, int bytes) throws EleyException {
    client.grant(number, cause, PfsOperation.READ, bytes);
  }

  /** Waits for leave to write up to {@link #MAX_PIECE} bytes. */
  void payWrite(String cause, int bytes) throws EleyException {
    client.grant(number, cause, PfsOperation.WRITE, bytes);
  }

  /** Waits for the latency of a call that moves no data. */
  void payCall(String cause) throws EleyException {
    client.grant(number, cause, PfsOperation.META, 0);
  }
}
