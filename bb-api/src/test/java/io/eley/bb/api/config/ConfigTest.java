package io.eley.bb.api.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.client.ClientKeys;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "4k, 4096",
    "16m, 16777216",
    "1g, 1073741824",
    "2t, 2199023255552",
    "1M, 1048576"
  })
  void sizesAreInPowersOfTwo(String text, long bytes) {
    assertThat(DataSize.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "k", "-1", "1x", "1.5m", "99999999999t", "m1", "0x10"})
  void whatIsNoSizeIsRefusedByItsText(String text) {
    assertThatThrownBy(() -> DataSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text.strip());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1023, 1024, 1536, 1 << 20, 3L << 30, (1L << 40) + 1})
  void aSizeIsReadBackFromItsText(long bytes) {
    assertThat(DataSize.parse(new DataSize(bytes).toString()).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"10ms, 10", "2s, 2000", "5m, 300000", "1h, 3600000", "0ms, 0"})
  void durationsHaveUnits(String text, long millis) {
    assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "s", "-1s", "soon", "1d2", "99999999999999999999s"})
  void whatIsNoDurationIsRefused(String text) {
    assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  static Stream<ConfigKey<?>> keys() {
    return Stream.of(ClientKeys.all(), HoldKeys.all(), NetworkKeys.all(), OriginKeys.all())
        .flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void everyKeyHasADefaultThatItTakesItself(ConfigKey<?> key) {
    assertThat(key.name()).matches(ConfigKey.GRAMMAR);
    assertThat(Settings.of(Map.of()).get(key)).isNotNull();
  }

  @ParameterizedTest
  @MethodSource("keys")
  void nonsenseIsRefusedWithTheKeysName(ConfigKey<?> key) {
    if (Settings.of(Map.of()).get(key) instanceof String) {
      return; // any text is text
    }
    for (String nonsense : List.of("nonsense", "-5", "99999999999999999999")) {
      assertThatThrownBy(() -> Settings.of(Map.of(key.name(), nonsense)).get(key))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(key.name());
    }
  }

  @Test
  void namesAreUnique() {
    var names = new HashSet<String>();
    assertThat(keys().map(ConfigKey::name)).allMatch(names::add);
  }

  @Test
  void boundsNameTheKeyAndTheLimit() {
    var key = ConfigKey.duration("eley.test", "1s", "100ms", "10s", "A test.");
    for (String outside : List.of("99ms", "11s")) {
      assertThatThrownBy(() -> Settings.of(Map.of("eley.test", outside)).get(key))
          .hasMessageContaining("eley.test")
          .hasMessageContaining(outside);
    }
    assertThat(Settings.of(Map.of("eley.test", "10s")).get(key)).isEqualTo(Duration.ofSeconds(10));
  }
}
