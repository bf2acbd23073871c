package io.eley.spark.connector.plan;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The footers of the files that were asked for last, one for each version of a file: stages of a
 * query, and its columns, share them. One that is still read is in it, too, so a file is read once.
 * Failures are forgotten. Safe for several threads.
 */
final class FooterCache {
  private final long most;
  private final Map<ColumnarFile, CompletableFuture<Footer>> footers =
      new LinkedHashMap<>(16, 0.75f, true);

  /** Of those whose weight is counted: one may be done before it is. */
  private final Map<ColumnarFile, Long> weights = new HashMap<>();

  private long weight;

  /**
   * An empty cache.
   *
   * @param most the sum of {@link Footer#weight} that it holds, in bytes
   */
  FooterCache(long most) {
    this.most = most;
  }

  /**
   * The footer of this version of the file; {@code read} begins to read it when it is not there.
   */
  CompletableFuture<Footer> get(
      ColumnarFile file, Function<ColumnarFile, CompletableFuture<Footer>> read) {
    CompletableFuture<Footer> begun;
    synchronized (this) {
      var known = footers.get(file);
      if (known != null) {
        return known;
      }
      begun = read.apply(file);
      footers.put(file, begun);
    }
    return settled(file, begun);
  }

  /** The same footer, complete after the cache has noted it. */
  private CompletableFuture<Footer> settled(ColumnarFile file, CompletableFuture<Footer> begun) {
    return begun.whenComplete((footer, failure) -> settle(file, begun));
  }

  private synchronized void settle(ColumnarFile file, CompletableFuture<Footer> done) {
    if (footers.get(file) != done) {
      return;
    }
    if (done.isCompletedExceptionally()) {
      footers.remove(file);
      return;
    }
    long own = done.join().weight();
    weights.put(file, own);
    weight += own;
    var eldest = footers.keySet().iterator();
    while (weight > most && eldest.hasNext()) {
      Long counted = weights.remove(eldest.next());
      if (counted != null) {
        weight -= counted;
        eldest.remove();
      }
    }
  }

  synchronized int files() {
    return footers.size();
  }
}
