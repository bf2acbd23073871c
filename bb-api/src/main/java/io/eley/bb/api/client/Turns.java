package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Takes a lock that another thread may hold while it dials a peer, but not for ever. */
final class Turns {
  private Turns() {}

  /**
   * Blocks until the lock is ours.
   *
   * @param peer that is dialled under it, for the error
   * @throws EleyException {@code UNAVAILABLE} when it took too long; {@code INTERRUPTED}
   */
  static void take(ReentrantLock lock, Duration atMost, String peer) throws EleyException {
    try {
      if (!lock.tryLock(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new EleyException(ErrorCode.UNAVAILABLE, peer + " is still being dialled");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.INTERRUPTED, "interrupted: connect to " + peer, e);
    }
  }
}
