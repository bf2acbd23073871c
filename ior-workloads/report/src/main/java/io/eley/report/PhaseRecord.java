package io.eley.report;

import java.util.Objects;

/**
 * One I/O phase of the HPC application.
 *
 * @param startSeconds since the run's zero
 * @param seconds how long it took
 * @param aloneSeconds what the same phase takes when the application is alone: the mean of that
 *     run, in an experiment the median of its application's
 * @param ourBytes origin bytes we read inside it
 * @param lateBytes the part of {@code ourBytes} after the permits were to be closed
 * @param duringMap whether at least half of it fell into the map phase (true for a run without one)
 * @param application its name; empty where there is only one
 */
public record PhaseRecord(
    double startSeconds,
    double seconds,
    double aloneSeconds,
    long ourBytes,
    long lateBytes,
    boolean duringMap,
    String application) {
  public PhaseRecord {
    // Reports of before there were several applications have no name here.
    application = Objects.requireNonNullElse(application, "");
  }

  /** A phase of the only application. */
  public PhaseRecord(
      double startSeconds,
      double seconds,
      double aloneSeconds,
      long ourBytes,
      long lateBytes,
      boolean duringMap) {
    this(startSeconds, seconds, aloneSeconds, ourBytes, lateBytes, duringMap, "");
  }

  /** How much longer than alone, as a ratio: 0.03 is three per cent. */
  public double slowdown() {
    return aloneSeconds > 0 ? seconds / aloneSeconds - 1 : 0;
  }
}
