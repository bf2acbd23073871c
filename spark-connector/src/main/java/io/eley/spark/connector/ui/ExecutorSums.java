package io.eley.spark.connector.ui;

import java.util.HashMap;
import java.util.Map;

/**
 * Figures that each executor tells again and again as they are since its start, and their sums over
 * all executors, also those that are gone. A figure never falls: reports may be lost, come twice or
 * overtake each other. Safe for several threads; nobody waits.
 */
public final class ExecutorSums {
  /** An executor more than these is not counted: their names are theirs to choose. */
  private static final int MOST_EXECUTORS = 100_000;

  private final int figures;
  private final Map<String, long[]> executors = new HashMap<>();

  /** Sums of so many figures. */
  public ExecutorSums(int figures) {
    this.figures = figures;
  }

  /** Notes what an executor tells; it is ignored when it has another number of figures. */
  public synchronized void note(String executor, long[] told) {
    if (told.length != figures
        || (executors.size() >= MOST_EXECUTORS && !executors.containsKey(executor))) {
      return;
    }
    long[] most = executors.computeIfAbsent(executor, e -> new long[figures]);
    for (int i = 0; i < figures; i++) {
      most[i] = Math.max(most[i], told[i]);
    }
  }

  /** The sum of each figure. */
  public synchronized long[] all() {
    var sums = new long[figures];
    for (long[] of : executors.values()) {
      for (int i = 0; i < figures; i++) {
        sums[i] += of[i];
      }
    }
    return sums;
  }
}
