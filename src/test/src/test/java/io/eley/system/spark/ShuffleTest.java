package io.eley.system.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.StayCause;
import io.eley.bb.api.wire.Stayed;
import io.eley.bb.server.node.NodeServer;
import io.eley.system.Deployments;
import io.eley.system.InTurn;
import io.eley.test.fixtures.LiveTree;
import io.eley.workloads.SparkSubmission;
import io.eley.workloads.WorkloadResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
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
  /** Map tasks with output of the job that reads its shuffle twice. */
  private static final int MAPS = 8;

  /** All its map tasks: as many write nothing. */
  private static final int TASKS = 2 * MAPS;

  private static final String NEWEST = ShuffleClusters.NEWEST;
  private static final Duration LONG = Duration.ofMinutes(6);
  private static final String COPIES = "spark.hadoop.eley.shuffle.copies";

  /** Executors that have nothing to do are released, whatever they have written. */
  private static final Map<String, String> DYNAMIC =
      Map.of(
          "spark.dynamicAllocation.enabled", "true",
          "spark.dynamicAllocation.shuffleTracking.enabled", "false",
          "spark.dynamicAllocation.executorIdleTimeout", "5s",
          "spark.dynamicAllocation.maxExecutors", "2",
          // Spark would wait half a minute for more of them than are asked for.
          "spark.scheduler.minRegisteredResourcesRatio", "0");

  /** The digest of the job that reads its shuffle twice, as plain Spark has it. */
  private static final String BETWEEN = "{between=1009:400272360}";

  private Path temp;
  private Path origin;
  private ShuffleClusters clusters;

  @BeforeAll
  void begin(@TempDir Path directory) throws Exception {
    temp = directory;
    origin = Files.createDirectory(temp.resolve("origin"));
    clusters = new ShuffleClusters(temp);
  }

  @AfterAll
  void end() {
    clusters.close();
  }

  /**
   * The newest Spark; with {@code -Deley.test.all=true} all that are here. Others alone where
   * {@code -Deley.test.sparks=4.1:FILE,...} names them with their class paths.
   */
  static List<String> versions() {
    var others = List.copyOf(ShuffleClusters.others().keySet());
    if (!others.isEmpty()) {
      return others;
    }
    var versions = new ArrayList<>(List.of(NEWEST));
    if (Boolean.getBoolean("eley.test.all")) {
      versions.addAll(List.of("4.1", "4.0", "3.5", "3.5-scala-2.12"));
    }
    return versions;
  }

  /** Ways to run Spark; those behind the first only with {@code -Deley.test.all=true}. */
  static Stream<Arguments> ways() {
    var ways = new LinkedHashMap<String, Map<String, String>>();
    ways.put("default", Map.of());
    if (Boolean.getBoolean("eley.test.all")) {
      ways.put("sent", Map.of("spark.hadoop.eley.client.local", "false"));
      ways.put("copies", Map.of(COPIES, "2"));
      ways.put("encryption", Map.of("spark.io.encryption.enabled", "true"));
      ways.put("crypto", Map.of("spark.network.crypto.enabled", "true"));
      ways.put(
          "speculation",
          Map.of(
              "spark.speculation", "true",
              "spark.speculation.interval", "20ms",
              "spark.speculation.quantile", "0.1",
              "spark.speculation.multiplier", "1.01",
              "spark.speculation.minTaskRuntime", "10ms"));
      ways.put("allocation", DYNAMIC);
    }
    return versions().stream()
        .flatMap(
            version ->
                ways.entrySet().stream()
                    .map(way -> Arguments.of(version, way.getKey(), way.getValue())));
  }

  private final Map<String, String> plain = new HashMap<>();

  private String plain(String version) throws Exception {
    if (!plain.containsKey(version)) {
      Path directory = temp.resolve("plain-" + version);
      try (var submission = submit(version, directory, List.of("all"), Map.of())) {
        plain.put(version, submission.await().digest());
      }
    }
    return Objects.requireNonNull(plain.get(version));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("ways")
  void everyRowIsAsPlainSparkGivesIt(String version, String way, Map<String, String> settings)
      throws Exception {
    clusters.start(version);
    String plain = plain(version);
    assertThat(plain).contains("groupBy=").contains("sorted join true=");
    Path own = Files.createDirectory(temp.resolve(way + "-" + version));
    try (var deployment = deployment(version, own)) {
      NodeServer a = deployment.startNode("a", "64m");
      NodeServer b = deployment.startNode("b", "64m");
      var conf = new HashMap<>(buffered(deployment));
      conf.putAll(settings);
      WorkloadResult result;
      try (var submission = submit(version, own.resolve("run"), List.of("all"), conf)) {
        result = submission.await();
        assertThat(result.digest()).isEqualTo(plain);
      }
      if (way.equals("default")) {
        assertQuiet(own.resolve("run/driver.log"));
      }
      long taken = a.counters().scratch().outputs() + b.counters().scratch().outputs();
      boolean twice = way.equals("copies");
      long most = way.equals("speculation") ? Long.MAX_VALUE : result.inputBytes();
      assertThat(taken).as("map tasks with output").isBetween(60L, twice ? 2 * most : most);
      assertThat(a.counters().scratch().outputs()).as("on both nodes").isBetween(20L, taken - 20);
      assertNothingLeft(deployment, a, b);
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  @InTurn(turn = 1, of = 2)
  void aNodeThatIsLostCostsNothingWhenItsOutputsHaveACopy(String version) throws Exception {
    clusters.start(version);
    Path own = Files.createDirectory(temp.resolve("copy-" + version));
    try (var deployment = deployment(version, own)) {
      NodeServer a = deployment.startNode("a", "64m");
      deployment.startNode("b", "64m");
      WorkloadResult result =
          between(
              version,
              own,
              deployment,
              Map.of(COPIES, "2"),
              () -> {
                assertThat(outputs(deployment, "a")).isEqualTo(MAPS);
                assertThat(outputs(deployment, "b")).isEqualTo(MAPS);
                deployment.stopNode("b");
              });
      assertThat(result.inputBytes()).as("map tasks").isEqualTo(TASKS);
      assertNothingLeft(deployment, a);
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  @InTurn(turn = 0, of = 2)
  void executorsThatAreReleasedCostNone(String version) throws Exception {
    clusters.start(version);
    Path own = Files.createDirectory(temp.resolve("released-" + version));
    try (var deployment = deployment(version, own)) {
      NodeServer a = deployment.startNode("a", "64m");
      WorkloadResult result =
          between(
              version,
              own,
              deployment,
              DYNAMIC,
              () -> {
                assertThat(outputs(deployment, "a")).isEqualTo(MAPS);
                await().atMost(Duration.ofMinutes(2)).until(() -> executors().isEmpty());
              });
      assertThat(result.inputBytes()).as("map tasks").isEqualTo(TASKS);
      assertNothingLeft(deployment, a);
    }
  }

  /** What finds no room stays with executors, and is served from there. */
  @ParameterizedTest
  @MethodSource("versions")
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  @Timeout(900)
  void aShuffleOfThreeTimesTheRamHasEveryRow(String version) throws Exception {
    Taken taken = large(version, "64m", List.of("large", "12", "32", "8"));
    assertThat(taken.outputs).as("outputs in RAM").isPositive();
    assertThat(taken.refused).as("found no room").isPositive();
  }

  /** More than an int counts, from one map task to one that reads. */
  @ParameterizedTest
  @MethodSource("versions")
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  @Timeout(900)
  void aPartitionAboveTwoGibibytesIsOneOutputInTheBuffer(String version) throws Exception {
    Taken taken = large(version, "4g", List.of("large", "1", "2200", "1"));
    assertThat(taken).isEqualTo(new Taken(1, 0));
  }

  private record Taken(long outputs, long refused) {}

  private Taken large(String version, String memory, List<String> arguments) throws Exception {
    clusters.start(version);
    Path own = Files.createDirectory(temp.resolve(String.join("-", arguments) + "-" + version));
    String plain;
    try (var submission = submit(version, own.resolve("plain"), arguments, Map.of(), LONG)) {
      plain = submission.await().digest();
    }
    try (var deployment = deployment(version, own)) {
      NodeServer a = deployment.startNode("a", memory);
      NodeServer b = deployment.startNode("b", memory);
      try (var submission =
          submit(version, own.resolve("run"), arguments, buffered(deployment), LONG)) {
        assertThat(submission.await().digest()).isEqualTo(plain).startsWith("{large=");
      }
      var first = a.counters().scratch();
      var second = b.counters().scratch();
      assertNothingLeft(deployment, a, b);
      return new Taken(first.outputs() + second.outputs(), first.refused() + second.refused());
    }
  }

  @Test
  @InTurn(turn = 0, of = 2)
  void aNodeThatIsLostCostsItsOutputsAlone() throws Exception {
    clusters.start(NEWEST);
    Path own = Files.createDirectory(temp.resolve("node"));
    try (var deployment = deployment(NEWEST, own)) {
      NodeServer a = deployment.startNode("a", "64m");
      deployment.startNode("b", "64m");
      // Hashes place them: in one run of 128 all are on one node.
      var lost = new AtomicLong();
      WorkloadResult result =
          between(
              NEWEST,
              own,
              deployment,
              Map.of(),
              () -> {
                lost.set(outputs(deployment, "b"));
                assertThat(outputs(deployment, "a") + lost.get()).isEqualTo(MAPS);
                deployment.stopNode("b");
              });
      assertThat(result.inputBytes())
          .as("map tasks, when %s outputs were lost", lost)
          .isBetween(TASKS + Math.min(1, lost.get()), TASKS + lost.get());
      assertNothingLeft(deployment, a);
    }
  }

  @Test
  @InTurn(turn = 1, of = 2)
  void anExecutorThatIsLostCostsNone() throws Exception {
    clusters.start(NEWEST);
    Path own = Files.createDirectory(temp.resolve("executor"));
    try (var deployment = deployment(NEWEST, own)) {
      NodeServer a = deployment.startNode("a", "64m");
      WorkloadResult result =
          between(
              NEWEST,
              own,
              deployment,
              Map.of(),
              () -> {
                assertThat(outputs(deployment, "a")).isEqualTo(MAPS);
                List<ProcessHandle> executors =
                    await().until(ShuffleTest::executors, two -> two.size() == 2);
                executors.forEach(ProcessHandle::destroyForcibly);
                await().until(() -> executors.stream().noneMatch(ProcessHandle::isAlive));
              });
      assertThat(result.inputBytes()).as("map tasks").isEqualTo(TASKS);
      assertNothingLeft(deployment, a);
    }
  }

  @Test
  void whatStaysSinceNoServiceStartsIsInTheStatus() throws Exception {
    clusters.start(NEWEST);
    Path own = Files.createDirectory(temp.resolve("stays"));
    Path noSpark = Files.createDirectory(own.resolve("empty"));
    try (var deployment = deployment(noSpark, own)) {
      deployment.startNode("a", "64m");
      var all = Map.of(StayCause.NO_ANSWER, (long) MAPS);
      WorkloadResult result =
          between(
              NEWEST,
              own,
              deployment,
              Map.of(),
              () -> await().until(() -> stayed(deployment).equals(all)));
      assertThat(result.inputBytes()).as("map tasks").isEqualTo(TASKS);
    }
  }

  private static Map<StayCause, Long> stayed(Deployments deployment) throws Exception {
    return deployment.report().applications().stream()
        .flatMap(application -> application.stayed().stream())
        .collect(Collectors.toMap(Stayed::cause, Stayed::outputs));
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

  private WorkloadResult between(
      String version, Path own, Deployments deployment, Map<String, String> settings, Step step)
      throws Exception {
    var conf = new HashMap<>(buffered(deployment));
    conf.putAll(settings);
    var arguments = List.of("between", own.toString());
    try (var submission = submit(version, own.resolve("run"), arguments, conf)) {
      await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(own.resolve("first")));
      step.run();
      Files.createFile(own.resolve("second"));
      WorkloadResult result = submission.await();
      assertThat(result.digest()).isEqualTo(BETWEEN);
      return result;
    }
  }

  private Deployments deployment(String version, Path own) throws Exception {
    return deployment(Path.of(clusters.home(version)), own);
  }

  private Deployments deployment(Path spark, Path own) throws Exception {
    return new Deployments(
        own, origin.toString(), BufferMode.NO_ACTION, "eley.node.spark-home", spark.toString());
  }

  private static Map<String, String> buffered(Deployments deployment) {
    return ShuffleClusters.buffered(deployment.deploymentDirectory());
  }

  private SparkSubmission submit(
      String version, Path directory, List<String> arguments, Map<String, String> more)
      throws Exception {
    return submit(version, directory, arguments, more, Duration.ofMinutes(4));
  }

  private SparkSubmission submit(
      String version,
      Path directory,
      List<String> arguments,
      Map<String, String> more,
      Duration deadline)
      throws Exception {
    return clusters.submit(version, directory, arguments, more, deadline);
  }

  private static long outputs(Deployments deployment, String node) throws IOException {
    return LiveTree.files(deployment.blocks(node).resolve("scratch")).stream()
        .filter(file -> file.toString().endsWith(".index"))
        .count();
  }

  /** Nothing is wrong, or only that. */
  private static void assertQuiet(Path log) throws IOException {
    String text = Files.readString(log);
    assertThat(text).doesNotContain("io.eley");
    assertThat(text.lines().filter(line -> line.contains("Exception")))
        .as(text)
        .allMatch(line -> SparkFeaturesTest.TOLD_TOO_LATE.matcher(line).matches());
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
