package io.eley.bb.api;

import java.util.List;

/**
 * What one Spark task reads.
 *
 * @param partition partition index of the task in its stage, zero or more; tasks start in this
 *     order
 * @param slices the ranges it reads, in reading order; empty when the task reads nothing of the
 *     origin
 */
public record Split(int partition, List<FileSlice> slices) {
  public Split {
    if (partition < 0) {
      throw new IllegalArgumentException("negative partition " + partition);
    }
    slices = List.copyOf(slices);
  }

  /** Bytes the task reads. */
  public long length() {
    return slices.stream().mapToLong(s -> s.range().length()).sum();
  }
}
