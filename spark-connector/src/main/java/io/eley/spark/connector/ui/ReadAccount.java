package io.eley.spark.connector.ui;

import io.eley.bb.api.client.ClientCounters.Source;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * What the application has read through us, as its executors tell. Safe for several threads; nobody
 * waits.
 */
public final class ReadAccount {
  private final ExecutorSums executors = new ExecutorSums(Source.values().length);
  private long tasks;
  private long waitedNanos;

  /**
   * Sums at one moment.
   *
   * @param tasks that have told
   * @param waitedNanos for which they waited for their input
   * @param bytes by source
   */
  public record Sums(long tasks, long waitedNanos, Map<Source, Long> bytes) {
    public Sums {
      bytes = Map.copyOf(bytes);
    }

    /** Bytes of a source. */
    public long of(Source source) {
      return bytes.getOrDefault(source, 0L);
    }

    /** All bytes. */
    public long read() {
      return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Bytes that were in a node's RAM when they were asked for. */
    public long fromRam() {
      return of(Source.LOCAL_RAM) + of(Source.REMOTE_RAM);
    }
  }

  /** Notes that a task has waited for its reads. */
  public synchronized void noteTask(long nanos) {
    tasks++;
    waitedNanos += nanos;
  }

  /** Notes what an executor has read since its start, in the order of {@link Source}. */
  public void noteExecutor(String executor, long[] bytes) {
    executors.note(executor, bytes);
  }

  /** Everything until now. */
  public synchronized Sums sums() {
    var bytes = new EnumMap<Source, Long>(Source.class);
    long[] all = executors.all();
    int i = 0;
    for (Source source : Source.values()) {
      bytes.put(source, all[i++]);
    }
    return new Sums(tasks, waitedNanos, bytes);
  }

  /**
   * The sentence at the application's end.
   *
   * @param phases that were met, in words; empty when nobody knows
   */
  public String sentence(String phases) {
    Sums sums = sums();
    if (sums.read() == 0) {
      return "nothing was read through Eley";
    }
    return String.format(
            Locale.ROOT,
            "%s were read through Eley, %s (%.0f %%) of them from RAM; %d tasks waited %.1f s for"
                + " their input",
            size(sums.read()),
            size(sums.fromRam()),
            100.0 * sums.fromRam() / sums.read(),
            sums.tasks(),
            sums.waitedNanos() / 1e9)
        + (phases.isEmpty() ? "" : "; " + phases);
  }

  static String size(long bytes) {
    return bytes < 10L << 30
        ? String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20))
        : String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
  }
}
