package io.eley.bb.server.node;

import io.eley.bb.api.ReadTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * How long the last reads of the origin took, until they are reported. Of too many the oldest are
 * dropped: who listens to the origin wants to know how busy it is now.
 *
 * <p>Safe for several threads. Times are nanoseconds of {@link System#nanoTime}.
 */
final class ReadTimes {
  private static final int MOST = 256;

  /** Reports are at least so far apart, so that a fast origin costs no message a chunk. */
  static final Duration APART = Duration.ofMillis(5);

  private record Read(long endedAt, long tookNanos, int bytes, double underWay) {}

  private final ArrayDeque<Read> reads = new ArrayDeque<>();
  private long reportedAt;
  private boolean reported;

  synchronized void add(long endedAt, long tookNanos, int bytes, double underWay) {
    if (reads.size() == MOST) {
      reads.remove();
    }
    reads.add(new Read(endedAt, Math.max(0, tookNanos), bytes, underWay));
  }

  /** What is to be reported now; nothing when the last report was just now. */
  synchronized List<ReadTime> take(long now) {
    boolean justNow = reported && now - reportedAt < APART.toNanos();
    if (reads.isEmpty() || justNow) {
      return List.of();
    }
    reported = true;
    reportedAt = now;
    var times = new ArrayList<ReadTime>();
    for (Read read : reads) {
      long ago = Math.max(0, now - read.endedAt);
      times.add(new ReadTime(ago, read.tookNanos, read.bytes, read.underWay));
    }
    reads.clear();
    return times;
  }

  /** Whether there is something to report, though perhaps not yet. */
  synchronized boolean pending() {
    return !reads.isEmpty();
  }

  /** Drops what waits. */
  synchronized void discard() {
    reads.clear();
  }
}
