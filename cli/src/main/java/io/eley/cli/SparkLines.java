package io.eley.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/** The lines that a user copies to spark-submit. */
final class SparkLines {
  /** By name: Hadoop's classes, which they extend, are not on this command's class path. */
  private static final Map<String, String> FILE_SYSTEMS =
      Map.of(
          "file", "io.eley.spark.connector.fs.EleyLocalFileSystem",
          "hdfs", "io.eley.spark.connector.fs.EleyHdfsFileSystem",
          "s3a", "io.eley.spark.connector.fs.EleyS3aFileSystem");

  private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9_./:=@%+,-]*");

  private SparkLines() {}

  /**
   * Prints them for people.
   *
   * @param settings see {@link SparkSettings}
   */
  static void print(PrintWriter out, Path deployment, String origin, Map<String, String> settings) {
    out.println();
    out.println("Give these to spark-submit or pyspark, then read bb:///path/under/the/origin:");
    out.println();
    settings.forEach((key, value) -> conf(out, key, value));
    out.println();
    unchanged(out, origin);
    out.println("Watch it with `eley top`, end it with `eley stop`" + hint(deployment) + ".");
    out.flush();
  }

  private static void unchanged(PrintWriter out, String origin) {
    String address = origin.startsWith("/") ? "file://" + origin : origin;
    String scheme = address.substring(0, Math.max(0, address.indexOf(':')));
    String fileSystem = FILE_SYSTEMS.get(scheme);
    if (fileSystem != null) {
      String below = address.endsWith("/") ? address : address + "/";
      out.println("To read unchanged " + below + "... paths through the buffer too, add:");
      out.println();
      conf(out, "spark.hadoop.fs." + scheme + ".impl", fileSystem);
      out.println();
    }
  }

  /**
   * Prints them for {@code spark-defaults.conf}.
   *
   * @param settings see {@link SparkSettings}
   */
  static void defaults(PrintWriter out, Map<String, String> settings) {
    settings.forEach((key, value) -> out.println(key + " " + value));
    out.flush();
  }

  private static void conf(PrintWriter out, String key, String value) {
    out.println("  --conf " + quoted(key + "=" + value) + " \\");
  }

  /** One word for every shell: zsh refuses a {@code *} that no file matches. */
  private static String quoted(String text) {
    return HARMLESS.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  private static String hint(Path deployment) {
    return deployment.equals(DeploymentOption.standard().directory())
        ? ""
        : " (with --deployment " + quoted(deployment.toString()) + ")";
  }
}
