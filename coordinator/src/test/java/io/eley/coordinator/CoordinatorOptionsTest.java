package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.Settings;
import io.eley.prefetcher.control.DemandPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CoordinatorOptionsTest {
  private static Settings settings(String... more) {
    var values =
        new HashMap<>(Map.of("eley.coordinator.directory", "/d", "eley.coordinator.origin", "/o"));
    for (int i = 0; i < more.length; i += 2) {
      values.put(more[i], more[i + 1]);
    }
    return Settings.of(values);
  }

  @Test
  void defaultsAreThoseOfTheKeys() {
    var options = CoordinatorOptions.from(settings());

    assertThat(options)
        .isEqualTo(
            new CoordinatorOptions(
                Path.of("/d"),
                "/o",
                BufferMode.FULL_DELAY,
                BlockGeometry.DEFAULT,
                "0.0.0.0",
                0,
                "",
                new CoordinatorOptions.Http(true, 0),
                new CoordinatorOptions.Members(Duration.ofSeconds(3), Duration.ofSeconds(30)),
                new CoordinatorOptions.Holding(
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(1),
                    Duration.ofMillis(200),
                    DemandPolicy.WAIT,
                    Duration.ofSeconds(60),
                    16 << 20),
                SignalOptions.from(Settings.of(Map.of())),
                new CoordinatorOptions.Planning(1, 64 << 10),
                new CoordinatorOptions.Metadata(
                    Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(30))));
  }

  @Test
  void everyKeyReachesTheOptions() {
    for (var key : CoordinatorKeys.all()) {
      String other =
          switch (key.name()) {
            case "eley.mode" -> "NoAction";
            case "eley.block.size" -> "32m";
            case "eley.chunk.size" -> "2m";
            case "eley.coordinator.port", "eley.http.port", "eley.window.waves" -> "7";
            case "eley.http" -> "false";
            case "eley.hold.demand" -> "pass";
            case "eley.window.overrun" -> "7k";
            case "eley.coordinator.directory" -> "/elsewhere";
            case "eley.coordinator.origin",
                "eley.coordinator.listen.host",
                "eley.coordinator.advertised.host" ->
                "elsewhere";
            case "eley.permit.renewal" -> "50ms";
            default -> "123ms";
          };
      // The renewal fits the shortest time to live that is tried.
      var base = settings("eley.permit.renewal", "60ms");
      var changed = settings("eley.permit.renewal", "60ms", key.name(), other);
      assertThat(CoordinatorOptions.from(changed))
          .as(key.name())
          .isNotEqualTo(CoordinatorOptions.from(base));
    }
  }

  @Test
  void whatIsMissingOrImpossibleIsNamed() {
    assertThatThrownBy(() -> CoordinatorOptions.from(Settings.of(Map.of())))
        .hasMessageContaining("eley.coordinator.directory");
    assertThatThrownBy(() -> CoordinatorOptions.from(settings("eley.permit.renewal", "1500ms")))
        .hasMessageContaining("eley.permit.renewal")
        .hasMessageContaining("eley.permit.ttl");
    assertThatThrownBy(() -> CoordinatorOptions.from(settings("eley.block.size", "10k")))
        .hasMessageContaining("block size");
  }
}
