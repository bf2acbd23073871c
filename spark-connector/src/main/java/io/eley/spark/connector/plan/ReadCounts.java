package io.eley.spark.connector.plan;

import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.spark.connector.fs.SharedClients;
import io.eley.spark.connector.ui.ReadAccount;
import java.util.Arrays;

/**
 * What an executor has read by source since this was made, on its way to the driver: an application
 * before it in the same JVM has counted its own. Spark's messages between plugins are any object;
 * arrays of the JDK's need no class of ours to be loaded.
 */
final class ReadCounts {
  private static final String WORD = "eley-read-counts";

  private final long[] before = ofAll();
  private long[] told = new long[before.length];

  private static long[] ofAll() {
    return Arrays.stream(Source.values()).mapToLong(SharedClients::bytes).toArray();
  }

  /** What is to be told now; null when nothing was read since. For several threads. */
  synchronized Object @org.jspecify.annotations.Nullable [] news(String executor) {
    long[] now = ofAll();
    Arrays.setAll(now, source -> now[source] - before[source]);
    if (Arrays.equals(now, told)) {
      return null;
    }
    told = now;
    return new Object[] {WORD, executor, now};
  }

  /** Notes a message of {@link #news}; returns whether it is one. */
  static boolean take(Object message, ReadAccount account) {
    if (message instanceof Object[] parts
        && parts.length == 3
        && WORD.equals(parts[0])
        && parts[1] instanceof String executor
        && parts[2] instanceof long[] bytes) {
      account.noteExecutor(executor, bytes);
      return true;
    }
    return false;
  }
}
