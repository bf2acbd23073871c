package io.eley.simulation;

import io.eley.bb.api.ByteRange;

/** The way from one host, or one kind of stream, to a file system. */
interface Mount {
  /**
   * Reads or writes a part of a file, beginning now.
   *
   * @param done runs when all of it has been moved
   */
  void move(String file, ByteRange range, Runnable done);
}
