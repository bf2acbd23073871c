package io.eley.report;

/**
 * One phase as the HPC application logged it, in microseconds since the epoch.
 *
 * @param application its name; empty where there is only one
 * @param beginMicros when it began its I/O, announcing the phase without waiting for an answer
 * @param closedMicros by when full delay promises that permits are closed
 * @param endMicros when its I/O was over
 */
public record ObservedPhase(
    String application, long beginMicros, long closedMicros, long endMicros) {
  public ObservedPhase {
    if (closedMicros < beginMicros || endMicros < beginMicros) {
      throw new IllegalArgumentException("a phase that ends before it begins");
    }
  }

  /** A phase of the only application. */
  public ObservedPhase(long beginMicros, long closedMicros, long endMicros) {
    this("", beginMicros, closedMicros, endMicros);
  }

  /** How long it took. */
  public double seconds() {
    return (endMicros - beginMicros) / 1e6;
  }
}
