package io.eley.scheduler.hooks.counters;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes bytes per interval of cumulative points, over all servers. Points that were returned before
 * are recognised by their time and count once, so no second of a history is lost between two polls
 * or counted twice. A counter that goes down has wrapped (it was near the top of 32 bits) or its
 * server has begun anew; then what it shows has been moved since.
 *
 * <p>Not thread-safe. Times are nanoseconds of the coordinator's monotonic clock.
 */
final class CounterDeltas {
  private static final long WRAP = 1L << 32;

  /** Points of one server that are closer in time are one and the same: clocks are in ms. */
  private static final long SAME_NANOS = 50_000_000;

  private record Last(long at, long bytes) {}

  /** Bytes that all servers have moved between two moments. */
  record Delta(long from, long to, long bytes) {}

  private final Map<String, Last> last = new HashMap<>();

  /** The deltas that are new, the oldest first. */
  List<Delta> take(List<CounterPoint> points, long now) {
    // Servers take their points at about the same moments: rounded ends bring them together.
    var byEnd = new TreeMap<Long, Delta>();
    for (CounterPoint point : points) {
      long at = now - point.ageMillis() * 1_000_000;
      Last before = last.get(point.server());
      if (before != null && at - before.at < SAME_NANOS) {
        continue;
      }
      last.put(point.server(), new Last(at, point.bytes()));
      if (before != null) {
        byEnd.merge(
            Math.floorDiv(at, 10 * SAME_NANOS),
            new Delta(before.at, at, moved(before.bytes, point.bytes())),
            CounterDeltas::together);
      }
    }
    return new ArrayList<>(byEnd.values());
  }

  private static Delta together(Delta a, Delta b) {
    return new Delta(Math.min(a.from, b.from), Math.max(a.to, b.to), a.bytes + b.bytes);
  }

  static long moved(long before, long after) {
    if (after >= before) {
      return after - before;
    }
    boolean wrapped = before < WRAP && before > WRAP / 4 * 3 && after < WRAP / 4;
    return wrapped ? WRAP - before + after : after;
  }
}
