package io.eley.scheduler.hooks.slurm;

import java.time.Duration;

/**
 * How often Slurm may be asked something: rests nine times as long as the last answer took beyond
 * {@value #FREE_MILLIS} ms, so that a slow slurmctld is asked less often, and never shorter than
 * its interval, nor longer than {@value #MOST_SECONDS} s. What is free is what a busy host takes to
 * start a command. For one thread; times are nanoseconds.
 */
final class Pace {
  private static final int REST = 9;
  private static final long FREE_MILLIS = 100;
  private static final long MOST_SECONDS = 30;

  /** The longest rest, however slow Slurm is. */
  static final Duration LONGEST = Duration.ofSeconds(MOST_SECONDS);

  private long next;
  private boolean begun;

  boolean due(long now) {
    return !begun || now - next >= 0;
  }

  /** Notes that it was asked; the interval is from one begin to the next. */
  void note(long began, long ended, Duration interval) {
    begun = true;
    long rest = Math.min(rest(ended - began).toNanos(), LONGEST.toNanos());
    next = Math.max(began + interval.toNanos(), ended + rest);
  }

  /** What an answer that took so long wants before the next question. */
  static Duration rest(long took) {
    long slow = took - Duration.ofMillis(FREE_MILLIS).toNanos();
    return Duration.ofNanos(REST * Math.max(0, slow));
  }
}
