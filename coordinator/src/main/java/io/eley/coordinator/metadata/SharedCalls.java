package io.eley.coordinator.metadata;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedOrigin.Call;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers to one kind of question about paths, asked of the origin once for everybody: who asks
 * while the call is under way gets its answer, and so does who asks before the answer is too old.
 * Who needs a fresh answer never gets one of a call that had begun before; so however many ask at
 * once, two calls are enough for all. That a file does not exist is an answer as well; other errors
 * are not kept.
 *
 * <p>Safe for several threads; the lock is held for map operations only. Futures complete on the
 * thread that called the origin.
 */
final class SharedCalls<V> {
  /** How many answers are kept; the cache is cleared when it is full. */
  private static final int CAPACITY = 200_000;

  /**
   * How long answers are valid.
   *
   * @param found for answers
   * @param notFound for the knowledge that there is nothing
   */
  record Lives(Duration found, Duration notFound) {}

  private record Answer<V>(@Nullable V value, @Nullable EleyException error, long expiry) {}

  /** One call, queued or begun, and who waits for it. Guarded by the cache's lock. */
  private static final class Flight<V> {
    final CompletableFuture<V> answer = new CompletableFuture<>();
    boolean begun;
    @Nullable Flight<V> next;

    /**
     * The flight to wait for: this one, or the next when the answer must be fresh and this call has
     * begun.
     */
    Flight<V> join(boolean fresh) {
      if (!fresh || !begun) {
        return this;
      }
      if (next == null) {
        next = new Flight<>();
      }
      return next;
    }
  }

  private final Function<String, Call<V>> question;
  private final Executor threads;
  private final Lives lives;
  private final LongSupplier clock;
  private final TreeMap<String, Answer<V>> answers = new TreeMap<>();
  private final Map<String, Flight<V>> underWay = new HashMap<>();

  /**
   * Without answers yet.
   *
   * @param question makes the blocking call for a path
   * @param threads where the calls are made
   */
  SharedCalls(
      Function<String, Call<V>> question, Executor threads, Lives lives, LongSupplier clock) {
    this.question = question;
    this.threads = threads;
    this.lives = lives;
    this.clock = clock;
  }

  /**
   * The answer, perhaps at once. Never blocks.
   *
   * @param fresh whether the answer must be the origin's from after this question; those who ask
   *     while a call is under way share the next one then
   */
  CompletableFuture<V> ask(String path, boolean fresh) {
    Flight<V> mine = new Flight<>();
    synchronized (this) {
      Answer<V> answer = answers.get(path);
      if (!fresh && answer != null && answer.expiry() - clock.getAsLong() > 0) {
        settle(mine.answer, answer.value(), answer.error());
        return mine.answer;
      }
      Flight<V> theirs = underWay.putIfAbsent(path, mine);
      if (theirs != null) {
        return theirs.join(fresh).answer.copy();
      }
    }
    start(path, mine);
    return mine.answer.copy();
  }

  private void start(String path, Flight<V> flight) {
    try {
      threads.execute(() -> call(path, flight));
    } catch (RejectedExecutionException e) {
      finish(path, flight, null, new EleyException(ErrorCode.UNAVAILABLE, "stopping", e));
    } catch (OutOfMemoryError e) {
      // No thread can be started: who asks reads the origin, and the path can be asked for again.
      finish(path, flight, null, new EleyException(ErrorCode.UNAVAILABLE, e.getMessage() + "", e));
    }
  }

  private void call(String path, Flight<V> flight) {
    synchronized (this) {
      flight.begun = true;
    }
    try {
      finish(path, flight, question.apply(path).run(), null);
    } catch (EleyException e) {
      finish(path, flight, null, e);
    } catch (RuntimeException e) {
      finish(path, flight, null, new EleyException(ErrorCode.INTERNAL, "defect: " + e, e));
    }
  }

  private void finish(
      String path, Flight<V> flight, @Nullable V value, @Nullable EleyException error) {
    Flight<V> next;
    synchronized (this) {
      // The path was forgotten while the call was under way: its answer is for those who waited,
      // but is not kept.
      if (underWay.remove(path, flight)) {
        keep(path, value, error);
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

  private void keep(String path, @Nullable V value, @Nullable EleyException error) {
    if (answers.size() >= CAPACITY) {
      answers.clear();
    }
    if (value != null) {
      answers.put(path, new Answer<>(value, null, expiry(lives.found())));
    } else if (error != null && error.code() == ErrorCode.NOT_FOUND) {
      answers.put(path, new Answer<>(null, error, expiry(lives.notFound())));
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

  /** Keeps an answer that came as part of another one, unless there is one that is still valid. */
  synchronized void learn(String path, V value) {
    Answer<V> known = answers.get(path);
    if (known == null || known.value() == null || known.expiry() - clock.getAsLong() <= 0) {
      keep(path, value, null);
    }
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
    // '0' is the character after '/', so this is the range of all names that begin with "path/".
    String past = below.substring(0, below.length() - 1) + '0';
    answers.subMap(below, past).clear();
    underWay.keySet().removeIf(p -> p.startsWith(below));
  }

  /** Forgets the path alone. */
  synchronized void forget(String path) {
    answers.remove(path);
    underWay.remove(path);
  }
}
