package io.eley.prefetcher.control;

import java.time.Duration;

/**
 * For how long tasks have been kept waiting: grows while a phase is open, up to {@code delayMax},
 * and shrinks {@value #PAID_BACK} times as fast in the gaps between phases.
 *
 * <p>A gap does not simply make a hold new, because an application that pauses for a moment every
 * few seconds would then keep tasks waiting for ever: each gap would let one chunk pass and begin
 * another {@code delayMax}. As it is, tasks are shut out for at most {@code delayMax} and four
 * times the gaps they had: once {@code delayMax} has passed, at least a fifth of their time is open
 * or at the capped rate. Applications that do I/O for less than four fifths of the time, in phases
 * shorter than {@code delayMax}, never notice; a gap of a quarter of {@code delayMax} makes any
 * hold new.
 *
 * <p>Not thread-safe. Times are nanoseconds of any monotonic clock.
 */
final class HoldAge {
  private static final long PAID_BACK = 4;

  private final long mostNanos;
  private long nanos;
  private long at;
  private boolean held;

  HoldAge(Duration delayMax, long now) {
    mostNanos = delayMax.toNanos();
    at = now;
  }

  /**
   * Advances to now.
   *
   * @param holds whether a phase is open from now on
   * @return the age, at most {@code delayMax}
   */
  Duration advance(boolean holds, long now) {
    long passed = now - at;
    nanos = held ? Math.min(mostNanos, nanos + passed) : Math.max(0, nanos - PAID_BACK * passed);
    at = now;
    held = holds;
    return Duration.ofNanos(nanos);
  }
}
