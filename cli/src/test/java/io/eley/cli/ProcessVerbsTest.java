package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.wire.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  void aBoardThatCannotStartEndsInOneLine() {
    Path none = temp.resolve("none");
    String publish = temp.resolve("board").toString();
    for (var each :
        Map.of(
                List.of("--counters", "file:/x", "--origin", none.toString()),
                "the origin " + none + " does not exist; is it mounted?",
                List.of("--origin", temp.toString()),
                "a board without sources sees nothing: give --slurm, --counters, or both",
                List.of("--counters", "file:/x", "--origin", temp + "", "-D", "eley.no.such=1"),
                "no configuration key is called eley.no.such",
                List.of("--counters", "tape:/x", "--origin", temp + "", "--host", "127.0.0.1"),
                "'tape:/x' names no counters",
                List.of(
                    "--counters", "file:/x", "--origin", temp + "", "-D", "eley.signal.board=/b"),
                "eley.signal.board is for deployments, not for a board")
            .entrySet()) {
      var words = new ArrayList<>(List.of("board", "--publish", publish));
      words.addAll(each.getKey());
      Eley run = Eley.run(words.toArray(String[]::new));
      // A board that has started to look around ends as one that finds nothing.
      boolean missing = each.getValue().matches(".*(does not exist|names no counters).*");
      assertThat(run.code()).as(words.toString()).isEqualTo(missing ? 1 : 2);
      assertThat(run.err().lines()).hasSize(missing ? 1 : 2);
      assertThat(run.err()).startsWith("eley: ").contains(each.getValue());
      assertThat(Path.of(publish, "address")).doesNotExist();
    }
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
    assertThat(coordinator.code()).isEqualTo(2);
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
    assertThat(node.code()).isEqualTo(2);
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
    assertThat(run.code()).isEqualTo(2);
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
    assertThat(run.err()).contains("the phase is not announced yet, the command runs anyway");
  }

  @Test
  void stoppingWhatDoesNotRunIsFine() {
    Eley run = Eley.run("stop", "-d", temp.toString());
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo("nothing runs in " + temp + "\n");
  }
}
