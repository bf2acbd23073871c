package io.eley.engine.alluxio;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AlluxioKeysTest {
  @Test
  void ourOwnNodesAreTheDefault() {
    assertThat(AlluxioNode.isMeant(Settings.NONE)).isFalse();
    assertThat(AlluxioNode.isMeant(Settings.of(Map.of("eley.alluxio.master", "m:1")))).isTrue();
    assertThat(AlluxioEngine.Options.from(Settings.NONE).life()).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void everyKeyReachesTheOptions() {
    var others =
        Map.of(
            "eley.alluxio.master", "m:1",
            "eley.alluxio.client", "/lib/client/*",
            "eley.alluxio.worker", "w:1",
            "eley.alluxio.life", "5s");
    assertThat(AlluxioKeys.all())
        .extracting(ConfigKey::name)
        .containsExactlyInAnyOrderElementsOf(others.keySet());
    others.forEach(
        (key, other) ->
            assertThat(AlluxioEngine.Options.from(Settings.of(Map.of(key, other))))
                .as(key)
                .isNotEqualTo(AlluxioEngine.Options.from(Settings.NONE)));
  }
}
