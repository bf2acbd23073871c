package io.eley.bb.server.fetch;

import io.eley.bb.api.ReadTime;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * How many reads are under way, on average over any stretch of time. Safe for several threads.
 * Times are nanoseconds of {@link System#nanoTime}.
 */
final class LoadMeter {
  private final Set<Begin> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private int underWay;
  private double area;
  private long at;

  /** A read's begin. */
  record Begin(long at, int bytes, double area) {}

  /** A read of so many bytes begins. */
  synchronized Begin begin(int bytes, long now) {
    advance(now);
    underWay++;
    var begin = new Begin(now, bytes, area);
    open.add(begin);
    return begin;
  }

  /** The reads that are under way, and how long they have taken by now. */
  synchronized List<ReadTime> underWay(long now) {
    advance(now);
    return open.stream()
        .map(b -> new ReadTime(0, Math.max(0, now - b.at), b.bytes, mean(b)))
        .toList();
  }

  /**
   * A read is over.
   *
   * @return how many were under way meanwhile, at least 1
   */
  synchronized double end(Begin begin, long now) {
    advance(now);
    double mean = mean(begin);
    underWay--;
    open.remove(begin);
    return mean;
  }

  /**
   * Over as long as the area is, which another thread with a later clock may have taken further.
   */
  private double mean(Begin begin) {
    long nanos = at - begin.at;
    return Math.max(1, nanos == 0 ? underWay : (area - begin.area) / nanos);
  }

  private void advance(long now) {
    area += underWay * (double) Math.max(0, now - at);
    at = Math.max(at, now);
    if (underWay == 0) {
      at = now;
      area = 0; // so that sums stay small and exact
    }
  }
}
