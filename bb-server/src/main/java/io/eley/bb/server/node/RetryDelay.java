package io.eley.bb.server.node;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next try: doubles from {@code first} to {@code most}, each time
 * between half and all of it, so that nodes that lost the same coordinator do not come back
 * together. Not safe for several threads.
 */
final class RetryDelay {
  private final Duration first;
  private final Duration most;
  private final RandomGenerator random;
  private Duration next;

  RetryDelay(Duration first, Duration most, RandomGenerator random) {
    this.first = first;
    this.most = most;
    this.random = random;
    this.next = first;
  }

  Duration next() {
    long millis = next.toMillis();
    Duration doubled = next.multipliedBy(2);
    next = doubled.compareTo(most) > 0 ? most : doubled;
    return Duration.ofMillis(millis / 2 + random.nextLong(millis / 2 + 1));
  }

  /** Begins anew with {@code first} after a try that succeeded. */
  void reset() {
    next = first;
  }
}
