package io.eley.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObservedDeploymentTest {
  @TempDir private Path directory;

  @Test
  void whereNoNodeRunsNoneIsKilled() {
    try (var observed = new ObservedDeployment(null, directory, directory, report -> {})) {
      assertThat(observed.killANode()).isFalse();
    }
  }
}
