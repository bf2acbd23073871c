package io.eley.controller.predict;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * One way to predict the next onset: a distance from something that has happened, as it was the
 * last {@value #KEPT} times. Not thread-safe.
 */
final class Track {
  private static final int KEPT = 32;

  private final Deque<Long> distances = new ArrayDeque<>();

  void add(long nanos) {
    distances.add(nanos);
    if (distances.size() > KEPT) {
      distances.remove();
    }
  }

  int count() {
    return distances.size();
  }

  long median() {
    long[] sorted = sorted();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /**
   * How much earlier than the median the onset may be: the most that was seen, and a little more.
   */
  long early() {
    long[] sorted = sorted();
    return widened(median() - sorted[0]);
  }

  long late() {
    long[] sorted = sorted();
    return widened(sorted[sorted.length - 1] - median());
  }

  /** Widens an estimate that is based on few distances. */
  private long widened(long nanos) {
    return (long) (nanos * (1 + 2.0 / distances.size()));
  }

  /** The largest distance that was seen. */
  long most() {
    return distances.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** How uncertain it is, in nanoseconds. */
  long spread() {
    return early() + late();
  }

  private long[] sorted() {
    long[] sorted = distances.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }
}
