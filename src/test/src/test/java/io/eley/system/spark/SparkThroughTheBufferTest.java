package io.eley.system.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.system.Deployments;
import io.eley.system.SparkHomes;
import io.eley.system.Turns;
import io.eley.workloads.ApplicationJar;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.RandomTextWriter;
import io.eley.workloads.SparkApplication;
import io.eley.workloads.SparkCluster;
import io.eley.workloads.SparkClusterOptions;
import io.eley.workloads.SparkSubmission;
import io.eley.workloads.Workload;
import io.eley.workloads.WorkloadResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Real Spark, a master and its workers in processes of their own, the newest with two and others
 * with one that has as many slots: every mode gives the same bytes. What a mode is lies in
 * coordinator and nodes, so that the Sparks between the newest and the oldest take turns, with the
 * two that differ most; {@code -Deley.test.all=true} runs all with all. All but the newest are
 * brought the connector as {@code eley start} says, in front of Spark's own jars.
 */
@Tag("spark")
@Timeout(600)
class SparkThroughTheBufferTest {
  private static final int FILES = 2;
  private static final int FILE_BYTES = 8 << 20;
  private static final int SPLIT_BYTES = 1 << 20;
  private static final String OLDEST = "3.5-scala-2.12";

  @TempDir private Path temp;

  static List<String> versions() {
    var versions = new ArrayList<>(List.of(SparkHomes.NEWEST, OLDEST));
    versions.addAll(Turns.of(List.of("4.1", "4.0", "3.5")));
    return versions;
  }

  @ParameterizedTest
  @MethodSource("versions")
  void everyModeComputesTheSame(String version) throws Exception {
    Path origin = Files.createDirectory(temp.resolve("origin"));
    RandomTextWriter.write(
        new RandomTextWriter.Plan(origin.resolve("in"), FILES, FILE_BYTES, 7), 2, bytes -> {});
    boolean newest = version.equals(SparkHomes.NEWEST);
    var home =
        newest
            ? SparkHomes.newest()
            : LinkedSparkHome.create(temp.resolve("home"), SparkHomes.classPath(version));
    var first =
        newest
            ? Map.<String, String>of()
            : Map.of("spark.executor.extraClassPath", Deployments.connectorJar().toString());
    try (var cluster = SparkCluster.start(options(version, home))) {
      Set<String> digests = new LinkedHashSet<>();
      for (BufferMode mode : modes(version)) {
        digests.add(run(cluster, first, origin, mode).digest());
      }
      assertThat(digests).hasSize(1);
    }
  }

  private static List<BufferMode> modes(String version) {
    boolean all = version.equals(SparkHomes.NEWEST) || version.equals(OLDEST);
    return all || Boolean.getBoolean("eley.test.all")
        ? List.of(BufferMode.values())
        : List.of(BufferMode.NAIVE_BB, BufferMode.FULL_DELAY);
  }

  /** Each executor that has to start costs a busy machine seconds, in each mode. */
  private SparkClusterOptions options(String version, LinkedSparkHome home) {
    var two = SparkClusterOptions.small(home, temp.resolve("cluster"));
    return version.equals(SparkHomes.NEWEST)
        ? two
        : new SparkClusterOptions(
            home, two.directory(), null, 1, two.workers() * two.slots(), two.executorMemory());
  }

  private WorkloadResult run(
      SparkCluster cluster, Map<String, String> more, Path origin, BufferMode mode)
      throws Exception {
    Path own = Files.createDirectory(temp.resolve(mode.label()));
    try (var deployment = new Deployments(own, origin, mode)) {
      deployment.startNode("a", "6m");
      deployment.startNode("b", "6m");
      var settings = new HashMap<>(more);
      settings.put("spark.plugins", "io.eley.spark.connector.plan.EleyPlugin");
      // It reads some megabytes: a quick start is worth more than quick code.
      settings.put("spark.executor.extraJavaOptions", cluster.home().quickExecutorOptions());
      // On a busy machine nobody falls silent: who reads is judged.
      settings.put("spark.hadoop.eley.client.connect-timeout", "20s");
      settings.put("spark.hadoop.eley.client.silence", "10s");
      settings.put("spark.hadoop.eley.deployment", deployment.deploymentDirectory().toString());
      var application =
          new SparkApplication(
              Workload.WORD_COUNT.mainClass(),
              ApplicationJar.of(Workload.class, own.resolve("jar")),
              List.of(
                  "bb:///in", "bb:///out-" + mode.label(), "4", "--partition-bytes=" + SPLIT_BYTES),
              settings,
              List.of(Deployments.connectorJar()),
              Duration.ofMinutes(2));
      try (var submission =
          SparkSubmission.start(cluster, application, own.resolve("run"), (done, total) -> {})) {
        WorkloadResult result = submission.await();
        assertThat(result.inputBytes()).isEqualTo(FILES * FILE_BYTES);
        assertThat(Files.exists(origin.resolve("out-" + mode.label() + "/_SUCCESS"))).isTrue();
        assertReadAsTheModeSays(deployment, mode);
        // One sentence at the end, on every Spark.
        assertThat(Files.readString(own.resolve("run/driver.log")))
            .containsPattern(
                "\\d+\\.\\d MiB were read through Eley, .* from RAM; \\d+ tasks waited")
            .contains("phases of HPC applications met: ");
        return result;
      }
    }
  }

  private static void assertReadAsTheModeSays(Deployments deployment, BufferMode mode)
      throws Exception {
    if (mode == BufferMode.NAIVE_BB) {
      assertThat(deployment.report().originBytes().values()).allMatch(bytes -> bytes == 0);
    } else {
      // Nodes report what they have read some times a second, and may do so after the job's end.
      await()
          .untilAsserted(
              () ->
                  assertThat(deployment.report().originBytes().get(ReadCause.PREFETCH))
                      .isGreaterThan(FILES * FILE_BYTES / 4));
    }
  }
}
