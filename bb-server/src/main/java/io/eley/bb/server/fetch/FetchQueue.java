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
 * <p>One lock, held for memory operations only; the gate's and a job's are taken inside it, never
 * the other way.
 */
final class FetchQueue {
  /** Small blocks that are fetched together: more would keep the others' bytes waiting. */
  private static final int TOGETHER = 16;

  /**
   * A fetcher's next piece of work.
   *
   * @param jobs one, or several {@link FetchJob#small} ones
   * @param bytes with which it has entered the gate
   */
  record Turn(List<FetchJob> jobs, Kind kind, ReadCause cause, int bytes) {
    enum Kind {
      /** Open the files, read these small blocks whole, close the files. */
      TOGETHER,
      /** Read a chunk, or open the file. */
      MOVE,
      /** It was cancelled: clean up. */
      END
    }

    /** The job of a turn that is not {@code TOGETHER}. */
    FetchJob job() {
      return jobs.get(0);
    }
  }

  private final PermitGate gate;
  private final int chunkBytes;
  private final int fetchers;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock.
  private final Map<BlockId, FetchJob> jobs = new HashMap<>();
  private final FetchRanks waiting = new FetchRanks();
  private final ArrayDeque<FetchJob> cancelled = new ArrayDeque<>();
  private boolean closed;

  /**
   * An empty queue.
   *
   * @param chunkBytes small blocks of so many bytes go together
   * @param fetchers threads that ask for turns
   */
  FetchQueue(PermitGate gate, int chunkBytes, int fetchers) {
    this.gate = gate;
    this.chunkBytes = chunkBytes;
    this.fetchers = fetchers;
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
          turn.jobs.forEach(FetchQueue::begin);
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

  private static void begin(FetchJob job) {
    job.running = true;
    job.begun = true;
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
      gate.leave(turn.cause, turn.bytes);
      FetchJob job = turn.job();
      job.running = false;
      changed.signal();
      if (closed || job.satisfied()) {
        jobs.remove(job.id, job);
        return closed ? Next.CLOSED : Next.DONE;
      }
      waitAgain(job);
      return Next.GOES_ON;
    } finally {
      lock.unlock();
    }
  }

  /** Notes that a chunk is over, and the fetch with it. */
  void finish(Turn turn) {
    Next unused = finish(turn, List.of());
  }

  /**
   * Notes that a turn is over, and its fetches with it but for these.
   *
   * @return what becomes of these: {@code GOES_ON} or {@code CLOSED}
   */
  Next finish(Turn turn, List<FetchJob> later) {
    lock.lock();
    try {
      gate.leave(turn.cause, turn.bytes);
      for (FetchJob job : turn.jobs) {
        if (!closed && later.contains(job)) {
          job.running = false;
          waitAgain(job);
        } else {
          jobs.remove(job.id, job);
        }
      }
      changed.signal();
      return closed ? Next.CLOSED : Next.GOES_ON;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes out a fetch that no thread runs and that has no space; a running one is left to its
   * thread, and one for which somebody else has found space meanwhile goes on.
   *
   * @return whether it is over by this
   */
  boolean discard(FetchJob job) {
    lock.lock();
    try {
      if (job.running || !job.giveUp() || !jobs.remove(job.id, job)) {
        return false;
      }
      waiting.remove(job);
      cancelled.remove(job);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Cancels prefetches; what a task or a stream asked for goes on, for these alone. */
  void cancel(Collection<BlockId> ids) {
    lock.lock();
    try {
      for (BlockId id : ids) {
        FetchJob job = jobs.get(id);
        if (job != null) {
          job.disown();
        }
        if (job != null && job.cause == ReadCause.PREFETCH && !job.cancelled) {
          cancelLocked(job);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes back all orders; what was begun or waits goes on. */
  void disown() {
    lock.lock();
    try {
      jobs.values().forEach(FetchJob::disown);
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

  private void waitAgain(FetchJob job) {
    if (job.cancelled) {
      cancelled.add(job);
    } else {
      waiting.add(job);
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
      return new Turn(List.of(ended), Turn.Kind.END, ended.cause, 0);
    }
    for (ReadCause cause : FetchRanks.CAUSES) {
      FetchJob job = waiting.first(cause);
      if (job != null) {
        List<FetchJob> chosen = together(cause, job);
        int bytes = chosen.stream().mapToInt(FetchJob::nextBytes).sum();
        if (gate.tryEnter(cause, bytes)) {
          var kind = job.small() ? Turn.Kind.TOGETHER : Turn.Kind.MOVE;
          chosen.forEach(waiting::remove);
          return new Turn(chosen, kind, cause, bytes);
        }
      }
    }
    return null;
  }

  /**
   * The first fetch, and when it is a small one those that follow it, a chunk's bytes together. As
   * many as leave the other fetchers theirs; what a task waits for goes alone.
   */
  private List<FetchJob> together(ReadCause cause, FetchJob first) {
    int most = Math.min(TOGETHER, waiting.size() / fetchers);
    if (!first.small() || cause == ReadCause.DEMAND || most < 2) {
      return List.of(first);
    }
    var chosen = new ArrayList<FetchJob>();
    int bytes = 0;
    for (FetchJob job : waiting.of(cause)) {
      bytes += job.nextBytes();
      if (!job.small() || bytes > chunkBytes || chosen.size() == most) {
        break;
      }
      chosen.add(job);
    }
    return chosen;
  }

  private long nanosUntilNext() {
    return FetchRanks.CAUSES.stream()
        .filter(cause -> waiting.first(cause) != null)
        .mapToLong(gate::nanosUntilOpen)
        .min()
        .orElse(PermitGate.NEVER);
  }
}
