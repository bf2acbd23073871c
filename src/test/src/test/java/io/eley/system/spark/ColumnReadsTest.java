package io.eley.system.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.server.node.NodeServer;
import io.eley.system.Deployments;
import io.eley.system.Turns;
import io.eley.workloads.ApplicationJar;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.SparkApplication;
import io.eley.workloads.SparkSubmission;
import io.eley.workloads.TableScan;
import io.eley.workloads.Workload;
import io.eley.workloads.WorkloadResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Real Spark reads some columns of a table: what nobody wants is not read from the origin. */
@Tag("spark")
@Timeout(300)
class ColumnReadsTest {
  /** Some 70 MB, of which one column is 1.3. */
  private static final List<String> TABLE = List.of("160000", "50", "1");

  private static final String EXPRESSIONS = "sum(c7);max(n.b)";

  @TempDir private Path temp;

  @SuppressWarnings("NullAway.Init") // at the begin of each test
  private LinkedSparkHome home;

  private int runs;

  static List<Arguments> ways() {
    return Turns.of(List.of(Arguments.of("4.2", "parquet"), Arguments.of("3.5-scala-2.12", "orc")));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void oneOfFiftyColumns(String version, String format) throws Exception {
    Path root = Path.of(System.getProperty("eley.root"));
    home =
        LinkedSparkHome.create(
            temp.resolve("home"),
            root.resolve("ior-workloads/spark-" + version + "/target/spark.classpath"));
    Path origin = Files.createDirectory(temp.resolve("origin"));
    var made = new ArrayList<>(List.of(format, "file://" + origin + "/t", EXPRESSIONS));
    made.addAll(TABLE);
    WorkloadResult plain = run(made, Map.of());
    for (String plugin : List.of("", "io.eley.spark.connector.plan.EleyPlugin")) {
      try (var deployment =
          new Deployments(
              Files.createDirectory(temp.resolve("d" + runs)), origin, BufferMode.NO_ACTION)) {
        NodeServer node = deployment.startNode("a", "96m");
        var conf = new LinkedHashMap<String, String>();
        conf.put("spark.plugins", plugin);
        conf.put("spark.jars", Deployments.connectorJar().toString());
        conf.put("spark.hadoop.fs.bb.impl", "io.eley.spark.connector.fs.BbFileSystem");
        conf.put("spark.hadoop.eley.deployment", deployment.deploymentDirectory().toString());
        // On a busy machine nobody falls silent: what nodes read of the origin is counted.
        conf.putAll(Deployments.PATIENT_CLIENTS);
        WorkloadResult result = run(List.of(format, "bb:///t", EXPRESSIONS), conf);
        assertThat(result.digest()).isEqualTo(plain.digest());
        await().until(() -> node.counters().queuedFetches() == 0);
        Map<ReadCause, Long> bytes = node.counters().originBytes();
        System.out.printf(
            "%s %s %s: %s of the origin, Spark read %d%n",
            version, format, plugin.isEmpty() ? "unplanned" : "planned", bytes, result.readBytes());
        long all = bytes.values().stream().mapToLong(b -> b).sum();
        assertThat(result.readBytes()).as("of 70 MB").isBetween(2_400_000L, 3_000_000L);
        assertThat((double) all / result.readBytes()).as("of the origin").isBetween(0.9, 1.05);
        if (!plugin.isEmpty()) {
          assertThat(bytes.get(ReadCause.PREFETCH)).as("of the later waves").isPositive();
        }
      }
    }
  }

  private WorkloadResult run(List<String> arguments, Map<String, String> more) throws Exception {
    Path own = temp.resolve("run" + runs++);
    Path jar = ApplicationJar.of(Workload.class, own.resolve("jar"));
    var conf = new LinkedHashMap<>(more);
    conf.put("spark.sql.files.maxPartitionBytes", "16m");
    var application =
        new SparkApplication(
            TableScan.class.getName(), jar, arguments, conf, List.of(), Duration.ofMinutes(3));
    try (var submission =
        SparkSubmission.startLocalOnce(
            home, 2, DataSize.parse("1g"), application, own, (done, total) -> {})) {
      return submission.await();
    }
  }
}
