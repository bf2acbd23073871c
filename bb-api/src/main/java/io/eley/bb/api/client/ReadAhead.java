package io.eley.bb.api.client;

/**
 * Notices that a file is read sequentially, for streams without a plan: after two reads that each
 * began where the one before ended, the next block is worth asking for, once. Not safe for several
 * threads; its owner locks.
 */
final class ReadAhead {
  private static final int RUN = 2;

  private long expected = -1;
  private int run;
  private int asked = -1;

  /**
   * Notes a read.
   *
   * @param position of the read
   * @param count bytes read
   * @param block index of the block that was read
   * @return index of a block to ask for, or -1
   */
  int noted(long position, int count, int block) {
    run = position == expected ? run + 1 : 0;
    expected = position + count;
    if (run < RUN || asked > block) {
      return -1;
    }
    asked = block + 1;
    return asked;
  }
}
