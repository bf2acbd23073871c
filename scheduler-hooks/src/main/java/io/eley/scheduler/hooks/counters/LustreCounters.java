package io.eley.scheduler.hooks.counters;

import io.eley.bb.api.RecentMap;
import io.eley.scheduler.hooks.signal.ByteCounts;
import io.eley.scheduler.hooks.signal.SignalException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Lustre's {@code job_stats} and {@code stats} ({@code obdfilter.*}, {@code llite.*}): {@code
 * read_bytes} and {@code write_bytes}, be it {@code read_bytes: { samples: 2, unit: bytes, min:
 * 4096, max: 8192, sum: 12288 }} or {@code read_bytes 2 samples [bytes] 4096 8192 12288}.
 *
 * <p>A job's entry expires when it has been idle ({@code job_cleanup_interval}) and begins at 0
 * when the job comes back, so the sum over a target's entries falls and rises by terabytes that
 * nobody moves. Each entry is therefore compared with itself, and what all have moved is added up:
 * the points of a target never fall. An entry that is missing is remembered, because a listing that
 * changes while it is read may leave one out.
 *
 * <p>For one thread.
 */
final class LustreCounters {
  /**
   * Remembered entries; the one that was listed longest ago is forgotten first. As many may be
   * listed: more would be forgotten between two looks, and taken for new ones each time.
   */
  static final int ENTRIES_MAX = 100_000;

  /**
   * A counter that is new, or smaller than it was, has begun at 0 since the last look; more than so
   * much was not moved meanwhile by one job on one target, and then it is not that.
   */
  private static final long PLAUSIBLE = 64L << 30;

  /** One job on one target; the job is empty in {@code stats}. */
  private record Entry(String target, String job) {}

  private final Map<Entry, Long> entries = new RecentMap<>(ENTRIES_MAX);

  /** How many jobs a target listed last, and its point. */
  private record Target(int jobs, long total) {}

  private final Map<String, Target> targets = new HashMap<>();

  /** The point of a target: what its first listing held, and what was moved since. */
  List<CounterPoint> read(String target, String text) throws SignalException {
    Map<String, Long> jobs = parse(target, text);
    Target last = targets.get(target);
    requireRoom(jobs.size() - (last == null ? 0 : last.jobs));
    boolean first = last == null;
    long total = last == null ? 0 : last.total;
    for (var job : jobs.entrySet()) {
      Long before = entries.put(new Entry(target, job.getKey()), job.getValue());
      long moved = first ? job.getValue() : moved(before == null ? Long.MAX_VALUE : before, job);
      total = ByteCounts.sum(total, moved);
    }
    targets.put(target, new Target(jobs.size(), total));
    return List.of(new CounterPoint(target, total));
  }

  private void requireRoom(int more) throws SignalException {
    if (targets.values().stream().mapToInt(Target::jobs).sum() + more > ENTRIES_MAX) {
      throw SignalException.failed(
          "Lustre's targets list more than "
              + ENTRIES_MAX
              + " jobs; a shorter job_cleanup_interval"
              + " lets fewer stay");
    }
  }

  private static long moved(long before, Map.Entry<String, Long> job) {
    long now = job.getValue();
    if (now >= before) {
      return now - before;
    }
    return now <= PLAUSIBLE ? now : 0;
  }

  /** Bytes read and written by each job that is listed. */
  private static Map<String, Long> parse(String target, String text) throws SignalException {
    var jobs = new LinkedHashMap<String, Long>();
    String job = "";
    for (Iterator<String> lines = text.lines().iterator(); lines.hasNext(); ) {
      String line = lines.next().strip();
      if (line.startsWith("- job_id:")) {
        job = line.substring("- job_id:".length()).strip();
        jobs.putIfAbsent(job, 0L);
      } else if (line.startsWith("read_bytes") || line.startsWith("write_bytes")) {
        jobs.merge(job, sum(line), ByteCounts::sum);
      }
    }
    // A server that nobody has read from or written to lists neither.
    if (jobs.isEmpty() && !text.contains("snapshot_time") && !text.contains("job_stats")) {
      throw SignalException.failed("this is no text of Lustre's statistics: " + target);
    }
    return jobs;
  }

  private static long sum(String line) throws SignalException {
    int sum = line.indexOf("sum:");
    String number =
        sum >= 0
            ? line.substring(sum + 4).strip().split("[^0-9]", 2)[0]
            : word(line.split("\\s+", -1), 6);
    try {
      return ByteCounts.parse(number);
    } catch (NumberFormatException e) {
      String shown = line.length() > 80 ? line.substring(0, 80) + "…" : line;
      throw SignalException.failed(String.format(Locale.ROOT, "not a counter: '%s'", shown));
    }
  }

  private static String word(String[] words, int index) {
    return index < words.length ? words[index] : "";
  }
}
