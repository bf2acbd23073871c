package io.eley.system.origin;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.local.deployment.LocalDeployment;
import io.eley.system.Deployments;
import io.eley.system.EleyCommand;
import io.eley.workloads.ApplicationJar;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.SparkApplication;
import io.eley.workloads.SparkSubmission;
import io.eley.workloads.TableScan;
import io.eley.workloads.Workload;
import io.eley.workloads.WorkloadResult;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
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

  @TempDir private Path temp;
  private LinkedSparkHome home;
  private int runs;

  @BeforeEach
  void makeHome() throws Exception {
    home = sparkWithS3a();
  }

  @AfterEach
  void stop() throws Exception {
    if (Files.exists(temp.resolve("d"))) {
      assertThat(eley(Map.of(), "stop", "-d", temp + "/d").code()).isZero();
    }
  }

  @Test
  void aTableInS3() throws Exception {
    try (var s3 = StoreProcess.s3(temp);
        var link =
            new SlowLink(URI.create(s3.client().get("fs.s3a.endpoint")).getPort(), Duration.ZERO)) {
      Map<String, String> store = through(s3.client(), link);
      String table = "s3a://bucket/data/t";
      WorkloadResult alone = scan(table, COLUMNS, TABLE, store);

      start("s3a://bucket/data", store);
      var eley = new LinkedHashMap<>(store);
      eley.put("spark.hadoop.fs.s3a.impl", "io.eley.spark.connector.fs.EleyS3aFileSystem");
      eley.putAll(plugin());
      long before = link.received();
      WorkloadResult both = scan("bb:///t," + table, COLUMNS, List.of(), eley);

      assertThat(both.digest()).isEqualTo(alone.digest());
      DeploymentReport report = report();
      say("s3", both, report, link.received() - before);
      // Spark counts what it read twice, and the second time it was in RAM.
      long wanted = both.readBytes() / 2;
      assertThat(origin(report)).isBetween(wanted * 9 / 10, wanted * 105 / 100);
      assertThat(report.originBytes().get(ReadCause.PREFETCH)).isPositive();
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  void aTableInHdfs() throws Exception {
    try (var hdfs = StoreProcess.hdfs(temp)) {
      String root = hdfs.client().get("fs.defaultFS");
      String table = root + "/data/t";
      Map<String, String> store = Map.of("spark.hadoop.dfs.replication", "1");
      WorkloadResult alone = scan(table, COLUMNS, TABLE, store);

      start(root + "/data", Map.of());
      var eley = new LinkedHashMap<>(store);
      eley.put("spark.hadoop.fs.hdfs.impl", "io.eley.spark.connector.fs.EleyHdfsFileSystem");
      eley.putAll(plugin());
      WorkloadResult both = scan("bb:///t," + table, COLUMNS, List.of(), eley);

      assertThat(both.digest()).isEqualTo(alone.digest());
      DeploymentReport report = report();
      say("hdfs", both, report, 0);
      long wanted = both.readBytes() / 2;
      assertThat(origin(report)).isBetween(wanted * 9 / 10, wanted * 105 / 100);
      assertThat(report.originBytes().get(ReadCause.PREFETCH)).isPositive();
    }
  }

  /**
   * The figures of docs/measurements: {@code -Deley.test.latency=30} milliseconds there and back.
   */
  @Test
  @EnabledIfSystemProperty(named = "eley.test.latency", matches = "\\d+")
  void scansAndColumnsBehindALongWay() throws Exception {
    var oneWay = Duration.ofNanos(Long.getLong("eley.test.latency") * 500_000);
    int repetitions = Integer.getInteger("eley.test.repetitions", 3);
    List<String> table = List.of(System.getProperty("eley.test.rows", "600000"), "50", "8");
    var all = new StringBuilder();
    for (int i = 1; i <= 50; i++) {
      all.append(i == 1 ? "" : ";").append("sum(c").append(i).append(")");
    }
    String uri = "s3a://bucket/data/t";
    try (var s3 = StoreProcess.s3(temp)) {
      int port = URI.create(s3.client().get("fs.s3a.endpoint")).getPort();
      try (var near = new SlowLink(port, Duration.ZERO)) {
        var unused = scan(uri, "count(1)", table, through(s3.client(), near));
      }
      try (var link = new SlowLink(port, oneWay)) {
        Map<String, String> store = through(s3.client(), link);
        for (int i = 0; i < repetitions; i++) {
          for (String expressions : List.of(all.toString(), COLUMNS)) {
            String what = expressions.equals(COLUMNS) ? "columns" : "scan";
            var alone = timed(what + " alone", uri, expressions, store, link, true);
            start("s3a://bucket/data", store);
            var eley = new LinkedHashMap<>(store);
            eley.put("spark.hadoop.fs.s3a.impl", "io.eley.spark.connector.fs.EleyS3aFileSystem");
            eley.putAll(plugin());
            var through = timed(what + " eley", uri, expressions, eley, link, false);
            say("latency", through, report(), 0);
            assertThat(eley(Map.of(), "stop", "-d", temp + "/d").code()).isZero();
            assertThat(through.digest()).isEqualTo(alone.digest());
          }
        }
      }
    }
  }

  private WorkloadResult timed(
      String what,
      String uri,
      String expressions,
      Map<String, String> conf,
      SlowLink link,
      boolean analytics)
      throws Exception {
    var own = new LinkedHashMap<>(conf);
    own.put("spark.driver.extraJavaOptions", "-XX:+UseSerialGC");
    if (analytics) {
      own.put("spark.hadoop.fs.s3a.input.stream.type", "analytics");
    }
    long bytes = link.received();
    long gets = link.gets();
    WorkloadResult result = scan(uri, expressions, List.of(), own);
    System.out.printf(
        Locale.ROOT,
        "%s: %.2f s, Spark read %d, the server sent %d in answers to %d GETs%n",
        what,
        result.totalSeconds(),
        result.readBytes(),
        link.received() - bytes,
        link.gets() - gets);
    return result;
  }

  private static void say(String store, WorkloadResult result, DeploymentReport report, long sent) {
    System.out.printf(
        "%s: Spark read %d, nodes %s of the origin; the server sent %d%n",
        store, result.readBytes(), report.originBytes(), sent);
  }

  private static long origin(DeploymentReport report) {
    return report.originBytes().values().stream().mapToLong(b -> b).sum();
  }

  private DeploymentReport report() throws Exception {
    try (var coordinator = LocalDeployment.connect(new DeploymentFiles(temp.resolve("d")))) {
      // Nodes report twice a second; the application has ended seconds ago, with its JVM.
      return coordinator.report();
    }
  }

  private void start(String origin, Map<String, String> store) throws Exception {
    Path conf = Files.createDirectories(temp.resolve("conf"));
    var site = new Configuration(false);
    store.forEach((key, value) -> site.set(key.replaceFirst("^spark\\.hadoop\\.", ""), value));
    try (var out = Files.newOutputStream(conf.resolve("core-site.xml"))) {
      site.writeXml(out);
    }
    var started =
        eley(
            Map.of("HADOOP_CONF_DIR", conf.toString()),
            "start",
            "-d",
            temp + "/d",
            "--origin",
            origin,
            "--origin-classpath",
            home.directory().resolve("jars") + "/*",
            "--nodes",
            "1",
            "--memory",
            "512m",
            "--no-scratch",
            "--ram-disk",
            ramDisk());
    assertThat(started.code()).as(started.text()).isZero();
  }

  private static String ramDisk() {
    return Files.isWritable(Path.of("/dev/shm"))
        ? "/dev/shm"
        : System.getProperty("java.io.tmpdir");
  }

  private EleyCommand.Ended eley(Map<String, String> environment, String... words)
      throws Exception {
    return EleyCommand.run(temp, environment, words);
  }

  private Map<String, String> plugin() throws Exception {
    return Map.of(
        "spark.plugins", "io.eley.spark.connector.plan.EleyPlugin",
        "spark.hadoop.fs.bb.impl", "io.eley.spark.connector.fs.BbFileSystem",
        "spark.hadoop.eley.deployment", temp.resolve("d").toString());
  }

  /** Spark's settings for a store behind a link. */
  private static Map<String, String> through(Configuration client, SlowLink link) {
    var settings = new LinkedHashMap<String, String>();
    client.forEach(entry -> settings.put("spark.hadoop." + entry.getKey(), entry.getValue()));
    settings.put("spark.hadoop.fs.s3a.endpoint", "http://127.0.0.1:" + link.port());
    return settings;
  }

  private WorkloadResult scan(
      String uris, String expressions, List<String> table, Map<String, String> more)
      throws Exception {
    Path own = temp.resolve("run" + runs++);
    Path jar = ApplicationJar.of(Workload.class, own.resolve("jar"));
    var conf = new LinkedHashMap<>(more);
    conf.put("spark.sql.files.maxPartitionBytes", "16m");
    conf.putIfAbsent("spark.driver.extraJavaOptions", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
    var arguments = new java.util.ArrayList<>(List.of("parquet", uris, expressions));
    arguments.addAll(table);
    var application =
        new SparkApplication(
            TableScan.class.getName(), jar, arguments, conf, List.of(), Duration.ofMinutes(4));
    try (var submission =
        SparkSubmission.startLocal(
            home, 4, DataSize.parse("1g"), application, own, (done, total) -> {})) {
      return submission.await();
    }
  }

  /** Spark's jars as Maven resolved them, the connector's, and those that S3A takes beside them. */
  private LinkedSparkHome sparkWithS3a() throws Exception {
    Path root = StoreProcess.ROOT;
    String spark = Files.readString(root.resolve("ior-workloads/spark-4.2/target/spark.classpath"));
    var jars = new LinkedHashMap<String, String>();
    for (String jar : spark.strip().split(":", -1)) {
      jars.put(Path.of(jar).getFileName().toString(), jar);
    }
    String servers = Files.readString(root.resolve("origin-hadoop/target/servers.classpath"));
    for (String jar : servers.strip().split(":", -1)) {
      if (jar.matches(
          ".*/(software/amazon|org/reactivestreams|org/apache/httpcomponents"
              + "|hadoop-aws)/.*")) {
        jars.putIfAbsent(Path.of(jar).getFileName().toString(), jar);
      }
    }
    String connector = Deployments.connectorJar().toString();
    jars.put("eley.jar", connector);
    Path source = Files.writeString(temp.resolve("classpath"), String.join(":", jars.values()));
    return LinkedSparkHome.create(temp.resolve("home"), source);
  }
}
