package io.eley.controller.phase;

import java.time.Duration;

/**
 * Thresholds by which bytes count as a phase.
 *
 * @param openBytesPerSecond a rate of at least this opens a phase, positive
 * @param quiet a rate below half of the threshold for this long closes the phase
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
