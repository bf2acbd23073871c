package io.eley.scheduler.hooks.signal;

import java.time.Duration;

/**
 * How often a source is polled.
 *
 * @param interval from the end of one poll to the begin of the next
 * @param deadline how long one poll may take
 */
public record PollTiming(Duration interval, Duration deadline) {
  /** After so many intervals and one deadline without a result a source counts as lost. */
  private static final int LOST_AFTER = 4;

  /** The longest rest between two polls that does not make the source count as lost. */
  static Duration longestRest(Duration interval) {
    return interval.multipliedBy(LOST_AFTER);
  }

  /** For how long the last result counts; after that the source is lost. */
  public Duration freshness() {
    return interval.multipliedBy(LOST_AFTER).plus(deadline);
  }
}
