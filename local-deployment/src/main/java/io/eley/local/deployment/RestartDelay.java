package io.eley.local.deployment;

import java.time.Duration;

/**
 * How long to wait before a process is started again: not at all after one that has run for a
 * while, and longer each time after one that ends soon. One that had come up is hardly waited for,
 * however soon it ended: what is started again and again without success is meant, and reads that
 * tasks wait for stand still while there is no coordinator. Not safe for several threads.
 */
final class RestartDelay {
  /** A process that has run for so long has come up. */
  static final Duration SOON = Duration.ofSeconds(5);

  static final Duration FIRST = Duration.ofMillis(200);
  static final Duration MOST = Duration.ofSeconds(5);

  private Duration next = Duration.ZERO;

  /**
   * The delay after a run of this length.
   *
   * @param cameUp whether it is known to have come up
   */
  Duration after(Duration ran, boolean cameUp) {
    if (ran.compareTo(SOON) >= 0) {
      next = FIRST;
      return Duration.ZERO;
    }
    Duration delay = cameUp && next.compareTo(FIRST) > 0 ? FIRST : next;
    Duration longer = delay.isZero() ? FIRST : delay.multipliedBy(2);
    next = longer.compareTo(MOST) > 0 ? MOST : longer;
    return delay;
  }
}
