package io.eley.bb.api.client;

import io.eley.bb.api.BlockGeometry;

/**
 * Notices that a file is read sequentially: how much further the reader will probably go is as much
 * as he has read without a jump, once that is a chunk. So a scan has its input fetched in pieces
 * that double, and who jumps gets what he asks for and nothing else. Not safe for several threads;
 * its owner locks.
 */
final class ReadAhead {
  private long expected;
  private long run;
  private int asked = -1;

  /** Bytes that are worth fetching behind a read at this position. */
  int behind(long position, BlockGeometry geometry) {
    return position == expected && run >= geometry.chunkSize()
        ? (int) Math.min(geometry.blockSize(), run)
        : 0;
  }

  /**
   * Notes a read.
   *
   * @param position of the read
   * @param count bytes read
   * @return index of the next block when the reader will probably come to it soon, once; else -1
   */
  int noted(long position, int count, BlockGeometry geometry) {
    run = (position == expected ? run : 0) + count;
    expected = position + count;
    int block = geometry.blockIndex(position);
    long rest = (block + 1L) * geometry.blockSize() - expected;
    if (run < geometry.chunkSize() || run < rest || asked > block) {
      return -1;
    }
    asked = block + 1;
    return asked;
  }
}
