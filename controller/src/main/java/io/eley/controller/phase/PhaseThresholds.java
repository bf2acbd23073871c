package io.eley.controller.phase;

import java.time.Duration;

/**
 * When bytes are a phase.
 *
 * @param openBytesPerSecond at least so much opens one, positive
 * @param quiet so long below half of it closes one
 * @param lostHold how long a phase is taken to be open after its source was lost: rather too long,
 *     for HPC goes first
 */
public record PhaseThresholds(double openBytesPerSecond, Duration quiet, Duration lostHold) {
  public PhaseThresholds {
    if (!(openBytesPerSecond > 0) || quiet.isNegative() || lostHold.isNegative()) {
      throw new IllegalArgumentException("no thresholds: " + openBytesPerSecond + ", " + quiet);
    }
  }

  double closeBytesPerSecond() {
    return openBytesPerSecond / 2;
  }
}
