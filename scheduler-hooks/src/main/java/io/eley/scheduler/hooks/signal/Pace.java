package io.eley.scheduler.hooks.signal;

import java.time.Duration;

/**
 * How a source is sampled.
 *
 * @param interval from the end of one look to the begin of the next
 * @param deadline how long one look may take
 */
public record Pace(Duration interval, Duration deadline) {
  /** Looks without a word after which a source is lost, beside its deadline. */
  private static final int LOST_AFTER = 4;

  /** After so long without a word the source is lost. */
  public Duration freshness() {
    return interval.multipliedBy(LOST_AFTER).plus(deadline);
  }
}
