package io.eley.scheduler.hooks.counters;

import io.eley.scheduler.hooks.signal.ByteCounts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes bytes per interval, over all servers, of looks at cumulative counters. A counter that goes
 * down has wrapped (it was near the top of 32 bits) or its server has begun anew; then what it
 * shows has been moved since. One that was missing in the last look counts for its share of the
 * time since it was seen, or its return would look like a burst.
 *
 * <p>Not thread-safe. Times are nanoseconds of the coordinator's monotonic clock.
 */
final class CounterDeltas {
  private static final long WRAP = 1L << 32;

  /** Two looks closer than this say nothing: they are as far apart as their own uncertainty. */
  private static final long SHORTEST_NANOS = 50_000_000;

  private record Last(long at, long bytes) {}

  /** Bytes that all servers have moved between two moments. */
  record Delta(long from, long to, long bytes) {}

  private final Map<String, Last> last = new HashMap<>();
  private long lookedAt;

  /**
   * The bytes since the last look; empty for the first, when that was only just now, and without
   * points: then the next one tells of that time, too.
   */
  Optional<Delta> take(List<CounterPoint> points, long at) {
    if (points.isEmpty()) {
      return Optional.empty();
    }
    boolean first = last.isEmpty();
    if (!first && at - lookedAt < SHORTEST_NANOS) {
      return Optional.empty();
    }
    long from = lookedAt;
    long bytes = 0;
    for (CounterPoint point : points) {
      Last before = last.put(point.counter(), new Last(at, point.bytes()));
      if (before != null) {
        double share = (double) (at - from) / (at - before.at);
        bytes = ByteCounts.sum(bytes, Math.round(moved(before.bytes, point.bytes()) * share));
      }
    }
    lookedAt = at;
    return first ? Optional.empty() : Optional.of(new Delta(from, at, bytes));
  }

  static long moved(long before, long after) {
    if (after >= before) {
      return after - before;
    }
    boolean wrapped = before < WRAP && before > WRAP / 4 * 3 && after < WRAP / 4;
    return wrapped ? WRAP - before + after : after;
  }
}
