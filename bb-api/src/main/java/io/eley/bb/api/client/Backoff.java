package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Says when to try a peer again that has failed: after 50 ms, then twice as long each time up to 2
 * s. A try of a peer that was silent costs its reader more than one that is refused at once, so
 * silence is remembered for 1 s up to 30 s. All pauses are shortened by up to half at random, so
 * that a thousand executors do not return together. Pure but for the clock and the randomness it is
 * given; safe for several threads.
 */
final class Backoff {
  private static final Duration FIRST = Duration.ofMillis(50);
  private static final Duration LONGEST = Duration.ofSeconds(2);
  private static final Duration FIRST_AFTER_SILENCE = Duration.ofSeconds(1);
  private static final Duration LONGEST_AFTER_SILENCE = Duration.ofSeconds(30);

  /** How long the one try that {@link #admit} lets through keeps all others back. */
  private static final Duration PROBE = Duration.ofSeconds(1);

  private final LongSupplier nanoClock;
  private final DoubleSupplier random;
  private volatile int failures;
  private long notBefore;
  private boolean probing;

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

  /** By the clock that it was given. */
  long nanoTime() {
    return nanoClock.getAsLong();
  }

  /** Whether a try makes sense now. */
  synchronized boolean ready() {
    return failures == 0 || nanoClock.getAsLong() - notBefore >= 0;
  }

  /**
   * Whether this caller may try: everybody while the peer has not failed, later one caller at a
   * time.
   */
  synchronized boolean admit() {
    if (!ready()) {
      return false;
    }
    if (failures > 0) {
      notBefore = nanoClock.getAsLong() + PROBE.toNanos();
      probing = true;
    }
    return true;
  }

  /**
   * Blocks until a try makes sense.
   *
   * @throws EleyException {@code INTERRUPTED}
   */
  void await() throws EleyException {
    try {
      while (!ready()) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.INTERRUPTED, "interrupted between two tries", e);
    }
  }

  /** Whether the peer has failed and not answered since. */
  boolean suspect() {
    return failures > 0;
  }

  /** Notes that the peer has answered. Cheap: it is called after every answer. */
  void noteSuccess() {
    if (failures > 0) {
      synchronized (this) {
        failures = 0;
        probing = false;
      }
    }
  }

  /** Notes a failure that was known at once. */
  synchronized void noteFailure() {
    note(FIRST, LONGEST);
  }

  /**
   * Notes that connecting has failed: at once, or because nobody answered. An interruption is no
   * failure of the peer.
   */
  void noteFailure(EleyException why) {
    if (why.code() == ErrorCode.INTERRUPTED) {
      noteUntried();
    } else if (why.getCause() instanceof SocketTimeoutException) {
      noteSilence();
    } else {
      noteFailure();
    }
  }

  /** The one try that was let through is left to the next caller. */
  private synchronized void noteUntried() {
    if (probing) {
      probing = false;
      notBefore = nanoClock.getAsLong();
    }
  }

  /**
   * Notes that the peer was silent. Many notice that at once: they count as one until somebody has
   * tried again.
   *
   * @return how often in a row it has failed
   */
  synchronized int noteSilence() {
    if (failures == 0 || probing) {
      probing = false;
      note(FIRST_AFTER_SILENCE, LONGEST_AFTER_SILENCE);
    }
    return failures;
  }

  private synchronized void note(Duration first, Duration longest) {
    long pause = Math.min(longest.toNanos(), first.toNanos() << Math.min(failures, 16));
    failures++;
    notBefore = nanoClock.getAsLong() + pause - (long) (pause * 0.5 * random.getAsDouble());
  }
}
