package io.eley.coordinator.metadata;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.OriginPaths;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.RecentMap;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedOrigin;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.coordinator.config.CoordinatorOptions;
import io.eley.coordinator.metadata.SharedCalls.Lives;
import io.eley.coordinator.metadata.SharedCalls.Room;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The origin's attributes and listings, for all executors from one call each. A listing answers
 * later questions for its children's attributes too: it holds them once, however many are asked
 * for.
 *
 * <p>Opening a file asks the origin always, and the answer is from after the question: those who
 * open it while a call is under way share the next one. So a file that was changed before it is
 * opened is never taken for what it was. Nobody is told what was before he came: a client's
 * questions are answered from after its connection was made, so what a job has written that ended
 * before another one began is seen by that one.
 *
 * <p>Safe for several threads; nothing here blocks. Origin calls run on threads of their own, and
 * each has a deadline after which its thread is given up.
 */
public final class MetadataCache implements AutoCloseable {
  private static final int THREADS = 16;

  /** Bytes of an answer that is kept, without what it says: entries of maps and their keys. */
  private static final int ANSWER = 300;

  /** In a hold a call waits for the one before it for so long at most: then that one hangs. */
  private static final Duration TURN = ReadTime.HANGS;

  /** The coarsest clock of a file system that we know: FAT's, and some network file systems'. */
  private static final long TICK_MILLIS = 2000;

  /** How far the origin's clock and ours are apart, at most. */
  private static final long CLOCKS_DIFFER_MILLIS = 60_000;

  /** Of the memory, in quarters: what listings may take; the rest is for single files. */
  private static final int LISTINGS = 3;

  /** Directories of which something is noted. */
  private static final int MOST_NOTED = 1000;

  private volatile Consumer<OriginStatus> changed = status -> {};
  private final LongSupplier clock;
  private final GuardedOrigin guard;
  private final CallPace pace = new CallPace(THREADS, TURN);
  private final ThreadPoolExecutor callers;
  private final SharedCalls<OriginStatus> statuses;
  private final SharedCalls<OriginStatus> directories;
  private final SharedCalls<Listed> listings;

  /**
   * A listing and what the directory was before it was made.
   *
   * @param taken when the listing began, on the cache's clock
   * @param settled whether a change since then shows in the directory's attributes
   */
  private record Listed(
      OriginStatus directory, long taken, boolean settled, List<OriginStatus> children) {
    /** The child of this path; null when there is none. */
    @Nullable OriginStatus child(String path) {
      int at = Listings.after(children, path);
      boolean there = at > 0 && children.get(at - 1).path().equals(path);
      return there ? children.get(at - 1) : null;
    }

    boolean isOf(String path) {
      return directory.path().equals(path);
    }

    /** Of two of one directory the one that began later; it may have ended first. */
    Listed orNewer(@Nullable Listed other) {
      if (other == null || !other.isOf(directory.path())) {
        return this;
      }
      return other.taken - taken > 0 ? other : this;
    }

    long weight() {
      return children.stream().mapToLong(MetadataCache::weight).sum();
    }

    /** Whether the directory is still as it was listed. */
    boolean holds(OriginStatus now) {
      return settled && now.version().equals(directory.version());
    }
  }

  /**
   * A directory's version.
   *
   * @param at when it was known first, on the cache's clock
   */
  private record Seen(FileVersion version, long at) {}

  /** The last one that was made, whatever its size, so that its pages do not cost one each. */
  private volatile @Nullable Listed latest;

  /** When the newest listings of directories began, of those that were made last. */
  private final Map<String, Long> begun = new RecentMap<>(MOST_NOTED);

  /** Versions of directories that were listed or looked at last. */
  private final Map<String, Seen> seen = new RecentMap<>(MOST_NOTED);

  /** An empty cache. */
  public MetadataCache(Origin origin, CoordinatorOptions.Metadata options, LongSupplier clock) {
    this.clock = clock;
    guard = new GuardedOrigin("eley-coordinator-origin", THREADS, options.deadline());
    callers = callers();
    var lives = new Lives(options.timeToLive(), options.negativeTimeToLive());
    long quarter = options.room() / 4;
    statuses =
        new SharedCalls<>(
            (path, begins) -> call("stat " + path, begins, () -> notice(origin.stat(path))),
            lives,
            new Room<>(quarter, (path, status) -> ANSWER + weight(status)),
            clock);
    directories =
        new SharedCalls<>(
            (path, begins) -> call("stat " + path, begins, () -> origin.stat(path)),
            lives,
            new Room<>(0, (path, status) -> 1),
            clock);
    listings =
        new SharedCalls<>(
            (path, begins) -> call("list " + path, begins, () -> list(origin, path)),
            lives,
            new Room<>(LISTINGS * quarter, (path, listed) -> ANSWER + listed.weight()),
            clock);
  }

  /** Bytes of a file's attributes and its reference: objects, and the path as bytes. */
  private static long weight(OriginStatus status) {
    return 140L + status.path().length();
  }

  /**
   * Makes a call when it is its turn: usually at once, and then nobody waits for it on a thread of
   * ours.
   */
  private <T> CompletableFuture<T> call(
      String what, Runnable begins, GuardedOrigin.Call<T> question) {
    GuardedOrigin.Call<T> call =
        () -> {
          begins.run();
          return question.run();
        };
    return pace.start(() -> guard.start(what, call)).orElseGet(() -> queued(what, call));
  }

  private <T> CompletableFuture<T> queued(String what, GuardedOrigin.Call<T> call) {
    var answer = new CompletableFuture<T>();
    callers.execute(
        () -> {
          try {
            answer.complete(pace.make(() -> guard.call(what, call)));
          } catch (EleyException | RuntimeException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  /**
   * Makes no more than one call at a time from now on, or as many as there are threads.
   *
   * @param held whether reads that tasks wait for are held
   */
  public void hold(boolean held) {
    pace.slow(held);
  }

  /** The moment from which on a client is told what is, not what was before. */
  public long now() {
    return clock.getAsLong();
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

  private static long later(long one, long other) {
    return one - other > 0 ? one : other;
  }

  /** Notifies the listener of changed attributes, before they replace the old ones. */
  private OriginStatus notice(OriginStatus status) {
    OriginStatus before = last(status.path());
    if (before != null && !before.version().equals(status.version())) {
      changed.accept(status);
    }
    return status;
  }

  private @Nullable OriginStatus last(String path) {
    OriginStatus alone = statuses.last(path);
    Listed listed = alone == null ? listings.last(OriginPaths.parent(path)) : null;
    return listed == null ? alone : listed.child(path);
  }

  /**
   * Attributes of a file or directory.
   *
   * @param opening the file is about to be read, or must exist, so the origin must be asked; one
   *     that has gone is forgotten, with what was below it
   * @return fails with an {@link io.eley.bb.api.error.EleyException}
   */
  public CompletableFuture<OriginStatus> stat(String path, boolean opening) {
    if (!opening) {
      return stat(path, statuses.fromEver());
    }
    CompletableFuture<OriginStatus> now = stat(path, statuses.fromNow());
    return last(path) == null
        ? now
        : now.whenComplete(
            (found, failure) -> {
              if (isNotFound(failure)) {
                forget(path);
              }
            });
  }

  private static boolean isNotFound(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof EleyException ours && ours.code() == ErrorCode.NOT_FOUND;
  }

  /**
   * The same as it was at a moment or later.
   *
   * @param since on the clock of {@link #now}
   */
  CompletableFuture<OriginStatus> stat(String path, long since) {
    Listed listed = listings.known(OriginPaths.parent(path), since);
    if (listed == null) {
      return statuses.ask(path, since);
    }
    long newest = later(since, listed.taken());
    OriginStatus child = statuses.knows(path, newest) ? null : listed.child(path);
    // A file that is not in the listing is not what an older status says.
    return child == null ? statuses.ask(path, newest) : CompletableFuture.completedFuture(child);
  }

  /**
   * The children of a directory in the order of their paths. A listing that is known is good for as
   * long as the directory itself is unchanged, which the origin is asked each time, after the
   * question: so a listing shows what has been written into the directory before it was asked for,
   * by whomever, and many listings cost one and a stat for each. Where directories do not tell of
   * their children, each question is a listing.
   */
  public CompletableFuture<List<OriginStatus>> list(String path) {
    return list(path, listings.fromEver());
  }

  /**
   * The same with children as they were at a moment or later: the directory does not change with
   * the length of a file.
   *
   * @param since on the clock of {@link #now}
   */
  CompletableFuture<List<OriginStatus>> list(String path, long since) {
    Listed known = listings.last(path);
    CompletableFuture<Listed> listed =
        known == null || !known.settled
            ? listings.ask(path, listings.fromNow())
            : directories
                .ask(path, directories.fromNow())
                .thenCompose(
                    now -> listings.ask(path, known.holds(now) ? since : listings.fromNow()));
    return listed.thenApply(Listed::children);
  }

  /**
   * The same for who has seen the listing's first children already: goes on in the last listing
   * that was made, without a call to the origin.
   */
  public CompletableFuture<List<OriginStatus>> listOn(String path) {
    Listed made = latest;
    Listed kept = listings.last(path);
    Listed known = made != null && made.isOf(path) ? made.orNewer(kept) : kept;
    return known == null ? list(path) : CompletableFuture.completedFuture(known.children());
  }

  private Listed list(Origin origin, String path) throws EleyException {
    long taken = clock.getAsLong();
    long takenMillis = System.currentTimeMillis();
    OriginStatus directory = origin.stat(path);
    boolean settled = origin.directoriesTellOfChildren() && settled(directory, taken, takenMillis);
    List<OriginStatus> children = origin.list(path);
    pace.count(1 + children.size());
    var listed = new Listed(directory, taken, settled, children);
    noteMade(path, listed);
    return listed;
  }

  /**
   * Whether a directory that is changed from then on looks changed. Its times are those of the
   * origin's clock, which ticks: one that was changed just before may be changed again within the
   * same tick, and looks unchanged then. That clock is another one than ours; so whether a change
   * is older than a tick only ours tells, from when the directory was seen first as it is.
   */
  private boolean settled(OriginStatus directory, long then, long thenMillis) {
    long changed =
        Math.max(
            directory.modifiedMillis(),
            TimeUnit.NANOSECONDS.toMillis(directory.stamp().changedNanos()));
    return thenMillis - changed > CLOCKS_DIFFER_MILLIS
        || then - noteSeen(directory).at > TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
  }

  /** Of each directory the version that was seen last is noted, with when it was seen first. */
  private Seen noteSeen(OriginStatus directory) {
    synchronized (seen) {
      Seen known = seen.get(directory.path());
      if (known == null || !known.version.equals(directory.version())) {
        known = new Seen(directory.version(), clock.getAsLong());
        seen.put(directory.path(), known);
      }
      return known;
    }
  }

  /**
   * Of two of one directory the one that began later is the latest, whatever ended between them.
   */
  private void noteMade(String path, Listed listed) {
    synchronized (begun) {
      Long known = begun.get(path);
      if (known == null || known - listed.taken <= 0) {
        begun.put(path, listed.taken);
        latest = listed;
      }
    }
  }

  /**
   * Notes that the origin was changed at the path: forgets it, what is below it, and what is above
   * it, since parents may have come into being with it.
   */
  public void forget(String path) {
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
