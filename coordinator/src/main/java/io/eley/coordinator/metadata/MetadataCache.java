package io.eley.coordinator.metadata;

import io.eley.bb.api.OriginPaths;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.GuardedOrigin;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.coordinator.config.CoordinatorOptions;
import io.eley.coordinator.metadata.SharedCalls.Lives;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The origin's attributes and listings, for all executors from one call each. A listing answers
 * later questions for its children's attributes too.
 *
 * <p>Opening a file asks the origin always, and the answer is from after the question: those who
 * open it while a call is under way share the next one. So a file that was changed before it is
 * opened is never taken for what it was.
 *
 * <p>Safe for several threads; nothing here blocks. Origin calls run on threads of their own, and
 * each has a deadline after which its thread is given up.
 */
public final class MetadataCache implements AutoCloseable {
  private static final int THREADS = 16;

  /** In a hold a call waits for the one before it for so long at most: then that one hangs. */
  private static final Duration TURN = ReadTime.HANGS;

  /** The coarsest clock of a file system that we know: FAT's, and some network file systems'. */
  private static final long TICK_MILLIS = 2000;

  private final AtomicLong forgotten = new AtomicLong();
  private volatile Consumer<OriginStatus> changed = status -> {};
  private final GuardedOrigin guard;
  private final CallPace pace = new CallPace(THREADS, TURN);
  private final ThreadPoolExecutor callers;
  private final SharedCalls<OriginStatus> statuses;
  private final SharedCalls<OriginStatus> directories;
  private final SharedCalls<Listed> listings;

  /**
   * A listing and what the directory was before it was made.
   *
   * @param takenMillis time of day when the listing began
   */
  private record Listed(OriginStatus directory, long takenMillis, List<OriginStatus> children) {
    /**
     * Whether the directory is still as it was listed. Its times are those of the origin's clock,
     * which ticks: a directory that had been changed just before it was listed may be changed again
     * within the same tick, and looks unchanged then.
     */
    boolean holds(OriginStatus now) {
      long changed =
          Math.max(
              directory.modifiedMillis(),
              TimeUnit.NANOSECONDS.toMillis(directory.stamp().changedNanos()));
      return now.version().equals(directory.version()) && takenMillis - changed > TICK_MILLIS;
    }
  }

  /** An empty cache. */
  public MetadataCache(Origin origin, CoordinatorOptions.Metadata options, LongSupplier clock) {
    guard = new GuardedOrigin("eley-coordinator-origin", THREADS, options.deadline());
    callers = callers();
    var lives = new Lives(options.timeToLive(), options.negativeTimeToLive());
    statuses =
        new SharedCalls<>(
            path -> () -> notice(call("stat " + path, () -> origin.stat(path))),
            callers,
            lives,
            clock);
    directories =
        new SharedCalls<>(
            path -> () -> call("stat " + path, () -> origin.stat(path)), callers, lives, clock);
    listings =
        new SharedCalls<>(
            path -> () -> call("list " + path, () -> list(origin, path)), callers, lives, clock);
  }

  private <T> T call(String what, GuardedOrigin.Call<T> call) throws EleyException {
    return pace.make(() -> guard.call(what, call));
  }

  /**
   * Makes no more than one call at a time from now on, or as many as there are threads.
   *
   * @param held whether reads that tasks wait for are held
   */
  public void hold(boolean held) {
    pace.slow(held);
  }

  /** How many calls the origin has had since the start; a listing has one more for each child. */
  public long calls() {
    return pace.calls();
  }

  /** A line for people about calls that hang; empty while all come back. */
  public Optional<String> describe() {
    return describe(ReadTime.HANGS);
  }

  /** The same for calls that have taken so long. */
  Optional<String> describe(Duration least) {
    List<Duration> hang = guard.underWayFor(least);
    return hang.stream()
        .max(Duration::compareTo)
        .map(
            longest ->
                String.format(
                    Locale.ROOT,
                    "origin: %d calls for metadata have not come back for up to %d s:"
                        + " a file server may hang",
                    hang.size(),
                    longest.toSeconds()));
  }

  /** Their threads start here and stay: later the system may give none. */
  private static ThreadPoolExecutor callers() {
    var counter = new AtomicInteger();
    var pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              var thread =
                  new Thread(task, "eley-coordinator-metadata-" + counter.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.prestartAllCoreThreads();
    return pool;
  }

  /**
   * Sets the listener for files whose attributes have changed.
   *
   * @param listener called on a caller's thread; must not block
   */
  public void setListener(Consumer<OriginStatus> listener) {
    changed = listener;
  }

  /** Notifies the listener of changed attributes, before they replace the old ones. */
  private OriginStatus notice(OriginStatus status) {
    OriginStatus before = statuses.last(status.path());
    if (before != null && !before.version().equals(status.version())) {
      changed.accept(status);
    }
    return status;
  }

  /**
   * Attributes of a file or directory.
   *
   * @param opening the file is about to be read, so the origin must be asked
   * @return fails with an {@link io.eley.bb.api.error.EleyException}
   */
  public CompletableFuture<OriginStatus> stat(String path, boolean opening) {
    return statuses.ask(path, opening);
  }

  /**
   * The children of a directory in the order of their paths. A listing that is known is good for as
   * long as the directory itself is unchanged, which the origin is asked each time, after the
   * question: so a listing shows what has been written into the directory before it was asked for,
   * by whomever, and many listings cost one and a stat for each.
   */
  public CompletableFuture<List<OriginStatus>> list(String path) {
    Listed known = listings.last(path);
    CompletableFuture<Listed> listed =
        known == null
            ? listings.ask(path, true)
            : directories.ask(path, true).thenCompose(now -> listings.ask(path, !known.holds(now)));
    return listed.thenApply(Listed::children);
  }

  /** Keeps the children's attributes, unless something was forgotten while they were listed. */
  private Listed list(Origin origin, String path) throws EleyException {
    long before = forgotten.get();
    long taken = System.currentTimeMillis();
    OriginStatus directory = origin.stat(path);
    List<OriginStatus> children = origin.list(path);
    pace.count(1 + children.size());
    if (forgotten.get() == before) {
      children.forEach(child -> statuses.learn(child.path(), child));
    }
    return new Listed(directory, taken, children);
  }

  /**
   * Notes that the origin was changed at the path: forgets it, what is below it, and what is above
   * it, since parents may have come into being with it.
   */
  public void forget(String path) {
    forgotten.incrementAndGet();
    statuses.forgetTree(path);
    listings.forgetTree(path);
    directories.forgetTree(path);
    for (String above = path; !above.equals(OriginPaths.ROOT); ) {
      above = OriginPaths.parent(above);
      statuses.forget(above);
      listings.forget(above);
      directories.forget(above);
    }
  }

  /** Abandons calls under way. */
  @Override
  public void close() {
    callers.shutdownNow();
    guard.close();
  }
}
