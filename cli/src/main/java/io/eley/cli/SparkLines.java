package io.eley.cli;

import io.eley.spark.fs.EleyLocalFileSystem;
import io.eley.spark.plan.EleyPlugin;
import java.io.PrintWriter;
import java.nio.file.Path;

/** The lines that a user copies to spark-submit. */
final class SparkLines {
  private SparkLines() {}

  static void print(PrintWriter out, Path deployment, String origin, Path connectorJar) {
    out.println();
    out.println("Give these to spark-submit or pyspark, then read bb:///path/under/the/origin:");
    out.println();
    conf(out, "spark.plugins", EleyPlugin.class.getName());
    conf(out, "spark.driver.extraClassPath", connectorJar.toString());
    conf(out, "spark.executor.extraClassPath", connectorJar.toString());
    conf(out, "spark.hadoop.eley.deployment", deployment.toString());
    out.println();
    out.println("To read unchanged file://" + origin + "/... paths through the buffer too, add:");
    out.println();
    conf(out, "spark.hadoop.fs.file.impl", EleyLocalFileSystem.class.getName());
    out.println();
    out.println("Watch it with `eley status`, end it with `eley stop`" + hint(deployment) + ".");
    out.flush();
  }

  private static void conf(PrintWriter out, String key, String value) {
    out.println("  --conf " + key + "=" + value + " \\");
  }

  private static String hint(Path deployment) {
    return deployment.equals(io.eley.cli.deploy.DeploymentDirectory.standard().path())
        ? ""
        : " (with --deployment " + deployment + ")";
  }
}
