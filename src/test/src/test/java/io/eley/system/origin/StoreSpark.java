package io.eley.system.origin;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.local.deployment.LocalDeployment;
import io.eley.system.Deployments;
import io.eley.system.EleyCommand;
import io.eley.workloads.ApplicationJar;
import io.eley.workloads.LinkedSparkHome;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** A Spark that has S3A and the connector, and a deployment of processes over a store. */
final class StoreSpark {
  private final Path temp;
  private final boolean measures;
  private final LinkedSparkHome home;
  private int runs;

  /** Everything is in this directory. */
  StoreSpark(Path temp) throws Exception {
    this(temp, false);
  }

  /**
   * The same.
   *
   * @param measures whether applications run for long, and their times are looked at
   */
  StoreSpark(Path temp, boolean measures) throws Exception {
    this.temp = temp;
    this.measures = measures;
    home = sparkWithS3a();
  }

  /** Spark's jars as Maven resolved them, the connector's, and those that S3A takes beside them. */
  private LinkedSparkHome sparkWithS3a() throws Exception {
    Path root = StoreProcess.ROOT;
    String spark = Files.readString(root.resolve("ior-workloads/spark-4.2/target/spark.classpath"));
    var jars = new LinkedHashMap<String, String>();
    for (String jar : spark.strip().split(":", -1)) {
      jars.put(Path.of(jar).getFileName().toString(), jar);
    }
    for (Path jar : StoreProcess.s3aJars()) {
      jars.putIfAbsent(jar.getFileName().toString(), jar.toString());
    }
    String connector = Deployments.connectorJar().toString();
    jars.put("eley.jar", connector);
    Path source = Files.writeString(temp.resolve("classpath"), String.join(":", jars.values()));
    return LinkedSparkHome.create(temp.resolve("home"), source);
  }

  /** Spark's settings for a store. */
  static Map<String, String> settings(Configuration client) {
    var settings = new LinkedHashMap<String, String>();
    client.forEach(entry -> settings.put("spark.hadoop." + entry.getKey(), entry.getValue()));
    return settings;
  }

  /** Spark's settings for a store behind a link. */
  static Map<String, String> through(Configuration client, SlowLink link) {
    Map<String, String> settings = settings(client);
    settings.put("spark.hadoop.fs.s3a.endpoint", "http://127.0.0.1:" + link.port());
    return settings;
  }

  /**
   * {@code eley start} over an origin, which Spark reads with these settings, or over a mount; one
   * node.
   *
   * @param more words of the command
   */
  void start(String origin, Map<String, String> store, List<String> more) throws Exception {
    start(origin, store, 1, more);
  }

  /** The same with some nodes. */
  void start(String origin, Map<String, String> store, int nodes, List<String> more)
      throws Exception {
    Path conf = Files.createDirectories(temp.resolve("conf"));
    var site = new Configuration(false);
    store.forEach((key, value) -> site.set(key.replaceFirst("^spark\\.hadoop\\.", ""), value));
    try (var out = Files.newOutputStream(conf.resolve("core-site.xml"))) {
      site.writeXml(out);
    }
    var words =
        new ArrayList<>(
            List.of(
                "start",
                "-d",
                temp + "/d",
                "--origin",
                origin,
                "--nodes",
                Integer.toString(nodes),
                "--memory",
                "512m",
                "--no-scratch",
                "--ram-disk",
                ramDisk()));
    if (origin.contains("://")) {
      words.addAll(List.of("--origin-classpath", home.directory().resolve("jars") + "/*"));
    }
    words.addAll(more);
    var environment = Map.of("HADOOP_CONF_DIR", conf.toString());
    var started = EleyCommand.run(temp, environment, words.toArray(String[]::new));
    assertThat(started.code()).as(started.text()).isZero();
  }

  private static String ramDisk() {
    return Files.isWritable(Path.of("/dev/shm"))
        ? "/dev/shm"
        : System.getProperty("java.io.tmpdir");
  }

  /** Ends the deployment, if there is one. */
  void stop() throws Exception {
    if (Files.exists(temp.resolve("d"))) {
      assertThat(EleyCommand.run(temp, "stop", "-d", temp + "/d").code()).isZero();
    }
  }

  /** What the deployment says of itself; nodes report twice a second. */
  DeploymentReport report() throws Exception {
    try (var coordinator = LocalDeployment.connect(new DeploymentFiles(temp.resolve("d")))) {
      return coordinator.report();
    }
  }

  Path deployment() {
    return temp.resolve("d");
  }

  /**
   * Settings of the plugin, and of {@code bb://}. On a busy machine nobody falls silent: what nodes
   * read of the origin is counted.
   */
  Map<String, String> plugin() {
    return Map.of(
        "spark.plugins", "io.eley.spark.connector.plan.EleyPlugin",
        "spark.hadoop.fs.bb.impl", "io.eley.spark.connector.fs.BbFileSystem",
        "spark.hadoop.eley.client.connect-timeout", "20s",
        "spark.hadoop.eley.client.silence", "10s",
        "spark.hadoop.eley.deployment", temp.resolve("d").toString());
  }

  /**
   * Runs {@link TableScan} in one JVM.
   *
   * @param slots tasks at once
   * @param table what its last arguments are, when it is to make the table
   */
  WorkloadResult scan(
      int slots, String uris, String expressions, List<String> table, Map<String, String> more)
      throws Exception {
    var conf = new LinkedHashMap<>(more);
    conf.put("spark.sql.files.maxPartitionBytes", "16m");
    var arguments = new ArrayList<>(List.of("parquet", uris, expressions));
    arguments.addAll(table);
    try (var submission = submit(slots, TableScan.class, arguments, conf)) {
      return submission.await();
    }
  }

  /** A cluster without a {@code core-site.xml}, as Spark's own scripts start it. */
  SparkCluster cluster() throws Exception {
    return SparkCluster.start(SparkClusterOptions.small(home, temp.resolve("cluster")));
  }

  /** Runs {@link TableScan} on a cluster that has the adapter of stores on its class path. */
  WorkloadResult scan(
      SparkCluster cluster,
      String uris,
      String expressions,
      List<String> table,
      Map<String, String> more)
      throws Exception {
    Path adapter = StoreProcess.ROOT.resolve("origin-hadoop/target/classes");
    var conf = new LinkedHashMap<>(more);
    conf.put("spark.executor.extraClassPath", adapter.toString());
    var arguments = new ArrayList<>(List.of("parquet", uris, expressions));
    arguments.addAll(table);
    Path own = temp.resolve("run" + ++runs);
    Path jar = ApplicationJar.of(Workload.class, own.resolve("jar"));
    var application =
        new SparkApplication(
            TableScan.class.getName(),
            jar,
            arguments,
            conf,
            List.of(adapter),
            Duration.ofMinutes(5));
    try (var submission = SparkSubmission.start(cluster, application, own, (done, total) -> {})) {
      return submission.await();
    }
  }

  /** Starts an application of the workloads in one JVM. */
  SparkSubmission submit(
      int slots, Class<?> main, List<String> arguments, Map<String, String> settings)
      throws Exception {
    Path own = temp.resolve("run" + ++runs);
    Path jar = ApplicationJar.of(Workload.class, own.resolve("jar"));
    var application =
        new SparkApplication(
            main.getName(), jar, arguments, settings, List.of(), Duration.ofMinutes(8));
    DataSize heap = DataSize.parse("1g");
    return measures
        ? SparkSubmission.startLocal(home, slots, heap, application, own, (done, total) -> {})
        : SparkSubmission.startLocalOnce(home, slots, heap, application, own, (done, total) -> {});
  }

  /** What the last run printed. */
  List<String> printed() throws Exception {
    return Files.readAllLines(temp.resolve("run" + runs).resolve("driver.out"));
  }
}
