package io.eley.system.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.ConfigKey;
import io.eley.spark.connector.shuffle.ShuffleKeys;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The keys of the shuffle; {@code ShuffleTest} shows what they do. */
class ShuffleKeysTest {
  @Test
  void everyKeyReachesAJobOfShuffleTest() {
    assertThat(ShuffleKeys.all())
        .extracting(ConfigKey::name)
        .isEqualTo(List.of("eley.shuffle.copies", "eley.shuffle.silence"));
  }
}
