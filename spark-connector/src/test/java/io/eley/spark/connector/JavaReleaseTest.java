package io.eley.spark.connector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JavaReleaseTest {
  @ParameterizedTest
  @CsvSource({"1.8, 8", "11, 11", "17, 17", "25, 25"})
  void releasesAreCountedAsPeopleDo(String specification, int release) {
    assertThat(JavaRelease.number(specification)).isEqualTo(release);
  }

  @Test
  void anOldJvmIsToldInOneLineWhatIsNeeded() {
    assertThat(JavaRelease.refusal("bb://", "11"))
        .isEqualTo("bb:// needs Java 17 or newer; this is Java 11");
  }

  @Test
  void thisJvmIsNewEnough() {
    assertThat(JavaRelease.sufficesFor("a test")).isTrue();
  }
}
