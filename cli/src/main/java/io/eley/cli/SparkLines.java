package io.eley.cli;

import io.eley.bb.api.client.ClientKeys;
import java.io.PrintWriter;
import java.nio.file.Path;

/** The lines that a user copies to spark-submit. */
final class SparkLines {
  /** By name: Spark's classes, which these extend, are not on this command's class path. */
  private static final String PLUGIN = "io.eley.spark.connector.plan.EleyPlugin";

  private static final String LOCAL_FILE_SYSTEM = "io.eley.spark.connector.fs.EleyLocalFileSystem";

  private static final String SHUFFLE = "io.eley.spark.connector.shuffle.EleyShuffleManager";

  /** With this a job that finds no coordinator reads the origin by itself. */
  private static final String ORIGIN = "spark.hadoop." + ClientKeys.ORIGIN.name();

  private SparkLines() {}

  /**
   * Prints them for people.
   *
   * @param scratch whether nodes take intermediate data
   */
  static void print(
      PrintWriter out, Path deployment, String origin, Path connectorJar, boolean scratch) {
    out.println();
    out.println("Give these to spark-submit or pyspark, then read bb:///path/under/the/origin:");
    out.println();
    conf(out, "spark.plugins", PLUGIN);
    conf(out, "spark.driver.extraClassPath", connectorJar.toString());
    conf(out, "spark.executor.extraClassPath", connectorJar.toString());
    conf(out, "spark.hadoop.eley.deployment", deployment.toString());
    conf(out, ORIGIN, origin);
    if (scratch) {
      conf(out, "spark.shuffle.manager", SHUFFLE);
    }
    out.println();
    out.println("To read unchanged file://" + origin + "/... paths through the buffer too, add:");
    out.println();
    conf(out, "spark.hadoop.fs.file.impl", LOCAL_FILE_SYSTEM);
    out.println();
    out.println("Watch it with `eley status`, end it with `eley stop`" + hint(deployment) + ".");
    out.flush();
  }

  /** Lines for {@code spark-defaults.conf}. */
  static void defaults(PrintWriter out, Path deployment, String origin, Path connectorJar) {
    out.println("spark.plugins " + PLUGIN);
    out.println("spark.driver.extraClassPath " + connectorJar);
    out.println("spark.executor.extraClassPath " + connectorJar);
    out.println("spark.hadoop.eley.deployment " + deployment);
    out.println(ORIGIN + " " + origin);
    out.flush();
  }

  private static void conf(PrintWriter out, String key, String value) {
    out.println("  --conf " + key + "=" + value + " \\");
  }

  private static String hint(Path deployment) {
    return deployment.equals(DeploymentOption.standard().directory())
        ? ""
        : " (with --deployment " + deployment + ")";
  }
}
