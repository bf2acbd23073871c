package io.eley.coordinator.phases;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where deployments share what Slurm has told one of them, and when they do not. */
class SharedPlaceTest {
  private static final String HOME = "/home/alice/.eley/neighbours";

  @Test
  void jobsOfAClusterShareBesideWhatTheyMove() {
    assertThat(Signals.sharedAnswers(HOME, Map.of("SLURM_CLUSTER_NAME", "hpc-1.site")))
        .contains(Path.of(HOME, "slurm-hpc-1.site"));
  }

  @Test
  void outsideAJobOrWithoutADirectoryNothingIsShared() {
    assertThat(Signals.sharedAnswers(HOME, Map.of())).isEmpty();
    assertThat(Signals.sharedAnswers("", Map.of("SLURM_CLUSTER_NAME", "hpc"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "../hpc", "a/b", "a b", "-"})
  void aNameThatIsNoneOfAClusterSharesNothing(String name) {
    assertThat(Signals.sharedAnswers(HOME, Map.of("SLURM_CLUSTER_NAME", name))).isEmpty();
  }
}
