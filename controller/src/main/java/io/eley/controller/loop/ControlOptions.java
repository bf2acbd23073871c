package io.eley.controller.loop;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.HoldKeys;
import io.eley.bb.api.config.Settings;
import io.eley.controller.watch.WatchOptions;
import io.eley.prefetcher.control.FullDelay;
import io.eley.prefetcher.control.Operator;
import java.time.Duration;

/**
 * The options of a control loop.
 *
 * @param operator that decides
 * @param delayMax see {@link HoldKeys#DELAY_MAX}
 * @param fetchers of a node that fetch at once when nothing limits them
 * @param permits when they lapse
 * @param watch how phases are known
 */
public record ControlOptions(
    Operator operator, Duration delayMax, int fetchers, PermitTiming permits, WatchOptions watch) {
  /**
   * The values of {@link ControlKeys}, {@link HoldKeys} and {@link
   * io.eley.controller.watch.WatchKeys}.
   *
   * @throws IllegalArgumentException in one line for the operator, naming the key
   */
  public static ControlOptions from(Settings settings, BufferMode mode) {
    var delayMax = settings.get(HoldKeys.DELAY_MAX);
    var hold =
        new FullDelay(
            settings.get(ControlKeys.HOLD_DEMAND),
            delayMax,
            settings.get(HoldKeys.CAPPED_RATE).bytes());
    var operator =
        settings
            .get(ControlKeys.OPERATOR)
            .of(
                mode,
                hold,
                settings.get(ControlKeys.MAX_SLOWDOWN),
                settings.get(ControlKeys.SCALE_UP));
    return new ControlOptions(
        operator,
        delayMax,
        settings.get(HoldKeys.FETCHERS),
        PermitTiming.from(settings),
        WatchOptions.from(settings));
  }
}
