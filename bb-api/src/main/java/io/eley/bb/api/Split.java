package io.eley.bb.api;

import java.util.List;

/**
 * What one Spark task reads.
 *
 * @param partition partition index of the task in its stage, zero or more; tasks start in this
 *     order
 * @param slices the ranges it reads, in reading order; empty when the task reads nothing of the
 *     origin
 * @param exact whether the slices are exactly the bytes it reads, such as columns of a file; else
 *     it may read a little past their ends, to the end of a record
 */
public record Split(int partition, List<FileSlice> slices, boolean exact) {
  public Split {
    if (partition < 0) {
      throw new IllegalArgumentException("negative partition " + partition);
    }
    slices = List.copyOf(slices);
  }

  /** A split whose task may read past the ends of its slices. */
  public Split(int partition, List<FileSlice> slices) {
    this(partition, slices, false);
  }

  /** Bytes the task reads. */
  public long length() {
    return slices.stream().mapToLong(s -> s.range().length()).sum();
  }
}
