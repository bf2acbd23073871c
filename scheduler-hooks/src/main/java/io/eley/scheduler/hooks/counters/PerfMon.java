package io.eley.scheduler.hooks.counters;

import io.eley.scheduler.hooks.signal.ByteCounts;
import io.eley.scheduler.hooks.signal.SignalException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads what {@code pvfs2-perf-mon-example -m MOUNT} prints (OrangeFS 2.10): a block a server, a
 * line a counter, a column a stretch of time. {@code flow reads} and {@code flow writes} are bytes
 * since the server's start.
 *
 * <p>Only the first column is used. It is the newest, and its value that of the look itself, while
 * {@code timestep} is when its stretch <em>began</em> (OrangeFS, {@code pint-perf-counter.c},
 * {@code start_time_ms}), up to a second before. The other columns are older stretches, cut anew by
 * each look of anybody, so they would give each value a time that is wrong by a stretch.
 */
public final class PerfMon {
  private PerfMon() {}

  /** Each server's two counters at the moment of its last print. */
  public static List<CounterPoint> parse(String text) throws SignalException {
    var last = new LinkedHashMap<String, CounterPoint>();
    String server = "";
    List<Long> reads = List.of();
    List<Long> writes = List.of();
    for (String line : text.lines().toList()) {
      int colon = line.indexOf(':');
      String label = colon < 0 ? "" : line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
      switch (label) {
        case "server" -> {
          server = line.substring(colon + 1).strip();
          reads = List.of();
          writes = List.of();
        }
        case "flow reads" -> reads = numbers(line, colon);
        case "flow writes" -> writes = numbers(line, colon);
        case "timestep" -> {
          // The last line of a block: with it the lines before are whole.
          if (!reads.isEmpty() && !writes.isEmpty()) {
            put(last, server + " reads", reads.get(0));
            put(last, server + " writes", writes.get(0));
          }
        }
        default -> {
          // another counter
        }
      }
    }
    if (last.isEmpty()) {
      throw SignalException.failed("the performance monitor printed no counters");
    }
    return List.copyOf(last.values());
  }

  private static void put(Map<String, CounterPoint> last, String counter, long bytes) {
    last.put(counter, new CounterPoint(counter, bytes));
  }

  private static List<Long> numbers(String line, int colon) {
    var numbers = new ArrayList<Long>();
    for (String word : line.substring(colon + 1).strip().split("\\s+", -1)) {
      number(word).ifPresent(numbers::add);
    }
    return numbers;
  }

  private static Optional<Long> number(String word) {
    try {
      return Optional.of(ByteCounts.parse(word));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
