package io.eley.controller.predict;

import java.time.Duration;

/**
 * How phases are predicted.
 *
 * @param enabled whether at all
 * @param guard added before and after what the past says: the time that a hold takes to reach the
 *     nodes and a chunk to arrive
 * @param leastCycles phases with their pauses that must have been seen before there is a forecast
 * @param leastConfidence below it there is no forecast, 0 to 1
 */
public record PredictionOptions(
    boolean enabled, Duration guard, int leastCycles, double leastConfidence) {
  public PredictionOptions {
    if (guard.isNegative() || leastCycles < 1) {
      throw new IllegalArgumentException("no prediction: " + guard + ", " + leastCycles);
    }
  }

  /** Prediction with a guard of 100 ms, after three cycles, from a confidence of 0.5 on. */
  public static final PredictionOptions DEFAULT =
      new PredictionOptions(true, Duration.ofMillis(100), 3, 0.5);
}
