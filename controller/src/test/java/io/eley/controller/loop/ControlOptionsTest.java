package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.HoldKeys;
import io.eley.bb.api.config.Settings;
import io.eley.controller.watch.WatchKeys;
import io.eley.controller.watch.WatchOptions;
import io.eley.prefetcher.control.Chooser;
import io.eley.prefetcher.control.DemandPolicy;
import io.eley.prefetcher.control.FullDelay;
import io.eley.prefetcher.control.NoAction;
import io.eley.prefetcher.control.PartialDelay;
import io.eley.prefetcher.control.ScaleUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Each key reaches the option that it is for, and no other. */
class ControlOptionsTest {
  private static final FullDelay HOLD =
      new FullDelay(DemandPolicy.WAIT, Duration.ofSeconds(60), 16 << 20);

  /** A key, a value of it, where that is to be found, and what is to be found there. */
  private record Case(
      ConfigKey<?> key, String value, Function<ControlOptions, Object> option, Object expected) {}

  private static final List<Case> CASES =
      List.of(
          new Case(
              ControlKeys.HEARTBEAT_TIMEOUT,
              "9s",
              o -> o.permits().silence(),
              Duration.ofSeconds(9)),
          new Case(
              ControlKeys.PERMIT_TTL, "5s", o -> o.permits().timeToLive(), Duration.ofSeconds(5)),
          new Case(
              ControlKeys.PERMIT_RENEWAL,
              "300ms",
              o -> o.permits().renewal(),
              Duration.ofMillis(300)),
          new Case(
              ControlKeys.HOLD_CONFIRMATION,
              "70ms",
              o -> o.permits().confirmation(),
              Duration.ofMillis(70)),
          new Case(
              ControlKeys.HOLD_DEMAND,
              "pass",
              ControlOptions::operator,
              new Chooser(
                  new FullDelay(DemandPolicy.PASS, Duration.ofSeconds(60), 16 << 20), 0.05, 8)),
          new Case(
              ControlKeys.OPERATOR,
              "partial-delay",
              ControlOptions::operator,
              new PartialDelay(HOLD, 0.05)),
          new Case(
              ControlKeys.MAX_SLOWDOWN, "0.3", ControlOptions::operator, new Chooser(HOLD, 0.3, 8)),
          new Case(
              ControlKeys.SCALE_UP, "11", ControlOptions::operator, new Chooser(HOLD, 0.05, 11)),
          new Case(HoldKeys.DELAY_MAX, "7s", ControlOptions::delayMax, Duration.ofSeconds(7)),
          new Case(
              HoldKeys.CAPPED_RATE,
              "1m",
              ControlOptions::operator,
              new Chooser(
                  new FullDelay(DemandPolicy.WAIT, Duration.ofSeconds(60), 1 << 20), 0.05, 8)),
          new Case(HoldKeys.FETCHERS, "13", ControlOptions::fetchers, 13));

  private static ControlOptions options(BufferMode mode, String... settings) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      values.put(settings[i], settings[i + 1]);
    }
    return ControlOptions.from(Settings.of(values), mode);
  }

  @Test
  void eachKeyReachesItsOption() {
    for (Case each : CASES) {
      var options = options(BufferMode.ADAPTIVE, each.key.name(), each.value);
      assertThat(each.option.apply(options)).as(each.key.name()).isEqualTo(each.expected);
      assertThat(each.option.apply(options(BufferMode.ADAPTIVE)))
          .as("%s has another default", each.key.name())
          .isNotEqualTo(each.expected);
    }
  }

  @Test
  void noKeyIsLeftOut() {
    var keys = new ArrayList<ConfigKey<?>>(ControlKeys.all());
    keys.addAll(HoldKeys.all());
    assertThat(CASES.stream().<ConfigKey<?>>map(Case::key).toList())
        .containsExactlyInAnyOrderElementsOf(keys);
    assertThat(keys).doesNotHaveDuplicates();
  }

  @Test
  void theDelayReachesTheHoldAsWell() {
    assertThat(options(BufferMode.FULL_DELAY, "eley.delay.max", "7s").operator())
        .isEqualTo(new FullDelay(DemandPolicy.WAIT, Duration.ofSeconds(7), 16 << 20));
  }

  @Test
  void withoutSettingsTheDefaultsHold() {
    assertThat(options(BufferMode.FULL_DELAY))
        .isEqualTo(
            new ControlOptions(
                HOLD, Duration.ofSeconds(60), 4, PermitTiming.DEFAULT, WatchOptions.DEFAULT));
    assertThat(PermitTiming.DEFAULT)
        .isEqualTo(
            new PermitTiming(
                Duration.ofSeconds(2),
                Duration.ofSeconds(1),
                Duration.ofMillis(200),
                Duration.ofSeconds(3)));
  }

  @Test
  void theModeChoosesTheOperator() {
    assertThat(options(BufferMode.NAIVE_BB).operator()).isEqualTo(new NoAction());
    assertThat(options(BufferMode.NO_ACTION).operator()).isEqualTo(new NoAction());
    assertThat(options(BufferMode.FULL_DELAY, "eley.operator", "scale-up").operator())
        .isEqualTo(HOLD);
    assertThat(options(BufferMode.ADAPTIVE, "eley.operator", "scale-up").operator())
        .isEqualTo(new ScaleUp(HOLD, 8));
  }

  @Test
  void watchKeysReachTheWatch() {
    assertThat(
            options(BufferMode.FULL_DELAY, WatchKeys.CONFIDENCE.name(), "0.7")
                .watch()
                .leastConfidence())
        .isEqualTo(0.7);
  }

  @Test
  void aRenewalMayTakeHalfOfTheLifeAndNoMore() {
    var life = Duration.ofSeconds(1);
    var timing = new PermitTiming(life, Duration.ofMillis(500), Duration.ZERO, life);
    assertThat(timing.renewal()).isEqualTo(Duration.ofMillis(500));
    assertThatThrownBy(() -> new PermitTiming(life, Duration.ofMillis(501), Duration.ZERO, life))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("eley.permit.renewal (501 ms)")
        .hasMessageContaining("eley.permit.ttl (1000 ms)");
  }

  @Test
  void aValueThatIsNoneNamesItsKey() {
    assertThatThrownBy(() -> options(BufferMode.ADAPTIVE, "eley.operator", "guess"))
        .hasMessageContaining("eley.operator=guess");
    assertThatThrownBy(() -> options(BufferMode.ADAPTIVE, "eley.hold.demand", "never"))
        .hasMessageContaining("eley.hold.demand=never");
  }
}
