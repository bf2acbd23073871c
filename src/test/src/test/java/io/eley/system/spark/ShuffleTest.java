package io.eley.system.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.server.node.NodeServer;
import io.eley.system.Deployments;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.SparkApplication;
import io.eley.workloads.SparkCluster;
import io.eley.workloads.SparkClusterOptions;
import io.eley.workloads.SparkSubmission;
import io.eley.workloads.WorkloadResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Intermediate data in the buffer ({@code ShuffleJobs} of the connector's tests): the same rows as
 * plain Spark gives, a node that is lost costs its outputs, an executor that is lost costs none,
 * and nothing is left behind.
 */
@Tag("spark")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShuffleTest {
  private static final String PROGRAM = "io.eley.spark.connector.features.ShuffleJobs";
  private static final String MANAGER = "io.eley.spark.connector.shuffle.EleyShuffleManager";

  private static final int KILLS = 5;

  /** Map tasks of the job that reads its shuffle twice. */
  private static final int MAPS = 8;

  private static final String NEWEST = "4.2";

  private Path temp;
  private Path origin;
  private final Map<String, LinkedSparkHome> homes = new HashMap<>();
  private final Map<String, SparkCluster> clusters = new HashMap<>();

  @BeforeAll
  void begin(@TempDir Path directory) throws Exception {
    temp = directory;
    origin = Files.createDirectory(temp.resolve("origin"));
  }

  private void start(String version) throws Exception {
    if (!homes.containsKey(version)) {
      Path root = Path.of(System.getProperty("eley.root"));
      Path jars = root.resolve("ior-workloads/spark-" + version + "/target/spark.classpath");
      var home = LinkedSparkHome.create(temp.resolve("home-" + version), jars);
      homes.put(version, home);
      Path directory = temp.resolve("cluster-" + version);
      clusters.put(version, SparkCluster.start(SparkClusterOptions.small(home, directory)));
    }
  }

  @AfterAll
  void end() {
    clusters.values().forEach(SparkCluster::close);
  }

  /** The newest Spark; with {@code -Deley.test.all=true} all that are here. */
  static List<String> versions() {
    return Boolean.getBoolean("eley.test.all")
        ? List.of(NEWEST, "3.5", "3.5-scala-2.12")
        : List.of(NEWEST);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void everyRowIsAsPlainSparkGivesIt(String version) throws Exception {
    start(version);
    Path own = Files.createDirectory(temp.resolve("all-" + version));
    WorkloadResult plain;
    WorkloadResult result;
    try (var submission = submit(version, own.resolve("plain"), List.of("all"), Map.of())) {
      plain = submission.await();
    }
    try (var deployment = deployment(version, own)) {
      NodeServer a = deployment.startNode("a", "64m");
      NodeServer b = deployment.startNode("b", "64m");
      try (var submission =
          submit(version, own.resolve("run"), List.of("all"), buffered(deployment))) {
        result = submission.await();
        assertThat(result.digest()).isEqualTo(plain.digest());
      }
      assertQuiet(own.resolve("run/driver.log"));
      assertThat(plain.digest()).contains("groupBy=").contains("sorted join true=");
      long taken = a.counters().scratch().outputs() + b.counters().scratch().outputs();
      assertThat(taken).as("map tasks with output").isBetween(60L, result.inputBytes());
      assertThat(a.counters().scratch().outputs()).as("on both nodes").isBetween(20L, taken - 20);
      assertNothingLeft(deployment, a, b);
    }
  }

  @Test
  void aNodeThatIsLostCostsItsOutputsAlone() throws Exception {
    start(NEWEST);
    Path own = Files.createDirectory(temp.resolve("node"));
    try (var deployment = deployment(NEWEST, own)) {
      NodeServer a = deployment.startNode("a", "64m");
      deployment.startNode("b", "64m");
      WorkloadResult result =
          between(
              own,
              deployment,
              () -> {
                assertThat(outputs(deployment, "a") + outputs(deployment, "b")).isEqualTo(MAPS);
                deployment.stopNode("b");
              });
      assertThat(result.inputBytes()).as("map tasks").isBetween(MAPS + 1L, 2L * MAPS - 1);
      assertNothingLeft(deployment, a);
    }
  }

  @Test
  void anExecutorThatIsLostCostsNone() throws Exception {
    start(NEWEST);
    Path own = Files.createDirectory(temp.resolve("executor"));
    try (var deployment = deployment(NEWEST, own)) {
      NodeServer a = deployment.startNode("a", "64m");
      WorkloadResult result =
          between(
              own,
              deployment,
              () -> {
                assertThat(outputs(deployment, "a")).isEqualTo(MAPS);
                List<ProcessHandle> executors = executors();
                assertThat(executors).hasSize(2);
                executors.forEach(ProcessHandle::destroyForcibly);
                await().until(() -> executors.stream().noneMatch(ProcessHandle::isAlive));
              });
      assertThat(result.inputBytes()).as("map tasks").isEqualTo(MAPS);
      assertNothingLeft(deployment, a);
    }
  }

  /**
   * Services are killed and nodes stopped at random moments of a job that shuffles on and on;
   * {@code -Deley.test.kills=200} for more of them.
   */
  @Test
  @Timeout(1800)
  void aJobGoesOnWhateverIsKilled() throws Exception {
    start(NEWEST);
    Path own = Files.createDirectory(temp.resolve("kills"));
    Path seen = Files.createDirectory(own.resolve("seen"));
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of kills (-Deley.test.seed=...): " + seed);
    var random = new Random(seed);
    try (var deployment = deployment(NEWEST, own)) {
      deployment.startNode("a", "64m");
      deployment.startNode("b", "64m");
      try (var submission =
          submit(
              NEWEST, own.resolve("run"), List.of("loop", seen.toString()), buffered(deployment))) {
        awaitTurns(seen, 1);
        for (int i = 0; i < Integer.getInteger("eley.test.kills", KILLS); i++) {
          int turns = turns(seen);
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1500)));
          String node = random.nextBoolean() ? "a" : "b";
          if (random.nextInt(3) == 0) {
            deployment.stopNode(node);
            deployment.startNode(node, "64m");
          } else {
            List<ProcessHandle> services = services().toList();
            services.stream()
                .skip(random.nextInt(1 + services.size()))
                .findFirst()
                .ifPresent(ProcessHandle::destroyForcibly);
          }
          // At most one in a turn: Spark gives a stage up that fails four times in a row.
          awaitTurns(seen, turns + 2);
        }
        Files.createFile(seen.resolve("stop"));
        assertThat(submission.await().digest()).startsWith("{loop=");
      }
      deployment.stopNode("a");
      deployment.stopNode("b");
      assertNothingLeft(deployment);
    }
  }

  private static void awaitTurns(Path seen, int turns) {
    await().atMost(Duration.ofMinutes(2)).until(() -> turns(seen) >= turns);
  }

  private static int turns(Path seen) throws IOException {
    try (Stream<Path> files = Files.list(seen)) {
      return (int) files.count();
    }
  }

  private static Stream<ProcessHandle> services() {
    return ProcessHandle.current()
        .children()
        .filter(p -> p.info().commandLine().orElse("").contains("ExternalShuffleService"));
  }

  /** The executors of this test's own cluster. */
  private static List<ProcessHandle> executors() {
    return ProcessHandle.current()
        .descendants()
        .filter(p -> p.info().commandLine().orElse("").contains("CoarseGrainedExecutorBackend"))
        .toList();
  }

  private interface Step {
    void run() throws Exception;
  }

  private WorkloadResult between(Path own, Deployments deployment, Step step) throws Exception {
    try (var submission =
        submit(
            NEWEST, own.resolve("run"), List.of("between", own.toString()), buffered(deployment))) {
      await().until(() -> Files.exists(own.resolve("first")));
      step.run();
      Files.createFile(own.resolve("second"));
      return submission.await();
    }
  }

  private Deployments deployment(String version, Path own) throws Exception {
    return new Deployments(
        own,
        origin.toString(),
        BufferMode.NO_ACTION,
        "eley.node.spark-home",
        Objects.requireNonNull(homes.get(version)).directory().toString());
  }

  private static Map<String, String> buffered(Deployments deployment) {
    return Map.of(
        "spark.shuffle.manager",
        MANAGER,
        "spark.hadoop.eley.deployment",
        deployment.deploymentDirectory().toString());
  }

  private SparkSubmission submit(
      String version, Path directory, List<String> arguments, Map<String, String> more)
      throws Exception {
    Path root = Path.of(System.getProperty("eley.root"));
    Path connector = Deployments.connectorJar();
    Path programs = root.resolve("spark-connector/target/test-classes");
    var conf = new LinkedHashMap<>(more);
    conf.put("spark.plugins", "io.eley.spark.connector.plan.EleyPlugin");
    conf.put("spark.executor.extraClassPath", connector + ":" + programs);
    conf.put("spark.executor.extraJavaOptions", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
    var application =
        new SparkApplication(
            PROGRAM,
            connector,
            arguments,
            conf,
            List.of(connector, programs),
            Duration.ofMinutes(3));
    var cluster = Objects.requireNonNull(clusters.get(version));
    return SparkSubmission.start(cluster, application, directory, (done, total) -> {});
  }

  private static long outputs(Deployments deployment, String node) throws IOException {
    try (Stream<Path> files = Files.walk(deployment.blocks(node).resolve("scratch"))) {
      return files.filter(file -> file.toString().endsWith(".index")).count();
    }
  }

  private static void assertQuiet(Path log) throws IOException {
    assertThat(Files.readString(log)).doesNotContain("io.eley").doesNotContain("Exception");
  }

  /** When the driver has ended: no file, no byte that is reserved, and no service. */
  private static void assertNothingLeft(Deployments deployment, NodeServer... nodes)
      throws IOException {
    for (NodeServer node : nodes) {
      await().until(() -> node.counters().scratch().bytes() == 0);
    }
    for (String name : List.of("a", "b")) {
      Path scratch = deployment.blocks(name).resolve("scratch");
      await().until(() -> !Files.exists(scratch) || isEmpty(scratch));
    }
    await().until(() -> services().noneMatch(ProcessHandle::isAlive));
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }
}
