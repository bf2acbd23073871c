package io.eley.cli;

import java.io.PrintWriter;
import java.nio.file.Path;

/** The lines that a user copies to spark-submit. */
final class SparkLines {
  /** By name: Hadoop's classes, which it extends, are not on this command's class path. */
  private static final String LOCAL_FILE_SYSTEM = "io.eley.spark.connector.fs.EleyLocalFileSystem";

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
    SparkSettings.of(deployment, origin, connectorJar, scratch)
        .forEach((key, value) -> conf(out, key, value));
    out.println();
    out.println("To read unchanged file://" + origin + "/... paths through the buffer too, add:");
    out.println();
    conf(out, "spark.hadoop.fs.file.impl", LOCAL_FILE_SYSTEM);
    out.println();
    out.println("Watch it with `eley top`, end it with `eley stop`" + hint(deployment) + ".");
    out.flush();
  }

  /** Lines for {@code spark-defaults.conf}. */
  static void defaults(PrintWriter out, Path deployment, String origin, Path connectorJar) {
    SparkSettings.of(deployment, origin, connectorJar, false)
        .forEach((key, value) -> out.println(key + " " + value));
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
