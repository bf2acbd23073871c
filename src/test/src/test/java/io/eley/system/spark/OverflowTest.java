package io.eley.system.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.server.node.NodeServer;
import io.eley.system.Deployments;
import io.eley.system.SparkHomes;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.SparkApplication;
import io.eley.workloads.SparkCluster;
import io.eley.workloads.SparkClusterOptions;
import io.eley.workloads.SparkSubmission;
import io.eley.workloads.WorkloadResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Shuffles larger than the buffer's RAM ({@code LargeShuffle} of the connector's tests): what finds
 * no room there lies on a disk, and Spark's service hands it out from both.
 */
@Tag("spark")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OverflowTest {
  private static final long MIB = 1 << 20;

  private Path temp;
  private LinkedSparkHome home;
  private SparkCluster cluster;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    temp = directory;
    Files.createDirectory(temp.resolve("origin"));
    home = SparkHomes.newest();
    cluster = SparkCluster.start(SparkClusterOptions.small(home, temp.resolve("cluster")));
  }

  @AfterAll
  void end() {
    cluster.close();
  }

  /** By the service, and from the files that lie on the reader's host. */
  @ParameterizedTest(name = "files of the host: {0}")
  @ValueSource(booleans = {false, true})
  void aShuffleOfSeveralTimesTheRamHasItsRows(boolean hostLocal) throws Exception {
    Path own = Files.createDirectory(temp.resolve("several-" + hostLocal));
    Path disk = own.resolve("disk");
    try (var deployment = deployment(own, disk, "200m")) {
      NodeServer node = deployment.startNode("a", "16m");
      WorkloadResult result = run(own, deployment, hostLocal, "12", "4000", "1024", "4");

      assertRows(result, 48_000);
      var scratch = node.counters().scratch();
      assertThat(result.inputBytes()).isGreaterThan(46 * MIB);
      assertThat(scratch.outputs()).as("every map task's").isEqualTo(12);
      assertThat(scratch.overflow().outputs()).as("3 of 4 MiB in RAM").isBetween(9L, 10L);
      assertThat(scratch.refused()).isZero();
      assertNothingLeft(node, disk);
    }
  }

  /** Takes 7 GiB of disk and some minutes. */
  @Test
  @Timeout(1200)
  @EnabledIfSystemProperty(named = "eley.test.large", matches = "true")
  void aPartitionAboveTwoGibibytesHasItsRows() throws Exception {
    Path own = Files.createDirectory(temp.resolve("large"));
    Path disk = own.resolve("disk");
    try (var deployment = deployment(own, disk, "3g")) {
      NodeServer node = deployment.startNode("a", "16m");
      WorkloadResult result = run(own, deployment, false, "1", "70000", "32768", "1");

      assertRows(result, 70_000);
      assertThat(result.inputBytes()).isGreaterThan(2048 * MIB);
      assertThat(node.counters().scratch().overflow().outputs()).isEqualTo(1);
      assertNothingLeft(node, disk);
    }
  }

  private static void assertRows(WorkloadResult result, int rows) {
    String[] both = result.digest().split(" ");
    assertThat(both).hasSize(2);
    assertThat(both[0]).startsWith("(" + rows + ",").isEqualTo(both[1]);
  }

  /** When the driver has ended. */
  private static void assertNothingLeft(NodeServer node, Path disk) throws Exception {
    await()
        .untilAsserted(
            () -> {
              assertThat(node.counters().scratch().bytes()).isZero();
              assertThat(node.counters().scratch().overflow().bytes()).isZero();
              assertThat(disk.resolve("scratch").toFile().list()).isEmpty();
            });
  }

  private Deployments deployment(Path own, Path disk, String size) throws Exception {
    return new Deployments(
        own,
        temp.resolve("origin").toString(),
        BufferMode.NO_ACTION,
        "eley.node.spark-home",
        home.directory().toString(),
        "eley.node.overflow.directory",
        disk.toString(),
        "eley.node.overflow.size",
        size);
  }

  private WorkloadResult run(
      Path own, Deployments deployment, boolean hostLocal, String... arguments) throws Exception {
    Path connector = Deployments.connectorJar();
    Path programs = Path.of(System.getProperty("eley.root"), "spark-connector/target/test-classes");
    var application =
        new SparkApplication(
            "io.eley.spark.connector.features.LargeShuffle",
            connector,
            List.of(arguments),
            Map.ofEntries(
                Map.entry(
                    "spark.shuffle.manager", "io.eley.spark.connector.shuffle.EleyShuffleManager"),
                Map.entry("spark.shuffle.readHostLocalDisk", Boolean.toString(hostLocal)),
                Map.entry(
                    "spark.hadoop.eley.deployment", deployment.deploymentDirectory().toString()),
                // On a busy machine nobody falls silent: the outputs are counted.
                Map.entry("spark.hadoop.eley.client.connect-timeout", "20s"),
                Map.entry("spark.hadoop.eley.client.silence", "20s"),
                Map.entry("spark.plugins", "io.eley.spark.connector.plan.EleyPlugin"),
                Map.entry("spark.executor.extraJavaOptions", home.quickExecutorOptions())),
            List.of(connector, programs),
            Duration.ofMinutes(15));
    try (var submission =
        SparkSubmission.start(cluster, application, own.resolve("run"), (done, total) -> {})) {
      return submission.await();
    }
  }
}
