package io.eley.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The events of one run in time, for the charts. All times are seconds since the run's zero.
 *
 * @param zeroEpochMillis the run's zero
 * @param seconds length of the run
 * @param map the map phase; empty without Spark
 * @param tasks of the map phase
 * @param waves of the map phase
 * @param binSeconds width of one entry of the traffic series
 * @param ours bytes per bin that we read, by cause
 * @param hpc bytes per bin of the HPC application
 * @param closedPermits when at least one node's prefetch permit was closed, as the nodes reported
 *     to the coordinator
 */
public record RunTimeline(
    long zeroEpochMillis,
    double seconds,
    List<Span> map,
    List<Task> tasks,
    List<Span> waves,
    double binSeconds,
    Map<String, List<Long>> ours,
    List<Long> hpc,
    List<Span> closedPermits) {
  public RunTimeline {
    map = List.copyOf(map);
    tasks = List.copyOf(tasks);
    waves = List.copyOf(waves);
    // Sorted, so that the same run gives the same file.
    ours = java.util.Collections.unmodifiableMap(new TreeMap<>(ours));
    hpc = List.copyOf(hpc);
    closedPermits = List.copyOf(closedPermits);
  }

  /** An interval. */
  public record Span(double start, double end) {
    public double length() {
      return end - start;
    }

    /** Seconds that both intervals have in common. */
    public double overlap(Span other) {
      return Math.max(0, Math.min(end, other.end) - Math.max(start, other.start));
    }
  }

  /**
   * A task of the map phase.
   *
   * @param wave counted from zero
   * @param host of its executor
   */
  public record Task(double start, double end, int wave, String host) {}

  /**
   * Numbers tasks by wave: the first {@code slots} tasks to be launched are wave 0, the next wave
   * 1, and so on. Spark has no barrier between waves, so waves overlap where tasks differ.
   *
   * @param tasks their wave is ignored
   */
  public static List<Task> numbered(List<Task> tasks, int slots) {
    var sorted = new ArrayList<>(tasks);
    sorted.sort(Comparator.comparingDouble(Task::start).thenComparing(Task::host));
    var numbered = new ArrayList<Task>(sorted.size());
    for (int i = 0; i < sorted.size(); i++) {
      var task = sorted.get(i);
      numbered.add(new Task(task.start, task.end, i / slots, task.host));
    }
    return numbered;
  }

  /** First launch to last end of each wave. */
  public static List<Span> waves(List<Task> numbered) {
    var waves = new TreeMap<Integer, Span>();
    for (var task : numbered) {
      waves.merge(
          task.wave,
          new Span(task.start, task.end),
          (a, b) -> new Span(Math.min(a.start, b.start), Math.max(a.end, b.end)));
    }
    return List.copyOf(waves.values());
  }

  /** Counts bytes in bins of equal width. */
  static final class Bins {
    private final double width;
    private final long[] bytes;

    Bins(double width, double seconds) {
      this.width = width;
      this.bytes = new long[Math.max(1, (int) Math.ceil(seconds / width))];
    }

    /** Adds what lies inside the run; the rest is not on the chart. */
    void add(double at, long count) {
      int bin = (int) Math.floor(at / width);
      if (bin >= 0 && bin < bytes.length) {
        bytes[bin] += count;
      }
    }

    List<Long> toList() {
      return Arrays.stream(bytes).boxed().toList();
    }
  }
}
