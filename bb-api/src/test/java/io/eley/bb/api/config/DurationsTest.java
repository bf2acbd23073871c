package io.eley.bb.api.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "1ms, PT0.001S",
    "' 90 s ', PT90S",
    "60m, PT1H",
    "24h, PT24H",
    "999999999999ms, PT277777H46M39.999S",
    "999999999999h, PT999999999999H"
  })
  void unitsAreMillisecondsSecondsMinutesAndHours(String text, Duration duration) {
    assertThat(Durations.parse(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1000000000000ms", "1d", "1S", "1.5s", "1s2", "ms", "+1s", "1 m s", "1us"})
  void otherFormsAreToldWhichThereAre(String text) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not a duration: '" + text + "' (write for example 500ms, 2s, 5m or 1h)");
  }
}
