package io.eley.controller.predict;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What an application has moved, interval by interval; the newest {@value #KEPT} intervals. Not
 * thread-safe.
 */
final class ActivitySeries {
  private static final int KEPT = 8192;

  private record Interval(long from, long to, double weight) {}

  private final Deque<Interval> intervals = new ArrayDeque<>();

  /**
   * Adds an interval.
   *
   * @param weight bytes, or anything that is in proportion to them
   */
  void add(long from, long to, double weight) {
    if (weight > 0) {
      intervals.add(new Interval(from, to, weight));
      if (intervals.size() > KEPT) {
        intervals.remove();
      }
    }
  }

  boolean isEmpty() {
    return intervals.isEmpty();
  }

  /**
   * The series in bins of equal length, each interval spread evenly over the bins that it touches.
   */
  double[] bins(long from, long to, long binNanos) {
    double[] bins = new double[(int) Math.max(0, (to - from) / binNanos)];
    for (Interval each : intervals) {
      double perNano = each.weight / Math.max(1, each.to - each.from);
      long first = Math.max(0, (each.from - from) / binNanos);
      long last = Math.min(bins.length - 1, (each.to - 1 - from) / binNanos);
      for (long bin = first; bin <= last; bin++) {
        long begin = Math.max(each.from, from + bin * binNanos);
        long end = Math.min(Math.max(each.to, each.from + 1), from + (bin + 1) * binNanos);
        bins[(int) bin] += Math.max(0, end - begin) * perNano;
      }
    }
    return bins;
  }
}
