package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What one call may lose to peers that do not answer, over all of its attempts together: dialling,
 * waiting for a sign of life, pauses between two tries. When it is used up no peer is asked any
 * more, and the call goes to the origin.
 *
 * <p>Only what fails counts. An attempt that ends well costs nothing, however long it took: a node
 * that lives may keep a read back for as long as a phase lasts, and a large read takes its time.
 *
 * <p>Attempts follow each other, they are not nested. For one thread; pure but for the clock it is
 * given.
 */
final class Patience {
  private final LongSupplier nanoClock;
  private final long least;
  private long left;
  private long attemptBegan;
  private boolean trying;

  /**
   * Patience of which nothing is used yet.
   *
   * @param all that may be lost
   * @param least with less than this left no attempt begins, since it could not tell a peer that
   *     hangs from one that is slow
   * @param nanoClock as {@link System#nanoTime}
   */
  Patience(Duration all, Duration least, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.least = least.toNanos();
    left = all.toNanos();
  }

  /** Something that a peer may fail to do. */
  @FunctionalInterface
  interface Attempt<T> {
    T run() throws EleyException;
  }

  /**
   * Runs an attempt; the time that it took is lost when it fails.
   *
   * @throws EleyException the attempt's; {@code UNAVAILABLE}, at once, when the patience is used up
   */
  <T> T attempt(Attempt<T> attempt) throws EleyException {
    if (spent()) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "too much time was lost to peers that do not answer");
    }
    attemptBegan = nanoClock.getAsLong();
    trying = true;
    try {
      return attempt.run();
    } catch (EleyException e) {
      left -= nanoClock.getAsLong() - attemptBegan;
      throw e;
    } finally {
      trying = false;
    }
  }

  /** Waits before the next attempt; the time is lost in any case. */
  void pause(Backoff until) throws EleyException {
    long began = nanoClock.getAsLong();
    until.await();
    left -= nanoClock.getAsLong() - began;
  }

  /** Whether too little is left for another attempt. */
  boolean spent() {
    return left < least;
  }

  /** The usual time for one step, or what is left if that is less. */
  Duration within(Duration usual) {
    return shorter(usual, left());
  }

  /** The usual silence that is borne, so that two of them fit into what is left. */
  Duration silence(Duration usual) {
    return shorter(usual, left() / 2);
  }

  private long left() {
    return trying ? left - (nanoClock.getAsLong() - attemptBegan) : left;
  }

  private static Duration shorter(Duration usual, long nanos) {
    Duration rest = Duration.ofNanos(Math.max(1_000_000, nanos));
    return rest.compareTo(usual) < 0 ? rest : usual;
  }
}
