package io.eley.bb.server.engine;

import io.eley.bb.api.error.EleyException;

/** A load failed when the engine had read the origin: the bytes are ours all the same. */
public final class ReadInVainException extends EleyException {
  private static final long serialVersionUID = 1L;

  private final long bytes;

  /**
   * A failure after a read.
   *
   * @param bytes read from the origin
   * @param why it was no use
   */
  public ReadInVainException(long bytes, EleyException why) {
    super(why.code(), String.valueOf(why.getMessage()), why);
    this.bytes = bytes;
  }

  /** Bytes read from the origin. */
  public long bytes() {
    return bytes;
  }
}
