package io.eley.workloads;

import org.apache.spark.Partitioner;

/**
 * Cuts the alphabet into ranges of equal width by a line's first {@value #LETTERS} characters. It
 * keeps the order of strings: a smaller line is never in a later partition. Text from {@link
 * RandomTextWriter} spreads evenly; other text may be skewed, but is sorted all the same.
 *
 * <p>Spark's own RangePartitioner would first run a job that reads the whole input to find even
 * ranges: the input would be read twice, and the map phase measured in a warm cache.
 */
final class AlphabetPartitioner extends Partitioner {
  private static final long serialVersionUID = 1L;
  private static final int LETTERS = 3;
  private static final int ALPHABET = 26;
  private static final long RANGE = (long) ALPHABET * ALPHABET * ALPHABET;

  private final int partitions;

  AlphabetPartitioner(int partitions) {
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions must be positive");
    }
    this.partitions = partitions;
  }

  @Override
  public int numPartitions() {
    return partitions;
  }

  @Override
  public int getPartition(Object line) {
    return (int) (position((String) line) * partitions / RANGE);
  }

  /** Where a line lies in the alphabet, from 0 to RANGE - 1. */
  private static long position(String line) {
    long position = 0;
    long width = RANGE;
    for (int i = 0; i < LETTERS && i < line.length(); i++) {
      int letter = line.charAt(i) - 'a';
      if (letter < 0) {
        return position;
      }
      if (letter >= ALPHABET) {
        return position + width - 1;
      }
      width /= ALPHABET;
      position += letter * width;
    }
    return position;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AlphabetPartitioner same && same.partitions == partitions;
  }

  @Override
  public int hashCode() {
    return partitions;
  }
}
