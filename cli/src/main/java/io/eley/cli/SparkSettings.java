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
   */
  static Map<String, String> of(
      Path deployment, String origin, Path connectorJar, boolean scratch) {
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
    return settings;
  }

  /** The same of a deployment that was planned; under another engine with that engine's client. */
  static Map<String, String> of(Path deployment, DeploymentPlan plan, Path connectorJar) {
    boolean scratch = plan.settings().containsKey(NodeKeys.SPARK_HOME.name());
    Map<String, String> settings = of(deployment, plan.origin(), connectorJar, scratch);
    for (String key : readBySpark()) {
      String given = plan.settings().get(key);
      if (given != null) {
        settings.putIfAbsent("spark.hadoop." + key, given);
      }
    }
    String client = plan.settings().getOrDefault(AlluxioKeys.CLIENT.name(), "");
    if (!client.isEmpty()) {
      // Spark puts both before its own jars; 4.2 ran with the client's log4j and servlets there.
      for (String key : List.of("spark.driver.extraClassPath", "spark.executor.extraClassPath")) {
        settings.merge(key, client, (ours, more) -> ours + File.pathSeparator + more);
      }
    }
    return settings;
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
