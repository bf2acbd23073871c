package io.eley.ior;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * One task's clock readings of one phase, in nanoseconds of {@link System#nanoTime}, which on Linux
 * is one clock for all processes of a machine (clock_gettime(2), CLOCK_MONOTONIC).
 *
 * @param openStart before opening
 * @param openEnd after it
 * @param transferStart before the first transfer
 * @param transferEnd after the last one, and the sync when there is one
 * @param closeStart before closing
 * @param closeEnd after it
 * @param busy sum over transfers of their durations
 * @param transfers how many
 */
record TaskTimes(
    long openStart,
    long openEnd,
    long transferStart,
    long transferEnd,
    long closeStart,
    long closeEnd,
    long busy,
    long transfers) {
  private static final int COUNT = 8;

  /** The same with the close's end. */
  TaskTimes closedAt(long reading) {
    return new TaskTimes(
        openStart, openEnd, transferStart, transferEnd, closeStart, reading, busy, transfers);
  }

  /** One line for a pipe. */
  String encode() {
    return LongStream.of(
            openStart, openEnd, transferStart, transferEnd, closeStart, closeEnd, busy, transfers)
        .mapToObj(Long::toString)
        .collect(Collectors.joining(" "));
  }

  /**
   * Reads that line.
   *
   * @throws IllegalArgumentException when it is another
   */
  static TaskTimes decode(String line) {
    long[] n = Arrays.stream(line.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    if (n.length != COUNT) {
      throw new IllegalArgumentException("not a task's times: '" + line + "'");
    }
    return new TaskTimes(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
  }
}
