package io.eley.scheduler.hooks.counters;

import io.eley.scheduler.hooks.signal.SignalException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads what {@code pvfs2-perf-mon-example -m MOUNT} prints (OrangeFS 2.10): a block a server, a
 * line a counter, a column a moment. {@code flow reads} and {@code flow writes} are bytes since the
 * server's start; {@code timestep} is each column's time in milliseconds, modulo 2³². The first
 * column is the newest, the others go from the oldest on; a column of a server that runs for less
 * than the history is zero.
 */
public final class PerfMon {
  private static final long WRAP = 1L << 32;

  private PerfMon() {}

  /** The points of the last print of each server. */
  public static List<CounterPoint> parse(String text) throws SignalException {
    var last = new LinkedHashMap<String, List<CounterPoint>>();
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
        case "timestep" -> last.put(server, points(server, reads, writes, numbers(line, colon)));
        default -> {
          // another counter
        }
      }
    }
    var points = last.values().stream().flatMap(List::stream).toList();
    if (points.isEmpty()) {
      throw SignalException.failed("the performance monitor printed no counters");
    }
    return points;
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
      return Optional.of(Long.parseUnsignedLong(word));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static List<CounterPoint> points(
      String server, List<Long> reads, List<Long> writes, List<Long> times) {
    if (reads.size() != times.size() || writes.size() != times.size() || times.isEmpty()) {
      return List.of(); // cut off in the middle of a line
    }
    long newest = times.get(0);
    var points = new ArrayList<CounterPoint>();
    for (int i = 0; i < times.size(); i++) {
      int column = (i + 1) % times.size();
      if (times.get(column) != 0) {
        long age = Math.floorMod(newest - times.get(column), WRAP);
        points.add(new CounterPoint(server, age, reads.get(column) + writes.get(column)));
      }
    }
    points.sort(java.util.Comparator.comparingLong(CounterPoint::ageMillis).reversed());
    return points;
  }
}
