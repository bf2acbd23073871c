package io.eley.local.deployment;

import java.time.Duration;

/**
 * How long to wait before a process is started again: not at all after one that has run for a
 * while, and longer each time after one that ends soon. Not safe for several threads.
 */
final class RestartDelay {
  /** A process that has run for so long has come up. */
  static final Duration SOON = Duration.ofSeconds(5);

  static final Duration FIRST = Duration.ofMillis(200);
  static final Duration MOST = Duration.ofSeconds(5);

  private Duration next = Duration.ZERO;

  /** The delay after a run of this length. */
  Duration after(Duration ran) {
    Duration delay = ran.compareTo(SOON) >= 0 ? Duration.ZERO : next;
    Duration longer = delay.isZero() ? FIRST : delay.multipliedBy(2);
    next = longer.compareTo(MOST) > 0 ? MOST : longer;
    return delay;
  }
}
