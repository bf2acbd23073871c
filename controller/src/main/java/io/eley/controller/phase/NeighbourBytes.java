package io.eley.controller.phase;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What other deployments of ours move on the same file system, as they tell it four times a second,
 * of 1.2 s before. Between two words of one its bytes are joined by straight lines, and after the
 * last one it is taken to go on as it was, for a few seconds: then nobody knows what it moves.
 *
 * <p>Not thread-safe. Times are nanoseconds of the coordinator's monotonic clock.
 */
final class NeighbourBytes {
  /** For so long an interval waits for what they moved in it. */
  private static final long PATIENCE = Duration.ofSeconds(2).toNanos();

  private static final long LIFE = Duration.ofSeconds(6).toNanos();
  private static final long SHOWN_OVER = Duration.ofSeconds(2).toNanos();
  private static final int KEPT = 64;

  /** Their clocks are others, and their traffic need not have been even between two words. */
  private static final double MARGIN = 1.1;

  private final Map<String, Deque<Told>> deployments = new HashMap<>();

  private record Told(long at, long bytes) {}

  /** Takes what a deployment had moved since its start at a moment in the past. */
  void observe(String deployment, long bytes, long at) {
    Deque<Told> told = deployments.computeIfAbsent(deployment, d -> new ArrayDeque<>());
    if (told.isEmpty() || at - told.getLast().at > 0) {
      told.add(new Told(at, told.isEmpty() ? bytes : Math.max(bytes, told.getLast().bytes)));
    }
    if (told.size() > KEPT) {
      told.remove();
    }
  }

  /** Forgets those that have said nothing for some seconds. */
  void forgetSilent(long now) {
    deployments.values().removeIf(told -> now - told.getLast().at > LIFE);
  }

  /** Whether all have told what they moved until then, but for who moves nothing. */
  boolean complete(long until, long now) {
    return now - until > PATIENCE
        || deployments.values().stream()
            .allMatch(told -> told.getLast().at - until >= 0 || moved(told, now - LIFE, now) == 0);
  }

  /** Bytes that may have been moved between two moments. */
  double mayHaveMoved(long from, long to) {
    return MARGIN * deployments.values().stream().mapToDouble(t -> moved(t, from, to)).sum();
  }

  /** A line for people; empty without any deployment. */
  Optional<String> describe(long now) {
    var fresh =
        deployments.values().stream().filter(told -> now - told.getLast().at <= LIFE).toList();
    double bytes =
        fresh.stream()
            .mapToDouble(t -> moved(t, t.getLast().at - SHOWN_OVER, t.getLast().at))
            .sum();
    return fresh.isEmpty()
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "neighbours: %d other deployments here, %.0f MB/s, which is nobody's phase",
                fresh.size(),
                bytes * 1e3 / SHOWN_OVER));
  }

  private static double moved(Deque<Told> told, long from, long to) {
    return Math.max(0, at(told, to) - at(told, from));
  }

  private static double at(Deque<Told> told, long time) {
    Iterator<Told> newestFirst = told.descendingIterator();
    Told after = newestFirst.next();
    while (newestFirst.hasNext()) {
      Told before = newestFirst.next();
      if (before.at - time <= 0) {
        double part = (double) (time - before.at) / (after.at - before.at);
        return before.bytes + (after.bytes - before.bytes) * part;
      }
      after = before;
    }
    return after.bytes; // before the first word nothing is known
  }
}
