package io.eley.system.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.bb.server.node.NodeServer;
import io.eley.system.Deployments;
import io.eley.system.SparkHomes;
import io.eley.system.Turns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The 22 questions of TPC-H on eight tables ({@code TableQueries} of the connector's tests), on the
 * oldest and the newest Spark: through the buffer they have the answers that plain files give, and
 * the origin is read once for all of them. Releases and formats take turns.
 */
@Tag("spark")
@Timeout(600)
class TableQueriesTest {
  private static final String PROGRAM = "io.eley.spark.connector.tables.TableQueries";
  private static final int QUERIES = 22;

  /** Bytes of the origin against bytes wanted: 1.031 on both releases, the same in each run. */
  private static final double MOST_OF_ORIGIN = 1.05;

  @TempDir private Path temp;

  /** What the program has printed, by all words of a line but the last. */
  private final Map<String, String> printed = new HashMap<>();

  static List<Arguments> ways() {
    return Turns.of(
        List.of(
            Arguments.of(SparkHomes.NEWEST, "parquet"),
            Arguments.of("3.5-scala-2.12", "orc"),
            Arguments.of(SparkHomes.NEWEST, "orc"),
            Arguments.of("3.5-scala-2.12", "parquet")));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void answersAreThoseOfPlainFilesAndTheOriginIsReadOnce(String version, String format)
      throws Exception {
    List<String> formats = List.of(format);
    Path origin = Files.createDirectory(temp.resolve("origin"));
    try (var deployment =
        new Deployments(
            Files.createDirectory(temp.resolve("deployment")), origin, BufferMode.NO_ACTION)) {
      NodeServer node = deployment.startNode("a", "256m");
      run(version, formats, origin, deployment.deploymentDirectory());
      await().until(() -> node.counters().queuedFetches() == 0);
      assertAnswers(formats);
      assertReads(version, formats, node.counters().originBytes());
    }
  }

  private void assertAnswers(List<String> formats) {
    for (String format : formats) {
      for (int i = 1; i <= QUERIES; i++) {
        String query = "q%02d".formatted(i);
        String plain = answer(format, "file|false", query);
        assertThat(plain).as("%s finds nothing", query).doesNotEndWith("null]").contains("[");
        assertThat(plain).as(query).isEqualTo(answer(formats.get(0), "file|false", query));
        assertThat(answer(format, "bb|false", query)).as("%s %s", format, query).isEqualTo(plain);
        assertThat(answer(format, "bb|true", query))
            .as("%s %s, adaptive", format, query)
            .isEqualTo(plain);
      }
    }
  }

  private String answer(String format, String how, String query) {
    return printed.getOrDefault(String.join("|", "answer", format, how, query), "none");
  }

  private void assertReads(String version, List<String> formats, Map<ReadCause, Long> origin) {
    long wanted = formats.stream().mapToLong(f -> number("wanted|" + f)).sum();
    long buffered = number("read|LOCAL_RAM") + number("read|REMOTE_RAM");
    long awaited = number("read|ARRIVING");
    long ofOrigin = origin.values().stream().mapToLong(bytes -> bytes).sum();
    System.out.printf(
        "%s: wanted %d, of the origin %s = %.3f, from RAM %d, awaited %d%n",
        version, wanted, origin, (double) ofOrigin / wanted, buffered, awaited);
    assertThat(number("read|FALLBACK") + number("read|DIRECT")).as("beside the buffer").isZero();
    assertThat(buffered).as("most were in RAM").isGreaterThan(10 * awaited);
    assertThat((double) ofOrigin / wanted).as("of the origin").isBetween(0.9, MOST_OF_ORIGIN);
    assertThat(origin.get(ReadCause.PREFETCH)).as("planned").isGreaterThan(ofOrigin / 4);
  }

  private long number(String what) {
    return Long.parseLong(printed.getOrDefault(what, "-1"));
  }

  private void run(String version, List<String> formats, Path origin, Path deployment)
      throws Exception {
    Path root = Path.of(System.getProperty("eley.root"));
    var home = SparkHomes.of(version, temp.resolve("home"));
    List<Path> ours =
        List.of(Deployments.connectorJar(), root.resolve("spark-connector/target/test-classes"));
    var java = home.java("1g", ours);
    for (var each : conf(deployment).entrySet()) {
      java = java.property(each.getKey(), each.getValue());
    }
    var arguments = new ArrayList<>(List.of(origin.toString()));
    arguments.addAll(formats);
    Path output = temp.resolve("output");
    Path errors = temp.resolve("errors");
    Process process =
        new ProcessBuilder(java.run(PROGRAM, arguments))
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    } finally {
      process.destroyForcibly();
    }
    for (String line : Files.readAllLines(output)) {
      int last = line.lastIndexOf('|');
      printed.put(line.substring(0, Math.max(0, last)), line.substring(last + 1));
    }
  }

  private Map<String, String> conf(Path deployment) {
    return Map.ofEntries(
        Map.entry("spark.app.name", "table queries"),
        Map.entry("spark.master", "local[2]"),
        Map.entry("spark.driver.host", "127.0.0.1"),
        Map.entry("spark.driver.bindAddress", "127.0.0.1"),
        Map.entry("spark.ui.enabled", "false"),
        Map.entry("spark.local.dir", temp.resolve("local").toString()),
        Map.entry("spark.sql.warehouse.dir", temp.resolve("warehouse").toString()),
        Map.entry("spark.sql.shuffle.partitions", "2"),
        Map.entry("spark.sql.files.maxPartitionBytes", "2m"),
        Map.entry("spark.plugins", "io.eley.spark.connector.plan.EleyPlugin"),
        Map.entry("spark.hadoop.eley.deployment", deployment.toString()),
        // On a busy machine nobody falls silent: what is read past the buffer is counted.
        Map.entry("spark.hadoop.eley.client.connect-timeout", "20s"),
        Map.entry("spark.hadoop.eley.client.silence", "10s"),
        // Plain files are read by a file system that notes what of them tasks want.
        Map.entry("spark.hadoop.fs.file.impl", "io.eley.spark.connector.plan.RecordingFileSystem"));
  }
}
