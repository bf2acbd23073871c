package io.eley.laboratory;

/**
 * A step of an experiment that is to come.
 *
 * @param kind steps of one kind take about as long
 * @param seconds thought of before any of them has ended; more than zero
 */
public record PlannedStep(String kind, double seconds) {
  public PlannedStep {
    if (!(seconds > 0)) {
      throw new IllegalArgumentException("a step takes time");
    }
  }
}
