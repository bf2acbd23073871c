package io.eley.controller.sense;

import java.time.Duration;
import java.util.Optional;

/**
 * When single reads are due: one at a time, and in a phase at growing distances, which begin anew
 * near its usual end. Not thread-safe. Times are nanoseconds of a monotonic clock.
 */
final class SingleReadTimes {
  /** Between two in a phase, at first and at most. */
  static final Duration SOON = Duration.ofMillis(100);

  static final Duration LATE = Duration.ofMillis(800);
  private static final double LATER = 1.5;

  /** Between two that may be the first ones behind a phase. */
  private static final Duration CONFIRMING = Duration.ofMillis(50);

  /** Between two while a phase is expected. */
  private static final Duration EXPECTING = Duration.ofMillis(150);

  /** One that has not come back for so long is asked of another node. */
  private static final Duration LOST = Duration.ofMillis(400);

  /** After so many in a row nobody wants to read, and it cannot be told what goes on. */
  private static final int MOST_LOST = 5;

  private Optional<Long> asked = Optional.empty();
  private int lost;
  private long cameAt;
  private double wait = SOON.toNanos();
  private boolean nearEnd;

  /** A new question is to be answered by them. */
  void begin() {
    asked = Optional.empty();
    lost = 0;
  }

  /** A phase has begun. */
  void beginPhase() {
    wait = SOON.toNanos();
    nearEnd = false;
  }

  /** One has come back, at this time. */
  void came(long at) {
    asked = Optional.empty();
    lost = 0;
    cameAt = at;
  }

  long cameAt() {
    return cameAt;
  }

  /** Whether one may be asked for: none is under way, or it is lost. */
  boolean free(long now) {
    return asked.isEmpty() || now - asked.get() > LOST.toNanos();
  }

  /** Whether it is time for the next one while a phase is expected. */
  boolean dueBeforePhase(long now) {
    return now - cameAt >= EXPECTING.toNanos();
  }

  /** Whether it is time for one that may confirm a phase's end: a lull is no end. */
  boolean dueToConfirm(long now) {
    return now - cameAt >= CONFIRMING.toNanos();
  }

  /** Whether it is time for the next one in a phase. */
  boolean dueInPhase(long now) {
    return now - cameAt >= wait;
  }

  /**
   * Notes that a node was given leave for one.
   *
   * @return false when so many were lost that nobody wants to read
   */
  boolean ask(long now) {
    if (asked.isPresent() && ++lost >= MOST_LOST) {
      begin();
      return false;
    }
    asked = Optional.of(now);
    return true;
  }

  /**
   * Waits longer for the next one.
   *
   * @param usualEnd from when on the phase's end is near, as far as that is known
   */
  void waitLonger(Optional<Long> usualEnd, long now) {
    wait = Math.min((double) LATE.toNanos(), wait * LATER);
    if (!nearEnd && usualEnd.filter(end -> now >= end).isPresent()) {
      nearEnd = true;
      wait = SOON.toNanos();
    }
  }
}
