package io.eley.controller.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.Settings;
import io.eley.controller.phase.PhaseThresholds;
import io.eley.controller.predict.PredictionOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Each key reaches the option that it is for. */
class WatchOptionsTest {
  private record Case(
      ConfigKey<?> key, String value, Function<WatchOptions, Object> option, Object expected) {}

  private static final List<Case> CASES =
      List.of(
          new Case(WatchKeys.THRESHOLD, "7k", o -> o.thresholds().openBytesPerSecond(), 7.0 * 1024),
          new Case(WatchKeys.QUIET, "123ms", o -> o.thresholds().quiet(), Duration.ofMillis(123)),
          new Case(
              WatchKeys.LOST_HOLD, "3s", o -> o.thresholds().lostHold(), Duration.ofSeconds(3)),
          new Case(WatchKeys.CONFIDENCE, "0.7", WatchOptions::leastConfidence, 0.7),
          new Case(WatchKeys.READS, "false", WatchOptions::reads, false),
          new Case(WatchKeys.PREDICT, "false", o -> o.prediction().enabled(), false),
          new Case(
              WatchKeys.PREDICT_GUARD,
              "250ms",
              o -> o.prediction().guard(),
              Duration.ofMillis(250)));

  @Test
  void eachKeyReachesItsOptionAlone() {
    for (Case each : CASES) {
      var changed = WatchOptions.from(Settings.of(Map.of(each.key.name(), each.value)));
      assertThat(each.option.apply(changed)).as(each.key.name()).isEqualTo(each.expected);
      for (Case other : CASES) {
        if (!other.equals(each)) {
          assertThat(other.option.apply(changed))
              .as("%s does not change %s", each.key.name(), other.key.name())
              .isEqualTo(other.option.apply(WatchOptions.DEFAULT));
        }
      }
    }
  }

  @Test
  void noKeyIsLeftOut() {
    assertThat(CASES.stream().<ConfigKey<?>>map(Case::key).toList())
        .containsExactlyElementsOf(WatchKeys.all());
  }

  @Test
  void withoutSettingsTheDefaultsHold() {
    assertThat(WatchOptions.DEFAULT)
        .isEqualTo(
            new WatchOptions(
                new PhaseThresholds(4 << 20, Duration.ofMillis(750), Duration.ofSeconds(10)),
                PredictionOptions.DEFAULT,
                true,
                0.2,
                Duration.ofMillis(100),
                Duration.ofSeconds(1)));
  }

  @Test
  void aConfidenceOutsideItsBoundsNamesItsKey() {
    assertThatThrownBy(
            () -> WatchOptions.from(Settings.of(Map.of("eley.signal.confidence", "1.1"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("eley.signal.confidence=1.1");
  }
}
