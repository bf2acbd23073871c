package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.DeploymentFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeploymentDirectoryTest {
  private static final long NOON = 1_800_000_000_000L;
  private static final long DAY = 86_400_000;

  @TempDir private Path temporary;

  @Test
  void theFirstEpochIsTheTimeAndGrowsEvenIfTheClockGoesBack() throws Exception {
    assertThat(firstEpoch(NOON)).isEqualTo(NOON);
    long later = firstEpoch(NOON - DAY);
    assertThat(later).as("beyond all that the first one may have given").isGreaterThan(NOON + 1000);
    assertThat(firstEpoch(NOON - 2 * DAY)).isGreaterThan(later + 1000);
    assertThat(firstEpoch(NOON + DAY)).isEqualTo(NOON + DAY);
  }

  @Test
  void whatCannotBeReadAsAnEpochIsNone() throws Exception {
    firstEpoch(NOON);
    Files.writeString(files().epoch(), "soon");
    assertThat(firstEpoch(NOON + 1)).isEqualTo(NOON + 1);
  }

  @Test
  void aSecondCoordinatorIsRefusedHoweverOftenItTries() throws Exception {
    try (var first = DeploymentDirectory.claim(files().directory())) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> DeploymentDirectory.claim(files().directory()))
            .hasMessageContaining("another coordinator runs on " + first.path());
      }
    }
    DeploymentDirectory.claim(files().directory()).close();
  }

  private long firstEpoch(long nowMillis) throws Exception {
    try (var directory = DeploymentDirectory.claim(files().directory())) {
      return directory.firstEpoch(nowMillis);
    }
  }

  private DeploymentFiles files() {
    return new DeploymentFiles(temporary.resolve("deployment"));
  }
}
