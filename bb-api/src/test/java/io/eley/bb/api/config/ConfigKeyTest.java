package io.eley.bb.api.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigKeyTest {
  private static final ConfigKey<Integer> INTEGER = ConfigKey.integer("k", 3, -2, 5, "An int.");
  private static final ConfigKey<Double> DECIMAL =
      ConfigKey.decimal("k", "0.5", -0.25, 1.5, "A number.");
  private static final ConfigKey<DataSize> SIZE = ConfigKey.size("k", "2k", "1k", "1m", "A size.");
  private static final ConfigKey<Duration> DURATION =
      ConfigKey.duration("k", "2s", "10ms", "1m", "A time.");
  private static final ConfigKey<Boolean> FLAG = ConfigKey.flag("k", true, "A switch.");

  @ParameterizedTest
  @CsvSource({"-2, -2", "5, 5", "' 0 ', 0", "+4, 4"})
  void integersAreTakenUpToTheirBounds(String text, int value) {
    assertThat(INTEGER.parse(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-3", "6", "2147483647"})
  void integersOutOfBoundsNameKeyValueAndBounds(String text) {
    outOfBounds(INTEGER, text, "-2 to 5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0", "2147483648", "", "0x1", "1k"})
  void whatIsNoIntegerNamesKeyValueAndForm(String text) {
    noValue(INTEGER, text, "-2 to 5");
  }

  @ParameterizedTest
  @CsvSource({"-0.25, -0.25", "1.5, 1.5", "1, 1", "1e-3, 0.001"})
  void decimalsAreTakenUpToTheirBounds(String text, double value) {
    assertThat(DECIMAL.parse(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-0.2501", "1.5001", "NaN", "Infinity", "-Infinity"})
  void decimalsOutOfBoundsAreRefusedAndSoIsWhatIsNoNumber(String text) {
    outOfBounds(DECIMAL, text, "-0.25 to 1.5");
  }

  @ParameterizedTest
  @CsvSource({"1k, 1024", "1024, 1024", "1m, 1048576", "1024k, 1048576"})
  void sizesAreTakenUpToTheirBounds(String text, long bytes) {
    assertThat(SIZE.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1023", "1048577", "2m", "0"})
  void sizesOutOfBoundsNameKeyValueAndBounds(String text) {
    outOfBounds(SIZE, text, "size, 1k to 1m");
  }

  @ParameterizedTest
  @CsvSource({"10ms, PT0.01S", "60s, PT1M", "1m, PT1M"})
  void durationsAreTakenUpToTheirBounds(String text, Duration value) {
    assertThat(DURATION.parse(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"9ms", "60001ms", "1h", "0s"})
  void durationsOutOfBoundsNameKeyValueAndBounds(String text) {
    outOfBounds(DURATION, text, "duration, 10ms to 1m");
  }

  @ParameterizedTest
  @ValueSource(strings = {"True", "yes", "1", "", "truefalse"})
  void aFlagIsTrueOrFalseAndNothingElse(String text) {
    assertThat(FLAG.parse("true")).isTrue();
    assertThat(FLAG.parse(" false ")).isFalse();
    noValue(FLAG, text, "true or false");
  }

  @Test
  void modesAndChoicesComeByTheirWords() {
    var mode = ConfigKey.mode("k", BufferMode.FULL_DELAY, "A mode.");
    assertThat(mode.parse(mode.defaultText())).isEqualTo(BufferMode.FULL_DELAY);
    assertThat(mode.parse("naivebb")).isEqualTo(BufferMode.NAIVE_BB);
    noValue(mode, "Hope", "NaiveBB, NoAction, FullDelay or Adaptive");
    for (var each : BufferMode.values()) {
      assertThat(mode.form()).contains(each.label());
    }
    var choice = ConfigKey.choice("k", "DEMAND", "a cause", "A cause.", ReadCause::valueOf);
    assertThat(choice.parse(" PREFETCH")).isEqualTo(ReadCause.PREFETCH);
    noValue(choice, "HOPE", "a cause");
  }

  @Test
  void textIsTakenWithoutTheBlanksAroundIt() {
    var key = ConfigKey.text("k", " d ", "A text.");
    assertThat(key.parse("  a b ")).isEqualTo("a b");
    assertThat(key.parse(" ")).isEmpty();
    assertThat(Settings.of(Map.of()).get(key)).isEqualTo("d");
  }

  @Test
  void aKeyKeepsItsDefaultInTheFormThatUsersWrite() {
    assertThat(
            List.of(INTEGER, DECIMAL, SIZE, DURATION, FLAG).stream()
                .map(ConfigKey::defaultText)
                .toList())
        .containsExactly("3", "0.5", "2k", "2s", "true");
  }

  @Test
  void aValueThatIsSetComesBeforeTheDefault() {
    var settings = Settings.of(Map.of("k", "5", "other", "-2"));
    assertThat(settings.get(INTEGER)).isEqualTo(5);
    assertThat(settings.has(INTEGER)).isTrue();
    assertThat(Settings.of(Map.of("other", "4")).get(INTEGER)).isEqualTo(3);
    assertThat(Settings.of(Map.of("other", "4")).has(INTEGER)).isFalse();
  }

  @Test
  void anEmptyValueIsAValueAndNotTheDefault() {
    var key = ConfigKey.text("k", "default", "A text.");
    var settings = Settings.of(Map.of("k", ""));
    assertThat(settings.has(key)).isTrue();
    assertThat(settings.get(key)).isEmpty();
  }

  @Test
  void settingsOfAMapDoNotSeeWhatBecomesOfItLater() {
    var values = new HashMap<>(Map.of("k", "1"));
    var settings = Settings.of(values);
    values.put("k", "2");
    assertThat(settings.get(INTEGER)).isEqualTo(1);
  }

  @Test
  void settingsOfAFunctionAskItEachTime() {
    var asked = new HashMap<String, String>();
    Settings settings = Settings.from((@Nullable String name) -> asked.get(name), warning -> {});
    assertThat(settings.has(INTEGER)).isFalse();
    assertThat(settings.get(INTEGER)).isEqualTo(3);
    asked.put("k", "4");
    assertThat(settings.has(INTEGER)).isTrue();
    assertThat(settings.get(INTEGER)).isEqualTo(4);
  }

  @Test
  void theHoldOfADeploymentIsWhatTheDocumentationSays() {
    var settings = Settings.of(Map.of());
    assertThat(settings.get(HoldKeys.DELAY_MAX)).isEqualTo(Duration.ofSeconds(60));
    assertThat(settings.get(HoldKeys.CAPPED_RATE)).isEqualTo(DataSize.ofMebibytes(16));
    assertThat(settings.get(HoldKeys.FETCHERS)).isEqualTo(4);
    assertThat(HoldKeys.DELAY_MAX.parse("0ms")).isZero();
    assertThat(HoldKeys.FETCHERS.parse("256")).isEqualTo(256);
    outOfBounds(HoldKeys.FETCHERS, "257", "1 to 256");
    outOfBounds(HoldKeys.FETCHERS, "0", "1 to 256");
    outOfBounds(HoldKeys.CAPPED_RATE, "4095", "size, 4k to 1t");
    assertThat(HoldKeys.all())
        .extracting(ConfigKey::name)
        .containsExactly("eley.delay.max", "eley.delay.capped-rate", "eley.fetch.concurrency");
  }

  private static void outOfBounds(ConfigKey<?> key, String text, String form) {
    assertThatThrownBy(() -> key.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(key.name() + "=" + text + ": out of bounds, must be " + form);
  }

  private static void noValue(ConfigKey<?> key, String text, String form) {
    assertThatThrownBy(() -> key.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(key.name() + "=" + text + ": not a value of the form: " + form)
        .hasCauseInstanceOf(IllegalArgumentException.class);
  }
}
