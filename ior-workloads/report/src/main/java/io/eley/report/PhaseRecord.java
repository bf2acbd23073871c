package io.eley.report;

/**
 * One I/O phase of the HPC application.
 *
 * @param startSeconds since the run's zero
 * @param seconds how long it took
 * @param aloneSeconds what the same phase takes when the application is alone: the mean of that run
 * @param ourBytes origin bytes we read inside it
 * @param lateBytes the part of {@code ourBytes} after the permits were to be closed
 * @param duringMap whether at least half of it fell into the map phase (true for a run without one)
 */
public record PhaseRecord(
    double startSeconds,
    double seconds,
    double aloneSeconds,
    long ourBytes,
    long lateBytes,
    boolean duringMap) {

  /** How much longer than alone, as a ratio: 0.03 is three per cent. */
  public double slowdown() {
    return aloneSeconds > 0 ? seconds / aloneSeconds - 1 : 0;
  }
}
