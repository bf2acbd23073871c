package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Arithmetic on the ranges that a task reads of one file. Pure.
 *
 * <p>Ranges closer to each other than {@link #GAP_BYTES} become one: a buffer keeps pages of this
 * size, so what lies between them comes with them.
 */
final class ColumnRanges {
  static final long GAP_BYTES = 16 << 10;

  /** The most ranges of one split: beyond, the nearest become one. */
  static final int MOST = 4096;

  private ColumnRanges() {}

  /**
   * The same bytes, and those of small gaps, in as few ranges as that takes.
   *
   * @param ranges in any order; they may overlap
   * @param most how many ranges there may be, one or more
   * @return ordered by offset, none of them empty
   */
  static List<ByteRange> merged(Collection<ByteRange> ranges, int most) {
    List<ByteRange> near = closed(ordered(ranges), GAP_BYTES);
    return near.size() <= most ? near : closed(near, gapToKeep(near, most));
  }

  private static List<ByteRange> ordered(Collection<ByteRange> ranges) {
    return ranges.stream()
        .filter(r -> r.length() > 0)
        .sorted(Comparator.comparingLong(ByteRange::offset))
        .toList();
  }

  /** Joins ranges with less than {@code gap} bytes between them. */
  private static List<ByteRange> closed(List<ByteRange> ordered, long gap) {
    var joined = new ArrayList<ByteRange>();
    for (ByteRange range : ordered) {
      int last = joined.size() - 1;
      if (last >= 0 && range.offset() - joined.get(last).end() < gap) {
        joined.set(last, span(joined.get(last), range));
      } else {
        joined.add(range);
      }
    }
    return List.copyOf(joined);
  }

  private static ByteRange span(ByteRange first, ByteRange second) {
    long end = Math.max(first.end(), second.end());
    return new ByteRange(first.offset(), end - first.offset());
  }

  /** The smallest gap that still separates ranges when only the {@code most - 1} largest do. */
  private static long gapToKeep(List<ByteRange> ordered, int most) {
    long[] gaps =
        IntStream.range(1, ordered.size())
            .mapToLong(i -> ordered.get(i).offset() - ordered.get(i - 1).end())
            .sorted()
            .toArray();
    return gaps[gaps.length - most] + 1;
  }
}
