package io.eley.bb.server.scratch;

/**
 * The RAM that scratch and input share. Input yields to scratch, since it can be read again, but
 * not all of it: the wave that runs needs some.
 *
 * <p>Safe for several threads.
 */
public interface ScratchRoom {
  /**
   * Reserves all of these bytes, or none of them; returns whether it did. May drop input, and then
   * deletes its files.
   */
  boolean reserve(long bytes);

  /** Gives reserved bytes back, after their files are deleted. */
  void release(long bytes);

  /**
   * Notes that the RAM-disk did not take these bytes, which are reserved: others fill it. There is
   * less to reserve until it has room again.
   */
  void refuse(long bytes);
}
