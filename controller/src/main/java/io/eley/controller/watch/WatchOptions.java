package io.eley.controller.watch;

import io.eley.bb.api.config.Settings;
import io.eley.controller.phase.ForeignBytes;
import io.eley.controller.phase.PhaseFusion;
import io.eley.controller.phase.PhaseThresholds;
import io.eley.controller.predict.PredictionOptions;
import io.eley.controller.sense.CarrierSense;
import java.time.Duration;

/**
 * How phases are watched.
 *
 * @param thresholds when bytes are a phase
 * @param prediction how phases are predicted
 * @param reads whether our own reads are a source, see {@link CarrierSense}
 * @param leastConfidence phases of a lower confidence are shown, but not held for; 0 to 1
 * @param slack see {@link ForeignBytes}
 * @param patience see {@link ForeignBytes} and {@link PhaseFusion}
 */
public record WatchOptions(
    PhaseThresholds thresholds,
    PredictionOptions prediction,
    boolean reads,
    double leastConfidence,
    Duration slack,
    Duration patience) {
  private static final Duration SLACK = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** What holds when nothing is configured: the defaults of {@link WatchKeys}. */
  public static final WatchOptions DEFAULT = from(Settings.NONE);

  /** The same, but our own reads tell nothing: nodes that do not report how long theirs take. */
  public WatchOptions withoutReads() {
    return new WatchOptions(thresholds, prediction, false, leastConfidence, slack, patience);
  }

  /**
   * The values of {@link WatchKeys}.
   *
   * @throws IllegalArgumentException in one line for the operator, naming the key
   */
  public static WatchOptions from(Settings settings) {
    return new WatchOptions(
        new PhaseThresholds(
            settings.get(WatchKeys.THRESHOLD).bytes(),
            settings.get(WatchKeys.QUIET),
            settings.get(WatchKeys.LOST_HOLD)),
        new PredictionOptions(
            settings.get(WatchKeys.PREDICT),
            settings.get(WatchKeys.PREDICT_GUARD),
            PredictionOptions.DEFAULT.leastCycles(),
            PredictionOptions.DEFAULT.leastConfidence()),
        settings.get(WatchKeys.READS),
        settings.get(WatchKeys.CONFIDENCE),
        SLACK,
        PATIENCE);
  }
}
