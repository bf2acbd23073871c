package io.eley.coordinator.metadata;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedOrigin;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * How many calls of ours the origin gets at once: as many as there are threads, or one while tasks'
 * reads are held for somebody's phase. So a listing goes on in it, and hardly more than one call of
 * ours waits at his metadata servers: who has waited for his turn for long enough goes without one,
 * since the call before may hang. Counts them. Safe for several threads.
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
  private final Duration patience;
  private final Turns turns;
  private boolean slow;

  /**
   * Lets as many go as there are threads.
   *
   * @param most threads that call
   * @param patience how long a call waits for its turn at most
   */
  CallPace(int most, Duration patience) {
    this.most = most;
    this.patience = patience;
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
   * Makes a call when it is its turn, in the order of their coming, or when it has waited for too
   * long. Blocks.
   *
   * @throws EleyException the call's; {@code UNAVAILABLE} when interrupted before
   */
  <T> T make(GuardedOrigin.Call<T> call) throws EleyException {
    boolean turn;
    try {
      turn = turns.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "stopped", e);
    }
    try {
      calls.incrementAndGet();
      return call.run();
    } finally {
      if (turn) {
        turns.release();
      }
    }
  }

  /**
   * Starts a call when it is its turn at once. Does not block.
   *
   * @param start starts the call, or is empty when it cannot
   * @return empty when nothing was started: then {@link #make} it
   */
  <T> Optional<CompletableFuture<T>> start(Supplier<Optional<CompletableFuture<T>>> start) {
    if (turns.hasQueuedThreads() || !turns.tryAcquire()) {
      return Optional.empty();
    }
    boolean begun = false;
    try {
      Optional<CompletableFuture<T>> call = start.get();
      begun = call.isPresent();
      if (begun) {
        calls.incrementAndGet();
      }
      return call.map(answer -> answer.whenComplete((value, error) -> turns.release()));
    } finally {
      if (!begun) {
        turns.release();
      }
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
