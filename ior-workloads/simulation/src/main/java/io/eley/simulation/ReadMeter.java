package io.eley.simulation;

import io.eley.bb.api.ReadTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How long a node's reads of the origin take, and how many of them are under way meanwhile. */
final class ReadMeter {
  private final Map<Long, Begin> open = new LinkedHashMap<>();
  private long numbers;
  private double area;
  private long at;

  private record Begin(long at, int bytes, double area) {}

  /** A read begins; returns its number. */
  long begin(int bytes, long now) {
    advance(now);
    open.put(++numbers, new Begin(now, bytes, area));
    return numbers;
  }

  /** A read is over. */
  List<ReadTime> end(long number, long now) {
    advance(now);
    Begin begin = open.get(number);
    var time = begin == null ? List.<ReadTime>of() : List.of(time(begin, now));
    open.remove(number);
    return time;
  }

  /** The reads that are under way, and how long they have taken by now. */
  List<ReadTime> underWay(long now) {
    advance(now);
    return open.values().stream().map(begin -> time(begin, now)).toList();
  }

  private ReadTime time(Begin begin, long now) {
    long took = now - begin.at();
    double mean = took == 0 ? open.size() : (area - begin.area()) / took;
    return new ReadTime(0, took, begin.bytes(), Math.max(1, mean));
  }

  private void advance(long now) {
    area += open.size() * (double) (now - at);
    at = now;
  }
}
