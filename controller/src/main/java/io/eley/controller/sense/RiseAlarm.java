package io.eley.controller.sense;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds a rise in the times of reads: a one-sided CUSUM (Page, Biometrika 41, 1954) over the
 * logarithm of each time against what a read takes under the same load of ours, with an allowance
 * that follows the usual spread. Reads that have not ended and are overdue alarm, too, when there
 * are several at once: beside somebody's burst they are overdue before the first one ends.
 *
 * <p>Not thread-safe. Times of reads are logarithms of nanoseconds.
 */
final class RiseAlarm {
  /** A read that takes 1.28 times as long as usual is no evidence yet. */
  private static final double ALLOWANCE = 0.25;

  private static final double ALLOWANCE_SPREADS = 1.5;
  private static final double ALARM = 0.6;
  private static final double ALARM_SPREADS = 4;

  /** No single read may alarm alone. */
  private static final double MOST_AT_ONCE = 0.5;

  /** A read that has not ended is overdue when it has taken 1.5 times as long as usual. */
  private static final double OVERDUE = 0.4;

  private static final double OVERDUE_SPREADS = 4;
  private static final int OVERDUE_READS = 3;
  private static final Duration OVERDUE_COUNTS = Duration.ofMillis(100);

  /** So many reads of a node were overdue then. */
  private record Overdue(long reads, long at) {}

  private final Trust trust;
  private final Map<String, Overdue> overdue = new HashMap<>();
  private double rise;
  private long since;

  /** When the last read ended that took no longer than usual. */
  private long usualEnd;

  RiseAlarm(Trust trust) {
    this.trust = trust;
  }

  /** Takes a read that has ended; returns whether it makes the alarm. */
  boolean hear(ReadBaseline baseline, double time, long began, long ended) {
    double allowance = Math.max(ALLOWANCE, ALLOWANCE_SPREADS * baseline.spread());
    double step = baseline.excess(time) - allowance * (1 + (trust.factor() - 1) / 4);
    if (step <= 0) {
      usualEnd = ended;
    } else if (rise == 0) {
      since = Math.max(began, usualEnd);
    }
    rise = Math.max(0, rise + Math.max(-MOST_AT_ONCE, Math.min(MOST_AT_ONCE, step)));
    return rise > Math.max(ALARM, ALARM_SPREADS * baseline.spread()) * trust.factor();
  }

  /** Whether a read that has taken so long by now has taken too long. */
  static boolean overdue(ReadBaseline baseline, double time) {
    return baseline.excess(time) > Math.max(OVERDUE, OVERDUE_SPREADS * baseline.spread());
  }

  /** Takes how many reads of a node are overdue; returns whether that makes the alarm. */
  boolean hearOverdue(String node, long reads, long now) {
    overdue.put(node, new Overdue(reads, now));
    overdue.values().removeIf(each -> now - each.at > OVERDUE_COUNTS.toNanos());
    long many = overdue.values().stream().mapToLong(Overdue::reads).sum();
    boolean alarm = many >= OVERDUE_READS * trust.factor();
    since = alarm && rise == 0 ? usualEnd : since;
    return alarm;
  }

  /** When what made the alarm began. */
  long since() {
    return since;
  }

  /** What was heard before says nothing of what comes. */
  void reset(long now) {
    rise = 0;
    usualEnd = now;
    overdue.clear();
  }

  /** Forgets a node that has left. */
  void forget(String node) {
    overdue.remove(node);
  }
}
