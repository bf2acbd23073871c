package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import io.eley.spark.connector.fs.ReadObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The ranges that one task asks for of one file. What is read one after the other is one range;
 * when there are too many ranges, the nearest become one. Safe for several threads.
 */
final class ReadRanges implements ReadObserver {
  private static final int MOST = 2 * ColumnRanges.MOST;

  private final List<ByteRange> ranges = new ArrayList<>();
  private final LongAdder waited = new LongAdder();

  @Override
  public synchronized void reads(long offset, long length) {
    int last = ranges.size() - 1;
    if (last >= 0 && ranges.get(last).end() == offset) {
      long begin = ranges.get(last).offset();
      ranges.set(last, new ByteRange(begin, offset + length - begin));
      return;
    }
    if (ranges.size() == MOST) {
      List<ByteRange> fewer = ColumnRanges.merged(ranges, ColumnRanges.MOST);
      ranges.clear();
      ranges.addAll(fewer);
    }
    ranges.add(new ByteRange(offset, length));
  }

  @Override
  public void waited(long nanos) {
    waited.add(nanos);
  }

  /** For how long threads have waited for them so far. */
  long waitedNanos() {
    return waited.sum();
  }

  /** All ranges so far, by offset. */
  synchronized List<ByteRange> all() {
    return ColumnRanges.merged(ranges, ColumnRanges.MOST);
  }
}
