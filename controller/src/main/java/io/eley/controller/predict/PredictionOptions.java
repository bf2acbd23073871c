package io.eley.controller.predict;

import java.time.Duration;

/**
 * How phases are predicted.
 *
 * @param enabled whether at all
 * @param guard added before and after what the past says: what a hold takes to reach the nodes, and
 *     a chunk to arrive
 * @param leastCycles phases with their pauses that must have been seen before anything is said
 * @param leastConfidence below it nothing is said, 0 to 1
 */
public record PredictionOptions(
    boolean enabled, Duration guard, int leastCycles, double leastConfidence) {
  public PredictionOptions {
    if (guard.isNegative() || leastCycles < 1) {
      throw new IllegalArgumentException("no prediction: " + guard + ", " + leastCycles);
    }
  }

  /** On, 100 ms, three cycles, 0.5. */
  public static final PredictionOptions DEFAULT =
      new PredictionOptions(true, Duration.ofMillis(100), 3, 0.5);
}
