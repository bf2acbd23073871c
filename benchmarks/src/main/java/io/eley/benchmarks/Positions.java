package io.eley.benchmarks;

import java.util.Random;

/** Where the reads of a benchmark begin: block after block, or anywhere. For one thread. */
final class Positions {
  /** Bytes of a small read. */
  static final int SMALL = 64 << 10;

  private final Random random = new Random(11);
  private int next;

  /** The beginning of the next block. */
  long nextBlock() {
    next = (next + 1) % OneNode.BLOCKS;
    return (long) next * OneNode.BLOCK;
  }

  /** A place for a small read. */
  long somewhere() {
    return (long) random.nextInt((int) (OneNode.LENGTH / SMALL)) * SMALL;
  }
}
