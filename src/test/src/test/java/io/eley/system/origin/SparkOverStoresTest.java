package io.eley.system.origin;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.system.InTurn;
import io.eley.workloads.WorkloadResult;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real Spark reads tables in real stores through {@code eley start}, by {@code bb://} and by their
 * own paths, and computes what it does without; no more is read there than it wants.
 */
@Tag("spark")
@Timeout(600)
class SparkOverStoresTest {
  private static final String COLUMNS = "sum(c7);max(n.b)";

  /** Some 70 MB in two files, of which a column is 1.3. */
  private static final List<String> TABLE = List.of("160000", "50", "2");

  private static final List<String> SMALL = List.of("20000", "10", "2");

  @TempDir private Path temp;
  private StoreSpark spark;

  @BeforeEach
  void makeSpark() throws Exception {
    spark = new StoreSpark(temp);
  }

  @AfterEach
  void stop() throws Exception {
    spark.stop();
  }

  @Test
  @InTurn(turn = 0, of = 3)
  void aTableInS3() throws Exception {
    try (var s3 = StoreProcess.s3(temp);
        var link =
            new SlowLink(URI.create(s3.client().get("fs.s3a.endpoint")).getPort(), Duration.ZERO)) {
      Map<String, String> store = StoreSpark.through(s3.client(), link);
      String table = "s3a://bucket/data/t";
      WorkloadResult alone = spark.scan(4, table, COLUMNS, TABLE, store);

      spark.start("s3a://bucket/data", store, List.of());
      var eley = new LinkedHashMap<>(store);
      eley.put("spark.hadoop.fs.s3a.impl", "io.eley.spark.connector.fs.EleyS3aFileSystem");
      eley.putAll(spark.plugin());
      long before = link.received();
      WorkloadResult both = spark.scan(4, "bb:///t," + table, COLUMNS, List.of(), eley);

      assertThat(both.digest()).isEqualTo(alone.digest());
      DeploymentReport report = spark.report();
      say("s3", both, report, link.received() - before);
      // Spark counts what it read twice, and the second time it was in RAM.
      long wanted = both.readBytes() / 2;
      assertThat(origin(report)).isBetween(wanted * 9 / 10, wanted * 105 / 100);
      assertThat(report.originBytes().get(ReadCause.PREFETCH)).isPositive();
    }
  }

  /** Executors write and read past the buffer, here without a deployment, by Spark's settings. */
  @Test
  @InTurn(turn = 1, of = 3)
  void aTableInS3ThatOnlySparksSettingsReach() throws Exception {
    try (var s3 = StoreProcess.s3(temp);
        var cluster = spark.cluster()) {
      Map<String, String> store = StoreSpark.settings(s3.client());
      WorkloadResult alone = spark.scan(2, "s3a://bucket/data/t", COLUMNS, SMALL, store);

      var eley = new LinkedHashMap<>(store);
      eley.put("spark.hadoop.fs.s3a.impl", "io.eley.spark.connector.fs.EleyS3aFileSystem");
      eley.put("spark.hadoop.fs.bb.impl", "io.eley.spark.connector.fs.BbFileSystem");
      eley.put("spark.hadoop.eley.client.origin", "s3a://bucket/data");
      eley.put("spark.hadoop.eley.client.origin-deadline", "20s");
      WorkloadResult written = spark.scan(cluster, "bb:///u", COLUMNS, SMALL, eley);
      assertThat(written.digest()).isEqualTo(alone.digest());

      String both = "bb:///u,s3a://bucket/data/t";
      assertThat(spark.scan(cluster, both, COLUMNS, List.of(), eley).digest())
          .isEqualTo(alone.digest());
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  void aTableInHdfs() throws Exception {
    try (var hdfs = StoreProcess.hdfs(temp)) {
      String root = hdfs.client().get("fs.defaultFS");
      String table = root + "/data/t";
      Map<String, String> store = Map.of("spark.hadoop.dfs.replication", "1");
      WorkloadResult alone = spark.scan(4, table, COLUMNS, TABLE, store);

      spark.start(root + "/data", Map.of(), List.of());
      var eley = new LinkedHashMap<>(store);
      eley.put("spark.hadoop.fs.hdfs.impl", "io.eley.spark.connector.fs.EleyHdfsFileSystem");
      eley.putAll(spark.plugin());
      WorkloadResult both = spark.scan(4, "bb:///t," + table, COLUMNS, List.of(), eley);

      assertThat(both.digest()).isEqualTo(alone.digest());
      DeploymentReport report = spark.report();
      say("hdfs", both, report, 0);
      long wanted = both.readBytes() / 2;
      assertThat(origin(report)).isBetween(wanted * 9 / 10, wanted * 105 / 100);
      assertThat(report.originBytes().get(ReadCause.PREFETCH)).isPositive();
    }
  }

  private static void say(String store, WorkloadResult result, DeploymentReport report, long sent) {
    System.out.printf(
        "%s: Spark read %d, nodes %s of the origin; the server sent %d%n",
        store, result.readBytes(), report.originBytes(), sent);
  }

  private static long origin(DeploymentReport report) {
    return report.originBytes().values().stream().mapToLong(b -> b).sum();
  }
}
