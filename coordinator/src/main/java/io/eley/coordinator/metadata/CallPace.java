package io.eley.coordinator.metadata;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedOrigin;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many calls of ours the origin gets at once: as many as there are threads, or one while tasks'
 * reads are held for somebody's phase. So a listing goes on in it, and no more than one call of
 * ours ever waits at his metadata servers. Counts them. Safe for several threads.
 */
final class CallPace {
  /** Whose permits can be taken away from those that are in use. */
  private static final class Turns extends Semaphore {
    private static final long serialVersionUID = 1;

    Turns(int permits) {
      super(permits, true);
    }

    void fewer(int by) {
      reducePermits(by);
    }
  }

  private final AtomicLong calls = new AtomicLong();
  private final int most;
  private final Turns turns;
  private boolean slow;

  /**
   * Lets as many go as there are threads.
   *
   * @param most threads that call
   */
  CallPace(int most) {
    this.most = most;
    turns = new Turns(most);
  }

  /** One at a time from now on, or all; calls under way go on. */
  synchronized void slow(boolean wanted) {
    if (slow != wanted) {
      slow = wanted;
      if (wanted) {
        turns.fewer(most - 1);
      } else {
        turns.release(most - 1);
      }
    }
  }

  /**
   * Makes a call when it is its turn, in the order of their coming. Blocks.
   *
   * @throws EleyException the call's; {@code UNAVAILABLE} when interrupted before
   */
  <T> T make(GuardedOrigin.Call<T> call) throws EleyException {
    try {
      turns.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "stopped", e);
    }
    try {
      calls.incrementAndGet();
      return call.run();
    } finally {
      turns.release();
    }
  }

  /** Counts calls that were made as a part of one. */
  void count(int more) {
    calls.addAndGet(more);
  }

  /** How many were made since the start. */
  long calls() {
    return calls.get();
  }
}
