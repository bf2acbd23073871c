package io.eley.system.spark;

import io.eley.system.Deployments;
import io.eley.system.SparkHomes;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.SparkApplication;
import io.eley.workloads.SparkCluster;
import io.eley.workloads.SparkClusterOptions;
import io.eley.workloads.SparkSubmission;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Clusters of every Spark that is asked for, on which {@code ShuffleJobs} of the connector's tests
 * run.
 */
final class ShuffleClusters implements AutoCloseable {
  static final String NEWEST = SparkHomes.NEWEST;

  private static final String PROGRAM = "io.eley.spark.connector.features.ShuffleJobs";
  private static final String MANAGER = "io.eley.spark.connector.shuffle.EleyShuffleManager";

  private final Path directory;
  private final Map<String, LinkedSparkHome> homes = new HashMap<>();
  private final Map<String, SparkCluster> clusters = new HashMap<>();

  ShuffleClusters(Path directory) {
    this.directory = directory;
  }

  /** Those that {@code -Deley.test.sparks=4.1:FILE,...} names with their class paths. */
  static Map<String, Path> others() {
    var files = new LinkedHashMap<String, Path>();
    for (String other : System.getProperty("eley.test.sparks", "").split(",", -1)) {
      int colon = other.indexOf(':');
      if (colon > 0) {
        files.put(other.substring(0, colon), Path.of(other.substring(colon + 1)));
      }
    }
    return files;
  }

  /** Starts one of a version, unless it runs. */
  void start(String version) throws Exception {
    if (!clusters.containsKey(version)) {
      Path jars = others().get(version);
      Path ownHome = directory.resolve("home-" + version);
      var home = jars == null ? SparkHomes.of(version, ownHome) : SparkHomes.create(ownHome, jars);
      Path own = directory.resolve("cluster-" + version);
      clusters.put(version, SparkCluster.start(SparkClusterOptions.small(home, own)));
      homes.put(version, home);
    }
  }

  /** The home of a version that was started. */
  String home(String version) {
    return Objects.requireNonNull(homes.get(version)).directory().toString();
  }

  /** Writers wait long for nodes: on a busy machine outputs would stay with executors otherwise. */
  static Map<String, String> buffered(Path deployment) {
    return Map.of(
        "spark.shuffle.manager",
        MANAGER,
        "spark.hadoop.eley.client.connect-timeout",
        "10s",
        "spark.hadoop.eley.shuffle.silence",
        "10s",
        "spark.hadoop.eley.deployment",
        deployment.toString());
  }

  SparkSubmission submit(
      String version, Path run, List<String> arguments, Map<String, String> more, Duration deadline)
      throws Exception {
    Path root = Path.of(System.getProperty("eley.root"));
    Path connector = Deployments.connectorJar();
    Path programs = root.resolve("spark-connector/target/test-classes");
    var conf = new LinkedHashMap<>(more);
    conf.put("spark.plugins", "io.eley.spark.connector.plan.EleyPlugin");
    var home = Objects.requireNonNull(homes.get(version));
    conf.put("spark.executor.extraJavaOptions", home.quickExecutorOptions());
    var application =
        new SparkApplication(
            PROGRAM, connector, arguments, conf, List.of(connector, programs), deadline);
    var cluster = Objects.requireNonNull(clusters.get(version));
    return SparkSubmission.start(cluster, application, run, (done, total) -> {});
  }

  @Override
  public void close() {
    clusters.values().forEach(SparkCluster::close);
  }
}
