package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeploymentPlanTest {
  private static DeploymentPlan plan(int nodes, int port, Map<String, String> settings) {
    return new DeploymentPlan(
        "/mnt/pfs",
        nodes,
        DataSize.ofMebibytes(16),
        BufferMode.NAIVE_BB,
        BlockGeometry.DEFAULT,
        Path.of("/dev/shm"),
        "127.0.0.1",
        port,
        settings);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, --nodes", "65, 0, --nodes", "1, -1, --port", "1, 65536, --port"})
  void whatMakesNoSenseIsRefusedByItsOption(int nodes, int port, String option) {
    assertThatThrownBy(() -> plan(nodes, port, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(option + " must be ");
  }

  @Test
  void aSettingOfSomebodyElseIsRefused() {
    assertThatThrownBy(() -> plan(1, 0, Map.of("spark.master", "local")))
        .hasMessageContaining("not a configuration key of Eley: spark.master");
  }

  @Test
  void settingsAreThePlansOwn() {
    var settings = new HashMap<>(Map.of("eley.delay.max", "1s"));
    var plan = plan(64, 65535, settings);
    settings.clear();
    assertThat(plan.settings()).containsOnlyKeys("eley.delay.max");
  }

  @Test
  void aProgramOfThisJvmHasItsJavaClassPathAndHeap() {
    List<String> command =
        Program.ofThisJvm("a.Main").command("node", 512, List.of("-D", "eley.x=1"));
    assertThat(command)
        .contains("-Xmx512m", System.getProperty("java.class.path"))
        .endsWith("a.Main", "node", "-D", "eley.x=1");
    assertThat(command.get(0)).isEqualTo(System.getProperty("java.home") + "/bin/java");
  }

  @Test
  void supervisionSaysWhoOutlivesWhom() {
    assertThat(Supervision.outlivingUs().detached()).isTrue();
    assertThat(Supervision.endingWithUs().detached()).isFalse();
  }
}
