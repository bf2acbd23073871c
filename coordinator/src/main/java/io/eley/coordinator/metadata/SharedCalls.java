package io.eley.coordinator.metadata;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Answers to one kind of question about paths, asked of the origin once for everybody: who asks
 * while the call is under way gets its answer, and so does who asks before the answer is too old.
 * Who needs an answer from after a moment never gets one of a call that had begun before; so
 * however many ask at once, two calls are enough for all. That a file does not exist is an answer
 * as well; other errors are not kept. What is kept takes no more memory than it is given.
 *
 * <p>Safe for several threads; the lock is held for map operations only. Futures complete on the
 * thread that called the origin.
 */
final class SharedCalls<V> {
  /** Where the answers come from. */
  interface Source<V> {
    /**
     * Starts a call for a path; never blocks.
     *
     * @param begins to be run right before the origin is asked
     * @throws RejectedExecutionException when closed
     */
    CompletableFuture<V> ask(String path, Runnable begins);
  }

  /**
   * How long answers are valid.
   *
   * @param found for answers
   * @param notFound for the knowledge that there is nothing
   */
  record Lives(Duration found, Duration notFound) {}

  /**
   * How much is kept.
   *
   * @param bytes of the heap, about
   * @param weight bytes of a path's answer
   */
  record Room<V>(long bytes, ToLongBiFunction<String, V> weight) {
    private long of(String path, Answer<V> answer) {
      return answer.value() == null ? MISSING : weight.applyAsLong(path, answer.value());
    }
  }

  /** An error with its text and its trace. */
  private static final int MISSING = 1000;

  /**
   * An answer that is kept.
   *
   * @param begun when the call was made
   */
  private record Answer<V>(
      @Nullable V value, @Nullable EleyException error, long begun, long expiry) {}

  /** One call, queued or begun, and who waits for it. Guarded by the cache's lock. */
  private static final class Flight<V> {
    final CompletableFuture<V> answer = new CompletableFuture<>();
    boolean begun;
    long begunAt;
    @Nullable Flight<V> next;

    /** The flight to wait for: this one, or the next when this call has begun before. */
    Flight<V> join(long since) {
      if (!begun || begunAt - since >= 0) {
        return this;
      }
      if (next == null) {
        next = new Flight<>();
      }
      return next;
    }
  }

  private final Source<V> source;
  private final Lives lives;
  private final LongSupplier clock;
  private final KeptByPath<Answer<V>> answers;
  private final Map<String, Flight<V>> underWay = new HashMap<>();

  /**
   * Without answers yet.
   *
   * @param clock as {@link System#nanoTime}
   */
  SharedCalls(Source<V> source, Lives lives, Room<V> room, LongSupplier clock) {
    answers = new KeptByPath<>(room.bytes(), room::of);
    this.source = source;
    this.lives = lives;
    this.clock = clock;
  }

  /**
   * The answer, perhaps at once. Never blocks.
   *
   * @param since the answer must be the origin's from this moment or later, see {@link #fromNow};
   *     those who ask while an older call is under way share the next one
   */
  CompletableFuture<V> ask(String path, long since) {
    Flight<V> mine = new Flight<>();
    synchronized (this) {
      Answer<V> answer = valid(path, since);
      if (answer != null) {
        settle(mine.answer, answer.value(), answer.error());
        return mine.answer;
      }
      Flight<V> theirs = underWay.putIfAbsent(path, mine);
      if (theirs != null) {
        return theirs.join(since).answer.copy();
      }
    }
    start(path, mine);
    return mine.answer.copy();
  }

  /** The moment after which only calls begin that are not made yet. */
  long fromNow() {
    return clock.getAsLong() + 1;
  }

  /** The moment before all others. */
  long fromEver() {
    return clock.getAsLong() - (Long.MAX_VALUE >> 1);
  }

  private @Nullable Answer<V> valid(String path, long since) {
    Answer<V> answer = answers.get(path);
    boolean good =
        answer != null && answer.expiry() - clock.getAsLong() > 0 && answer.begun() - since >= 0;
    return good ? answer : null;
  }

  private void start(String path, Flight<V> flight) {
    CompletableFuture<V> call;
    try {
      call = source.ask(path, () -> begin(flight));
    } catch (RejectedExecutionException e) {
      call = CompletableFuture.failedFuture(unavailable("stopping", e));
    } catch (OutOfMemoryError e) {
      // No thread can be started: who asks reads the origin, and the path can be asked for again.
      call = CompletableFuture.failedFuture(unavailable(e.getMessage() + "", e));
    }
    var unused =
        call.whenComplete(
            (value, error) -> finish(path, flight, value, error == null ? null : ours(error)));
  }

  private synchronized void begin(Flight<V> flight) {
    flight.begun = true;
    flight.begunAt = clock.getAsLong();
  }

  private static EleyException unavailable(String why, Throwable cause) {
    return new EleyException(ErrorCode.UNAVAILABLE, why, cause);
  }

  private static EleyException ours(Throwable error) {
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    return cause instanceof EleyException known
        ? known
        : new EleyException(ErrorCode.INTERNAL, "defect: " + cause, cause);
  }

  private void finish(
      String path, Flight<V> flight, @Nullable V value, @Nullable EleyException error) {
    Flight<V> next;
    synchronized (this) {
      // The path was forgotten while the call was under way: its answer is for those who waited,
      // but is not kept.
      if (underWay.remove(path, flight)) {
        keep(path, flight.begunAt, value, error);
      }
      next = flight.next;
      if (next != null) {
        underWay.putIfAbsent(path, next);
      }
    }
    settle(flight.answer, value, error);
    if (next != null) {
      start(path, next);
    }
  }

  private void keep(String path, long begun, @Nullable V value, @Nullable EleyException error) {
    if (value != null) {
      answers.put(path, new Answer<>(value, null, begun, expiry(lives.found())));
    } else if (error != null && error.code() == ErrorCode.NOT_FOUND) {
      answers.put(path, new Answer<>(null, error, begun, expiry(lives.notFound())));
    } else {
      answers.remove(path);
    }
  }

  private long expiry(Duration life) {
    return clock.getAsLong() + life.toNanos();
  }

  private static <V> void settle(
      CompletableFuture<V> future, @Nullable V value, @Nullable EleyException error) {
    if (value != null) {
      future.complete(value);
    } else {
      future.completeExceptionally(
          error == null ? new EleyException(ErrorCode.INTERNAL, "no answer") : error);
    }
  }

  /** Whether {@link #ask} would answer from what is kept. */
  synchronized boolean knows(String path, long since) {
    return valid(path, since) != null;
  }

  /** The answer that {@link #ask} would give from what is kept; null when it has to ask. */
  synchronized @Nullable V known(String path, long since) {
    Answer<V> answer = valid(path, since);
    return answer == null ? null : answer.value();
  }

  /** The last answer, however old; null when there is none. */
  synchronized @Nullable V last(String path) {
    Answer<V> answer = answers.get(path);
    return answer == null ? null : answer.value();
  }

  /** Forgets the path and everything below it; calls under way will not be kept. */
  synchronized void forgetTree(String path) {
    forget(path);
    String below = path.endsWith("/") ? path : path + "/";
    answers.removeBelow(below);
    underWay.keySet().removeIf(p -> p.startsWith(below));
  }

  /** Forgets the path alone. */
  synchronized void forget(String path) {
    answers.remove(path);
    underWay.remove(path);
  }
}
