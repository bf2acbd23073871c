package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import io.eley.local.deployment.DeploymentPlan;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparkLinesTest {
  private static final Path JAR = Path.of("/lib/connector.jar");

  private final StringWriter out = new StringWriter();

  private List<String> lines() {
    return out.toString().lines().toList();
  }

  @Test
  void optionsForSparkSubmitAreToBeCopied() {
    Path deployment = Path.of("/d");
    SparkLines.print(
        new PrintWriter(out),
        deployment,
        "/mnt/pfs",
        SparkSettings.of(deployment, "/mnt/pfs", JAR, false, Map.of()));
    assertThat(lines()).noneMatch(line -> line.contains("shuffle"));
    assertThat(lines())
        .contains(
            "  --conf spark.plugins=io.eley.spark.connector.plan.EleyPlugin \\",
            "  --conf spark.driver.extraClassPath=/lib/connector.jar \\",
            "  --conf spark.executor.extraClassPath=/lib/connector.jar \\",
            "  --conf spark.hadoop.eley.deployment=/d \\",
            "  --conf spark.hadoop.eley.client.origin=/mnt/pfs \\",
            "To read unchanged file:///mnt/pfs/... paths through the buffer too, add:",
            "Watch it with `eley top`, end it with `eley stop` (with --deployment /d).");
  }

  /** Unquoted, zsh and tcsh refuse the star, and each shell splits at the space. */
  @Test
  void whatAShellWouldChangeIsQuoted() {
    var settings =
        Map.of(
            "spark.driver.extraClassPath", "/lib/connector.jar:/lib/origin/*",
            "spark.hadoop.eley.deployment", "/it's/my deployment",
            "spark.hadoop.eley.client.origin", "s3a://bucket/in");
    Path deployment = Path.of("/it's/my deployment");
    SparkLines.print(new PrintWriter(out), deployment, "s3a://bucket/in", settings);
    assertThat(lines())
        .contains(
            "  --conf 'spark.driver.extraClassPath=/lib/connector.jar:/lib/origin/*' \\",
            "  --conf 'spark.hadoop.eley.deployment=/it'\\''s/my deployment' \\",
            "  --conf spark.hadoop.eley.client.origin=s3a://bucket/in \\",
            "Watch it with `eley top`, end it with `eley stop`"
                + " (with --deployment '/it'\\''s/my deployment').");
  }

  @Test
  void theStandardDeploymentNeedsNoOption() {
    Path standard = DeploymentOption.standard().directory();
    SparkLines.print(
        new PrintWriter(out),
        standard,
        "/mnt/pfs",
        SparkSettings.of(standard, "/mnt/pfs", JAR, true, Map.of()));
    assertThat(lines())
        .contains(
            "  --conf spark.shuffle.manager="
                + "io.eley.spark.connector.shuffle.EleyShuffleManager \\");
    assertThat(lines()).contains("Watch it with `eley top`, end it with `eley stop`.");
  }

  /** The last of them as clients keep to it by themselves while no coordinator answers. */
  @ParameterizedTest
  @CsvSource({
    "eley.client.retries, 3",
    "eley.fs.locality, false",
    "eley.shuffle.copies, 2",
    "eley.network.protection, encrypt",
    "eley.delay.max, 10s"
  })
  void whatIsSaidOfClientsReachesThem(String key, String value) {
    assertThat(settings(Map.of())).doesNotContainKey("spark.hadoop." + key);
    assertThat(settings(Map.of(key, value))).containsEntry("spark.hadoop." + key, value);
  }

  @Test
  void whereADeploymentIsItSaysItself() {
    assertThat(settings(Map.of("eley.deployment", "/other", "eley.node.memory", "1g")))
        .containsEntry("spark.hadoop.eley.deployment", "/d")
        .doesNotContainKey("spark.hadoop.eley.node.memory");
  }

  private static Map<String, String> settings(Map<String, String> typed) {
    var plan =
        new DeploymentPlan(
            "/mnt/pfs",
            1,
            DataSize.parse("1g"),
            BufferMode.FULL_DELAY,
            new BlockGeometry(1 << 24, 1 << 20),
            Path.of("/dev/shm"),
            "127.0.0.1",
            0,
            typed);
    return SparkSettings.of(Path.of("/d"), plan, JAR);
  }

  @Test
  void aFileOfDefaultsHasAKeyALine() {
    var given = Map.of("eley.client.read-ahead", "false", "eley.node.memory", "1g");
    SparkLines.defaults(
        new PrintWriter(out), SparkSettings.of(Path.of("/d"), "/mnt/pfs", JAR, false, given));
    assertThat(lines())
        .containsExactly(
            "spark.plugins io.eley.spark.connector.plan.EleyPlugin",
            "spark.driver.extraClassPath /lib/connector.jar",
            "spark.executor.extraClassPath /lib/connector.jar",
            "spark.hadoop.eley.deployment /d",
            "spark.hadoop.eley.client.origin /mnt/pfs",
            "spark.hadoop.eley.client.read-ahead false");
  }
}
