package io.eley.spark.connector.plan;

import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.spark.connector.fs.SharedClients;
import io.eley.spark.connector.shuffle.StayedOutputs;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * What an executor has counted since this was made, on its way to the driver: an application before
 * it in the same JVM has counted its own. All of it is told each time, so that a message that is
 * lost costs nothing once the next one comes. Spark's messages between plugins are any object;
 * arrays of the JDK's need no class of ours to be loaded.
 */
final class ToldCounts {
  private static final String READS = "eley-read-counts";
  private static final String STAYED = "eley-stayed-outputs";

  private final String word;
  private final Supplier<long[]> figures;
  private final long[] before;
  private long[] told;

  private ToldCounts(String word, Supplier<long[]> figures) {
    this.word = word;
    this.figures = figures;
    before = figures.get();
    told = new long[before.length];
  }

  /** Bytes read, in the order of {@link Source}. */
  static ToldCounts ofReads() {
    return new ToldCounts(
        READS, () -> Arrays.stream(Source.values()).mapToLong(SharedClients::bytes).toArray());
  }

  /** Outputs of map tasks that no node has: {@link StayedOutputs}. */
  static ToldCounts ofStayedOutputs() {
    return new ToldCounts(STAYED, StayedOutputs::figures);
  }

  /** What is to be told now; null when nothing was counted since. For several threads. */
  synchronized Object @org.jspecify.annotations.Nullable [] news(String executor) {
    long[] now = figures.get();
    Arrays.setAll(now, figure -> now[figure] - before[figure]);
    if (Arrays.equals(now, told)) {
      return null;
    }
    told = now;
    return new Object[] {word, executor, now};
  }

  /** Notes a message of {@link #ofReads}, by executor; returns whether it is one. */
  static boolean takeReads(Object message, BiConsumer<String, long[]> account) {
    return take(READS, message, account);
  }

  /** The same of {@link #ofStayedOutputs}. */
  static boolean takeStayedOutputs(Object message, BiConsumer<String, long[]> account) {
    return take(STAYED, message, account);
  }

  private static boolean take(String word, Object message, BiConsumer<String, long[]> account) {
    if (message instanceof Object[] parts
        && parts.length == 3
        && word.equals(parts[0])
        && parts[1] instanceof String executor
        && parts[2] instanceof long[] figures) {
      account.accept(executor, figures);
      return true;
    }
    return false;
  }
}
