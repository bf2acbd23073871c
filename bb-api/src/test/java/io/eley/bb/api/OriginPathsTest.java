package io.eley.bb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OriginPathsTest {
  @ParameterizedTest
  @CsvSource({"/,/", "/a//b/,/a/b", "/a/./b/../c,/a/c", "/a/..,/"})
  void normalises(String path, String expected) {
    assertThat(OriginPaths.normalise(path)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "/..", "/a/../../b", "/a\0b"})
  void refusesWhatLeavesTheOriginOrIsNoPath(String path) {
    assertThatThrownBy(() -> OriginPaths.normalise(path))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whateverIsAcceptedStaysBelowTheRoot() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    var random = new Random(seed);
    String[] parts = {"a", "..", ".", "", "b c", "ü"};
    int accepted = 0;
    for (int i = 0; i < 5000; i++) {
      var path = new StringBuilder();
      for (int n = random.nextInt(6); n >= 0; n--) {
        path.append('/').append(parts[random.nextInt(parts.length)]);
      }
      try {
        String normal = OriginPaths.normalise(path.toString());
        OriginPaths.requireNormalised(normal);
        Path root = Path.of("/root");
        assertThat(root.resolve(normal.substring(1)).normalize())
            .as("seed %s, %s", seed, path)
            .startsWithRaw(root);
        accepted++;
      } catch (IllegalArgumentException e) {
        assertThat(path.toString()).as("seed %s", seed).contains("..");
      }
    }
    assertThat(accepted).isGreaterThan(1000);
  }
}
