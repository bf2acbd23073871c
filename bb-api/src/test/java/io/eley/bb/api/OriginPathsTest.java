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

  @ParameterizedTest
  @ValueSource(strings = {"/", "/a", "/a/b", "/..a", "/a..", "/a/.b", "/.../c", "/a b/ü", "/a\nb"})
  void takesPathsInNormalForm(String path) {
    OriginPaths.requireNormalised(path);
    assertThat(OriginPaths.normalise(path)).isEqualTo(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "a", "a/b", "//", "/a/", "/a//b", "/./a", "/a/./b", "/../a", "/a/../b", "/.", "/..",
        "/a/.", "/a/..", "/a\0b", "/\0"
      })
  void refusesPathsThatAreNotInNormalForm(String path) {
    assertThatThrownBy(() -> OriginPaths.requireNormalised(path))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void pathsHaveUpTo4096Characters() {
    String longest = "/" + "a".repeat(OriginPaths.MAX_LENGTH - 1);
    OriginPaths.requireNormalised(longest);
    assertThat(OriginPaths.normalise(longest)).isEqualTo(longest);
    assertThatThrownBy(() -> OriginPaths.requireNormalised(longest + "a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4096");
    assertThatThrownBy(() -> OriginPaths.normalise(longest + "a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4096");
  }

  @ParameterizedTest
  @CsvSource({"/a/b/c,/a/b", "/a/b,/a", "/a,/", "/,/"})
  void theParentIsWhatIsBeforeTheLastName(String path, String parent) {
    assertThat(OriginPaths.parent(path)).isEqualTo(parent);
  }

  @Test
  void aPathIsInNormalFormExactlyWhenNormalisingChangesNothing() {
    var random = Seed.random("the paths");
    int normal = 0;
    for (int i = 0; i < 10_000; i++) {
      var path = new StringBuilder();
      for (int n = 1 + random.nextInt(7); n > 0; n--) {
        path.append("//..ab".charAt(random.nextInt(6)));
      }
      String text = path.toString();
      boolean unchanged = text.equals(normaliseOrEmpty(text));
      boolean accepted = accepted(text);
      assertThat(accepted).as(text).isEqualTo(unchanged);
      normal += accepted ? 1 : 0;
    }
    assertThat(normal).isGreaterThan(500);
  }

  private static String normaliseOrEmpty(String path) {
    try {
      return OriginPaths.normalise(path);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private static boolean accepted(String path) {
    try {
      OriginPaths.requireNormalised(path);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
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
