package io.eley.system.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.bb.server.node.NodeServer;
import io.eley.system.Deployments;
import io.eley.workloads.ApplicationJar;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.RandomTextWriter;
import io.eley.workloads.SparkApplication;
import io.eley.workloads.SparkCluster;
import io.eley.workloads.SparkClusterOptions;
import io.eley.workloads.SparkSubmission;
import io.eley.workloads.TableScan;
import io.eley.workloads.Workload;
import io.eley.workloads.WorkloadResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real cluster of Spark "without Hadoop" on a site's own, in jars as Hadoop builds them, with no
 * class of theirs moved: text and Parquet are read and written through {@code bb://}, planned.
 * Another Hadoop is tried with {@code -Dhadoop-site.version=3.4.2}.
 */
@Tag("spark")
@Timeout(300)
class SiteHadoopTest {
  private static final int FILES = 2;
  private static final int FILE_BYTES = 4 << 20;

  @TempDir private Path temp;

  @Test
  void textAndTablesAreReadAndWrittenAsPlanned() throws Exception {
    Path origin = Files.createDirectory(temp.resolve("origin"));
    var text = new RandomTextWriter.Plan(origin.resolve("in"), FILES, FILE_BYTES, 7);
    RandomTextWriter.write(text, 2, bytes -> {});
    Path workloads = Path.of(System.getProperty("eley.root"), "ior-workloads");
    var home =
        LinkedSparkHome.createBesideHadoop(
            temp.resolve("home"),
            workloads.resolve("spark-3.5-scala-2.12/target/spark.classpath"),
            workloads.resolve("hadoop-site/target/hadoop.classpath"));
    try (var cluster =
        SparkCluster.start(SparkClusterOptions.small(home, temp.resolve("cluster")))) {
      var counted = List.of("bb:///in", "bb:///out", "4", "--partition-bytes=1048576");
      WorkloadResult words = run(cluster, origin, Workload.WORD_COUNT.mainClass(), counted);
      assertThat(words.inputBytes()).isEqualTo(FILES * FILE_BYTES);
      assertThat(origin.resolve("out/_SUCCESS")).exists();

      var made = List.of("parquet", "bb:///table", "sum(c7);max(n.b)", "20000", "20", "4");
      WorkloadResult columns = run(cluster, origin, TableScan.class.getName(), made);
      assertThat(columns.readBytes()).as("of 3.5 MB").isBetween(300_000L, 700_000L);
    }
  }

  private WorkloadResult run(
      SparkCluster cluster, Path origin, String program, List<String> arguments) throws Exception {
    Path own = Files.createDirectory(temp.resolve(program));
    Path connector = Deployments.connectorJar();
    try (var deployment = new Deployments(own, origin, BufferMode.NO_ACTION)) {
      NodeServer node = deployment.startNode("a", "64m");
      var application =
          new SparkApplication(
              program,
              ApplicationJar.of(Workload.class, own.resolve("jar")),
              arguments,
              Map.of(
                  "spark.plugins", "io.eley.spark.connector.plan.EleyPlugin",
                  "spark.executor.extraJavaOptions", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
                  "spark.executor.extraClassPath", connector.toString(),
                  // On a busy machine nobody falls silent: who reads is judged.
                  "spark.hadoop.eley.client.connect-timeout", "20s",
                  "spark.hadoop.eley.client.silence", "10s",
                  "spark.hadoop.eley.deployment", deployment.deploymentDirectory().toString()),
              List.of(connector),
              Duration.ofMinutes(2));
      try (var submission =
          SparkSubmission.start(cluster, application, own.resolve("run"), (done, total) -> {})) {
        WorkloadResult result = submission.await();
        await().until(() -> node.counters().queuedFetches() == 0);
        assertThat(node.counters().originBytes().get(ReadCause.PREFETCH)).isPositive();
        String log = Files.readString(own.resolve("run/driver.log"));
        assertThat(log).doesNotContain("(not planned)");
        assertThat(log.lines().filter(line -> line.contains("Exception")))
            .as(log)
            .allMatch(line -> SparkFeaturesTest.TOLD_TOO_LATE.matcher(line).matches());
        return result;
      }
    }
  }
}
