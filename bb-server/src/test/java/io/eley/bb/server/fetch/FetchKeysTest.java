package io.eley.bb.server.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.HoldKeys;
import io.eley.bb.api.config.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FetchKeysTest {
  @Test
  void haveTheDefaultsOfTheDocumentation() {
    var none = Settings.of(Map.of());
    assertThat(FetchOptions.from(none))
        .isEqualTo(new FetchOptions(4, 8, Duration.ofSeconds(30), 16));
    assertThat(none.get(HoldKeys.DELAY_MAX)).isEqualTo(Duration.ofSeconds(60));
    assertThat(none.get(HoldKeys.CAPPED_RATE)).isEqualTo(DataSize.parse("16m"));
    assertThat(FetchKeys.all()).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  void areReadFromSettings() {
    var settings =
        Settings.of(
            Map.of(
                "eley.fetch.concurrency", "9",
                "eley.fetch.deadline", "5s",
                "eley.fetch.hung-calls-max", "2"));
    assertThat(FetchOptions.from(settings))
        .isEqualTo(new FetchOptions(9, 9, Duration.ofSeconds(5), 2));
  }

  @Test
  void everyKeyReachesTheOptions() {
    var others =
        Map.of(
            "eley.fetch.concurrency-max", "9",
            "eley.fetch.deadline", "5s",
            "eley.fetch.hung-calls-max", "2");
    assertThat(FetchKeys.all())
        .extracting(ConfigKey::name)
        .containsExactlyInAnyOrderElementsOf(others.keySet());
    others.forEach(
        (key, other) ->
            assertThat(FetchOptions.from(Settings.of(Map.of(key, other))))
                .as(key)
                .isNotEqualTo(FetchOptions.from(Settings.NONE)));
  }

  @Test
  void refuseValuesOutOfBoundsByName() {
    assertThatThrownBy(() -> FetchOptions.from(Settings.of(Map.of("eley.fetch.concurrency", "0"))))
        .hasMessageContaining("eley.fetch.concurrency=0");
  }
}
