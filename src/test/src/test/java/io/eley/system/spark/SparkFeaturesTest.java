package io.eley.system.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.bb.server.node.NodeServer;
import io.eley.system.Deployments;
import io.eley.system.SparkHomes;
import io.eley.test.fixtures.LiveTree;
import io.eley.workloads.RandomTextWriter;
import io.eley.workloads.SparkApplication;
import io.eley.workloads.SparkCluster;
import io.eley.workloads.SparkClusterOptions;
import io.eley.workloads.SparkSubmission;
import io.eley.workloads.WorkloadResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs whose tasks do not simply run one after another ({@code SparkFeatures} of the connector's
 * tests): each is planned, computes what is in the files, and logs no exception.
 */
@Tag("spark")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SparkFeaturesTest {
  /** Spark's own word when an executor tells of itself after the application has stopped. */
  static final Pattern TOLD_TOO_LATE =
      Pattern.compile(
          "org\\.apache\\.spark\\.SparkException:"
              + " Could not find (AppClient|CoarseGrainedScheduler)\\.");

  private static final String PROGRAM = "io.eley.spark.connector.features.SparkFeatures";
  private static final int FILES = 4;
  private static final int FILE_BYTES = 2 << 20;

  private Path temp;
  private Path origin;
  private SparkCluster cluster;
  private String expected;

  @BeforeAll
  void startCluster(@TempDir Path directory) throws Exception {
    temp = directory;
    origin = Files.createDirectory(temp.resolve("origin"));
    var plan = new RandomTextWriter.Plan(origin.resolve("in"), FILES, FILE_BYTES, 14);
    RandomTextWriter.write(plan, 2, bytes -> {});
    long count = 0;
    long hash = 0;
    for (int i = 0; i < FILES; i++) {
      for (String line : Files.readAllLines(plan.file(i))) {
        count++;
        hash += line.hashCode();
      }
    }
    expected = count + ":" + hash;
    var home = SparkHomes.newest();
    cluster = SparkCluster.start(SparkClusterOptions.small(home, temp.resolve("cluster")));
  }

  @AfterAll
  void stopCluster() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void executorsComeAndGo() throws Exception {
    WorkloadResult result =
        run(
            "dynamic allocation",
            Map.of(
                "spark.dynamicAllocation.enabled", "true",
                "spark.dynamicAllocation.shuffleTracking.enabled", "true",
                "spark.dynamicAllocation.initialExecutors", "2",
                "spark.dynamicAllocation.minExecutors", "1",
                "spark.dynamicAllocation.maxExecutors", "2",
                "spark.dynamicAllocation.executorIdleTimeout", "1s",
                "spark.scheduler.minRegisteredResourcesRatio", "0"));
    assertThat(result.inputBytes()).as("executors").isGreaterThanOrEqualTo(2);
  }

  @Test
  void aTaskIsOvertakenByItsCopy() throws Exception {
    WorkloadResult result =
        run(
            "speculation",
            Map.of(
                "spark.speculation", "true",
                "spark.speculation.interval", "50ms",
                "spark.speculation.quantile", "0.5",
                "spark.speculation.efficiency.enabled", "false",
                "spark.job.interruptOnCancel", "true"));
    assertThat(result.inputBytes()).as("copies").isPositive();
  }

  @Test
  void tasksWaitForEachOther() throws Exception {
    WorkloadResult result =
        run(
            "barrier",
            Map.of("spark.hadoop.mapreduce.input.fileinputformat.split.minsize", "" + FILE_BYTES));
    assertThat(result.inputBytes()).as("tasks").isEqualTo(cluster.slots());
  }

  @Test
  void filesAreReadAsAStream() throws Exception {
    WorkloadResult result = run("streaming", Map.of("spark.sql.shuffle.partitions", "2"));
    assertThat(result.inputBytes()).as("tasks").isGreaterThanOrEqualTo(FILES);
  }

  @Test
  void executorsTellWhatTheirTasksLeaveUnread() throws Exception {
    WorkloadResult result =
        run(
            "early",
            Map.of(),
            deployment ->
                // Only while it runs, which begins late on a busy machine and is soon over.
                await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(20))
                    .until(
                        () ->
                            deployment.report().applications().stream()
                                .anyMatch(application -> application.unreadBytes() > 0)));
    assertThat(result.inputBytes()).as("tasks").isPositive();
  }

  /** What is done while an application runs. */
  private interface Meanwhile {
    void look(Deployments deployment) throws Exception;
  }

  private WorkloadResult run(String kind, Map<String, String> more) throws Exception {
    return run(kind, more, deployment -> {});
  }

  private WorkloadResult run(String kind, Map<String, String> more, Meanwhile meanwhile)
      throws Exception {
    Path own = Files.createDirectory(temp.resolve(kind.replace(' ', '-')));
    Path root = Path.of(System.getProperty("eley.root"));
    Path connector = Deployments.connectorJar();
    Path programs = root.resolve("spark-connector/target/test-classes");
    try (var deployment = new Deployments(own, origin, BufferMode.NO_ACTION)) {
      NodeServer node = deployment.startNode("a", "64m");
      var conf = new LinkedHashMap<>(more);
      conf.put("spark.plugins", "io.eley.spark.connector.plan.EleyPlugin");
      conf.put("spark.executor.extraJavaOptions", cluster.home().quickExecutorOptions());
      conf.put("spark.hadoop.eley.deployment", deployment.deploymentDirectory().toString());
      // On a busy machine nobody falls silent: the log is to be quiet, and reads are counted.
      conf.putAll(Deployments.PATIENT_CLIENTS);
      var application =
          new SparkApplication(
              PROGRAM,
              connector,
              List.of(kind, "bb:///in", "bb:///" + own.getFileName()),
              conf,
              List.of(connector, programs),
              Duration.ofMinutes(3));
      try (var submission =
          SparkSubmission.start(cluster, application, own.resolve("run"), (done, total) -> {})) {
        meanwhile.look(deployment);
        WorkloadResult result = submission.await();
        assertThat(result.digest()).isEqualTo(expected);
        assertQuietAndPlanned(node, Files.readString(own.resolve("run/driver.log")));
        return result;
      }
    }
  }

  /** Nothing is wrong, or only that. */
  private void assertQuietAndPlanned(NodeServer node, String log) throws IOException {
    assertThat(log).doesNotContain("io.eley");
    assertThat(log.lines().filter(line -> line.contains("Exception")))
        .as(log)
        .allMatch(line -> TOLD_TOO_LATE.matcher(line).matches());
    await().until(() -> node.counters().queuedFetches() == 0);
    Map<ReadCause, Long> bytes = node.counters().originBytes();
    assertThat(bytes.get(ReadCause.PREFETCH)).as("%s", bytes).isPositive();
    assertThat(bytes.values().stream().mapToLong(b -> b).sum())
        .as("%s", bytes)
        .isLessThanOrEqualTo(bytesOfOrigin() * 21 / 20);
  }

  /** The input, and what a stream has written. */
  private long bytesOfOrigin() throws IOException {
    return LiveTree.files(origin).stream().mapToLong(file -> file.toFile().length()).sum();
  }
}
