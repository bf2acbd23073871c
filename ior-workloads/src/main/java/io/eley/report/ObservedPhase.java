package io.eley.report;

/**
 * One phase as the HPC application logged it, in microseconds since the epoch.
 *
 * @param beginMicros when it announced the phase, or would have: from here on it counts
 * @param closedMicros by when the permits were to be closed: when the announcement was answered
 * @param endMicros when its I/O was over
 */
public record ObservedPhase(long beginMicros, long closedMicros, long endMicros) {
  public ObservedPhase {
    if (closedMicros < beginMicros || endMicros < beginMicros) {
      throw new IllegalArgumentException("a phase that ends before it begins");
    }
  }

  /** How long it took, the wait for the announcement's answer included. */
  public double seconds() {
    return (endMicros - beginMicros) / 1e6;
  }
}
