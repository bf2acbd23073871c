package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.wire.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The verbs that are processes of a deployment, where they cannot start; and phases. */
@Timeout(60)
class ProcessVerbsTest {
  @TempDir private Path temp;

  @Test
  void aCoordinatorWithoutAnOriginEndsInOneLine() {
    Eley run =
        Eley.run(
            "coordinator",
            "-D",
            "eley.coordinator.directory=" + temp.resolve("d"),
            "-D",
            "eley.coordinator.origin=" + temp.resolve("none"));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).startsWith("eley: ").contains(temp.resolve("none").toString());
  }

  @Test
  void aValueThatMakesNoSenseIsSaidWithItsKey() throws Exception {
    Secret.create(new DeploymentFiles(temp).secret());
    Eley coordinator =
        Eley.run(
            "coordinator",
            "-D",
            "eley.coordinator.directory=" + temp,
            "-D",
            "eley.coordinator.origin=" + temp,
            "-D",
            "eley.coordinator.port=many");
    assertThat(coordinator.code()).isEqualTo(1);
    assertThat(coordinator.err()).contains("eley.coordinator.port=many").doesNotContain("\tat ");
    Eley node =
        Eley.run(
            "node",
            "-D",
            "eley.node.directory=" + temp,
            "-D",
            "eley.node.memory=lots",
            "-D",
            "eley.deployment=" + temp);
    assertThat(node.code()).isEqualTo(1);
    assertThat(node.err()).contains("eley.node.memory=lots");
  }

  @Test
  void aSettingWithoutAValueIsBadUsage() {
    assertThat(Eley.run("coordinator", "-D", "eley.coordinator.port").code()).isEqualTo(2);
    assertThat(Eley.run("node", "-D").code()).isEqualTo(2);
  }

  @Test
  void aPhaseNeedsALeaseThatIsADuration() {
    Eley run = Eley.run("phase", "run", "-d", temp.toString(), "--lease", "soon", "--", "true");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("not a duration: 'soon'");
  }

  @Test
  void aCommandWithoutADeploymentRunsOnceAndItsCodeIsOurs() throws Exception {
    Path ran = temp.resolve("ran");
    Eley run =
        Eley.run(
            "phase",
            "run",
            "-d",
            temp.toString(),
            "--",
            "sh",
            "-c",
            "echo x >>" + ran + "; exit 9");
    assertThat(run.code()).isEqualTo(9);
    assertThat(Files.readAllLines(ran)).containsExactly("x");
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains("the phase is not announced, the command runs anyway");
  }

  @Test
  void stoppingWhatDoesNotRunIsFine() {
    Eley run = Eley.run("stop", "-d", temp.toString());
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo("nothing runs in " + temp + "\n");
  }
}
