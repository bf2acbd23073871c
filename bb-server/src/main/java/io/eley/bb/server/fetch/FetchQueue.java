package io.eley.bb.server.fetch;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.permit.PermitGate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which fetch moves next. Fetcher threads ask before <em>each chunk</em>: demand before
 * read-ahead before prefetch, within these in the order of asking, and only what the {@link
 * PermitGate} lets go. So a fetch that is held is just not chosen: it keeps its place in the queue
 * and the chunks it has, but occupies no thread.
 *
 * <p>One lock, held for memory operations only; the gate's is taken inside it, never the other way.
 */
final class FetchQueue {
  /** A fetcher's next piece of work. */
  record Turn(FetchJob job, Kind kind, ReadCause cause) {
    enum Kind {
      /** Read a chunk, or open the file. */
      MOVE,
      /** It was cancelled: clean up. */
      END
    }
  }

  private final PermitGate gate;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock.
  private final Map<BlockId, FetchJob> jobs = new HashMap<>();
  private final FetchRanks waiting = new FetchRanks();
  private final ArrayDeque<FetchJob> cancelled = new ArrayDeque<>();
  private boolean closed;

  FetchQueue(PermitGate gate) {
    this.gate = gate;
  }

  /**
   * Returns the fetch of a block: the one that is queued, promoted when this cause ranks higher, or
   * a new one at the end of its rank. A new fetch knows what is wanted before a fetcher thread can
   * take it.
   *
   * @throws EleyException {@code UNAVAILABLE} when closed
   */
  FetchJob enroll(BlockId id, ReadCause cause, Want want, Supplier<FetchJob> newJob)
      throws EleyException {
    return locked(
        () -> {
          FetchJob known = promoteLocked(id, cause, want);
          if (known != null) {
            return known;
          }
          FetchJob job = newJob.get();
          job.wanted.add(want);
          if (!closed) {
            jobs.put(id, job);
            add(job);
          }
          return closed ? null : job;
        });
  }

  /** Blocks until there is something to do; null when closed. */
  @Nullable Turn take() {
    lock.lock();
    try {
      while (!closed) {
        Turn turn = next();
        if (turn != null) {
          turn.job.running = true;
          turn.job.begun = true;
          return turn;
        }
        long nanos = nanosUntilNext();
        if (nanos == PermitGate.NEVER) {
          changed.await();
        } else {
          changed.awaitNanos(Math.max(1, nanos));
        }
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** What becomes of a fetch after a turn. */
  enum Next {
    /** It has its place in the queue again. */
    GOES_ON,
    /**
     * All that is wanted is there, and who wants more makes a new fetch: the caller finishes it.
     */
    DONE,
    /** The queue is closed: the caller ends it. */
    CLOSED
  }

  /** Notes that a chunk is over. */
  Next giveBack(Turn turn) {
    lock.lock();
    try {
      gate.leave(turn.cause);
      turn.job.running = false;
      if (closed || turn.job.satisfied()) {
        jobs.remove(turn.job.id, turn.job);
        changed.signal();
        return closed ? Next.CLOSED : Next.DONE;
      }
      if (turn.job.cancelled) {
        cancelled.add(turn.job);
      } else {
        waiting.add(turn.job);
      }
      changed.signal();
      return Next.GOES_ON;
    } finally {
      lock.unlock();
    }
  }

  /** Notes that a chunk is over, and the fetch with it. */
  void finish(Turn turn) {
    lock.lock();
    try {
      gate.leave(turn.cause);
      jobs.remove(turn.job.id, turn.job);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Takes out a fetch that no thread runs; a running one is left to its thread. */
  void discard(FetchJob job) {
    lock.lock();
    try {
      if (!job.running && jobs.remove(job.id, job)) {
        waiting.remove(job);
        cancelled.remove(job);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Cancels prefetches; what a task or a stream asked for goes on. */
  void cancel(Collection<BlockId> ids) {
    lock.lock();
    try {
      for (BlockId id : ids) {
        FetchJob job = jobs.get(id);
        if (job != null && job.cause == ReadCause.PREFETCH && !job.cancelled) {
          cancelLocked(job);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Fetches that wait for a permit or a fetcher. */
  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the fetchers, because a new permit was applied. */
  void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Wakes all waiting fetchers for good; returns the fetches that no thread runs. */
  List<FetchJob> close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      var left = new ArrayList<>(jobs.values());
      left.removeIf(job -> job.running);
      jobs.clear();
      waiting.clear();
      cancelled.clear();
      return left;
    } finally {
      lock.unlock();
    }
  }

  private FetchJob locked(Supplier<@Nullable FetchJob> action) throws EleyException {
    lock.lock();
    try {
      FetchJob job = action.get();
      if (job == null) {
        throw new EleyException(ErrorCode.UNAVAILABLE, "the node is stopping");
      }
      return job;
    } finally {
      lock.unlock();
    }
  }

  // Below: with the lock held.

  private @Nullable FetchJob promoteLocked(BlockId id, ReadCause cause, Want want) {
    FetchJob job = jobs.get(id);
    if (job == null) {
      return null;
    }
    job.wanted.add(want);
    boolean revived = job.cancelled;
    boolean higher = FetchRanks.higher(cause, job.cause);
    if (revived || higher) {
      waiting.remove(job);
      cancelled.remove(job);
      job.cancelled = false;
      job.cause = higher ? cause : job.cause;
      add(job);
    }
    return job;
  }

  /** Adds the fetch at its place in its rank, unless a thread has it and will give it back. */
  private void add(FetchJob job) {
    waiting.place(job);
    if (!job.running) {
      waiting.add(job);
      changed.signal();
    }
  }

  private void cancelLocked(FetchJob job) {
    waiting.remove(job);
    job.cancelled = true;
    if (!job.begun) {
      jobs.remove(job.id, job);
    } else if (!job.running) {
      cancelled.add(job);
      changed.signal();
    }
  }

  private @Nullable Turn next() {
    FetchJob ended = cancelled.poll();
    if (ended != null) {
      jobs.remove(ended.id, ended);
      return new Turn(ended, Turn.Kind.END, ended.cause);
    }
    for (ReadCause cause : FetchRanks.CAUSES) {
      FetchJob job = waiting.first(cause);
      if (job != null && gate.tryEnter(cause, job.nextBytes())) {
        waiting.remove(job);
        return new Turn(job, Turn.Kind.MOVE, cause);
      }
    }
    return null;
  }

  private long nanosUntilNext() {
    return FetchRanks.CAUSES.stream()
        .filter(cause -> waiting.first(cause) != null)
        .mapToLong(gate::nanosUntilOpen)
        .min()
        .orElse(PermitGate.NEVER);
  }
}
