package io.eley.cli;

import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.HoldKeys;
import io.eley.bb.api.config.NetworkKeys;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.server.node.NodeKeys;
import io.eley.engine.alluxio.AlluxioKeys;
import io.eley.local.deployment.DeploymentPlan;
import io.eley.spark.connector.fs.FsKeys;
import io.eley.spark.connector.shuffle.ShuffleKeys;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What Spark has to be told of a deployment, by the names of Spark's keys. */
final class SparkSettings {
  /** By name: Spark's classes, which these extend, are not on this command's class path. */
  private static final String PLUGIN = "io.eley.spark.connector.plan.EleyPlugin";

  private static final String SHUFFLE = "io.eley.spark.connector.shuffle.EleyShuffleManager";

  private SparkSettings() {}

  /**
   * In the order in which they are shown.
   *
   * @param origin address; with it a job that finds no coordinator reads the origin by itself
   * @param scratch whether nodes take intermediate data
   * @param given to the deployment; those of its clients are among what Spark is told
   */
  static Map<String, String> of(
      Path deployment,
      String origin,
      Path connectorJar,
      boolean scratch,
      Map<String, String> given) {
    var settings = new LinkedHashMap<String, String>();
    settings.put("spark.plugins", PLUGIN);
    String classPath = classPath(origin, connectorJar);
    settings.put("spark.driver.extraClassPath", classPath);
    settings.put("spark.executor.extraClassPath", classPath);
    settings.put("spark.hadoop.eley.deployment", deployment.toString());
    settings.put("spark.hadoop." + ClientKeys.ORIGIN.name(), origin);
    if (scratch) {
      settings.put("spark.shuffle.manager", SHUFFLE);
    }
    for (String key : readBySpark()) {
      String value = given.get(key);
      if (value != null) {
        settings.putIfAbsent("spark.hadoop." + key, value);
      }
    }
    String client = given.getOrDefault(AlluxioKeys.CLIENT.name(), "");
    if (!client.isEmpty()) {
      // Spark puts both before its own jars; 4.2 ran with the client's log4j and servlets there.
      for (String key : List.of("spark.driver.extraClassPath", "spark.executor.extraClassPath")) {
        settings.merge(key, client, (ours, more) -> ours + File.pathSeparator + more);
      }
    }
    return settings;
  }

  /** The same of a deployment that was planned; under another engine with that engine's client. */
  static Map<String, String> of(Path deployment, DeploymentPlan plan, Path connectorJar) {
    boolean scratch = plan.settings().containsKey(NodeKeys.SPARK_HOME.name());
    return of(deployment, plan.origin(), connectorJar, scratch, plan.settings());
  }

  /**
   * Keys of processes that the deployment does not start. {@code await_nodes} of {@code steps.sh}
   * knows them, too.
   */
  private static List<String> readBySpark() {
    var keys = new ArrayList<ConfigKey<?>>(ClientKeys.all());
    keys.addAll(FsKeys.all());
    keys.addAll(ShuffleKeys.all());
    keys.add(HoldKeys.DELAY_MAX);
    keys.add(NetworkKeys.PROTECTION);
    return keys.stream().<String>map(ConfigKey::name).toList();
  }

  /** With the adapter by which Spark reads an origin that is no mount by itself, if it must. */
  private static String classPath(String origin, Path connectorJar) {
    return Origins.onOwnClassPath(origin)
        ? connectorJar.toString()
        : connectorJar + File.pathSeparator + connectorJar.resolveSibling("origin") + "/*";
  }
}
