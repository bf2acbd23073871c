package io.eley.bb.api.client;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Says when to try a peer again that has failed: after 50 ms, then twice as long each time up to 2
 * s, each shortened by up to half at random so that a thousand executors do not return together.
 * Pure but for the clock and the randomness it is given; safe for several threads.
 */
final class Backoff {
  private static final Duration FIRST = Duration.ofMillis(50);
  private static final Duration LONGEST = Duration.ofSeconds(2);

  private final LongSupplier nanoClock;
  private final DoubleSupplier random;
  private int failures;
  private long notBefore;

  /**
   * A back-off of a peer that has not failed yet.
   *
   * @param nanoClock as {@link System#nanoTime}
   * @param random from 0 to 1
   */
  Backoff(LongSupplier nanoClock, DoubleSupplier random) {
    this.nanoClock = nanoClock;
    this.random = random;
  }

  static Backoff live() {
    return new Backoff(
        System::nanoTime, () -> java.util.concurrent.ThreadLocalRandom.current().nextDouble());
  }

  /** Whether a try makes sense now. */
  synchronized boolean ready() {
    return failures == 0 || nanoClock.getAsLong() - notBefore >= 0;
  }

  synchronized void noteSuccess() {
    failures = 0;
  }

  /** Notes a failure. */
  synchronized void noteFailure() {
    long pause = Math.min(LONGEST.toNanos(), FIRST.toNanos() << Math.min(failures, 16));
    failures++;
    notBefore = nanoClock.getAsLong() + pause - (long) (pause * 0.5 * random.getAsDouble());
  }
}
