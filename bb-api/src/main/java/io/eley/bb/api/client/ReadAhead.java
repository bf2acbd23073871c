package io.eley.bb.api.client;

import io.eley.bb.api.BlockGeometry;

/**
 * Notices that a file is read sequentially: how much further the reader will probably go is as much
 * as he has read without a jump, once that is a chunk. So a scan has its input fetched in pieces
 * that double, and who jumps gets what he asks for and nothing else: also who asks for much, since
 * a read that was cut at a block's end and goes on there is still that one read.
 *
 * <p>Where a plan knows what comes, it prefetches that, and what is left to demand is read by tasks
 * that may stop at any moment: there it is a twentieth of what was read, so that at most a
 * twentieth is read from the origin for nothing.
 *
 * <p>Not safe for several threads; its owner locks.
 */
final class ReadAhead {
  private static final int PLANNED_SHARE = 20;

  private final boolean planned;
  private long expected;
  private long run;
  private int owed;

  /** What was read without a jump before the read that is under way. */
  private long before;

  private int asked = -1;

  /**
   * For one reader of one file.
   *
   * @param planned whether a plan knows what comes
   */
  ReadAhead(boolean planned) {
    this.planned = planned;
  }

  /**
   * Bytes that are worth fetching behind a read.
   *
   * @param length bytes that the reader asks for now
   */
  int behind(long position, int length, BlockGeometry geometry) {
    boolean rest = position == expected && length <= owed;
    if (!rest) {
      before = position == expected ? run : 0;
    }
    if (before < geometry.chunkSize()) {
      return 0;
    }
    return (int) Math.min(geometry.blockSize(), planned ? before / PLANNED_SHARE : before);
  }

  /**
   * Notes what came of the read that {@link #behind} was asked about.
   *
   * @param position of the read
   * @param length bytes that were asked for
   * @param count bytes that were read
   * @return index of the next block when the reader will probably come to it soon, once; else -1
   */
  int noted(long position, int length, int count, BlockGeometry geometry) {
    run = (position == expected ? run : 0) + count;
    expected = position + count;
    owed = length - count;
    int block = geometry.blockIndex(position);
    long rest = (block + 1L) * geometry.blockSize() - expected;
    if (before < geometry.chunkSize() || run < rest || asked > block) {
      return -1;
    }
    asked = block + 1;
    return asked;
  }
}
