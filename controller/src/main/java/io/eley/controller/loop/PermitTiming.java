package io.eley.controller.loop;

import io.eley.bb.api.config.Settings;
import java.time.Duration;

/**
 * When permits lapse, and how long answers to them may take.
 *
 * @param timeToLive of a permit
 * @param renewal between two permits, at most half of {@code timeToLive}
 * @param confirmation how long the announcement of a phase waits for the nodes to confirm
 * @param silence a node that left a permit unanswered for so long has left
 */
public record PermitTiming(
    Duration timeToLive, Duration renewal, Duration confirmation, Duration silence) {
  /** The timing when nothing is configured. */
  public static final PermitTiming DEFAULT = from(Settings.NONE);

  public PermitTiming {
    if (renewal.multipliedBy(2).compareTo(timeToLive) > 0) {
      throw new IllegalArgumentException(
          ControlKeys.PERMIT_RENEWAL.name()
              + " ("
              + renewal.toMillis()
              + " ms) must be at most half of "
              + ControlKeys.PERMIT_TTL.name()
              + " ("
              + timeToLive.toMillis()
              + " ms), or one late renewal stops prefetching");
    }
  }

  /**
   * The values of {@link ControlKeys}.
   *
   * @throws IllegalArgumentException in one line for the operator, naming the keys
   */
  public static PermitTiming from(Settings settings) {
    return new PermitTiming(
        settings.get(ControlKeys.PERMIT_TTL),
        settings.get(ControlKeys.PERMIT_RENEWAL),
        settings.get(ControlKeys.HOLD_CONFIRMATION),
        settings.get(ControlKeys.HEARTBEAT_TIMEOUT));
  }
}
