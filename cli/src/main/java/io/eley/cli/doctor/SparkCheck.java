package io.eley.cli.doctor;

import io.eley.bb.api.error.EleyException;
import io.eley.scheduler.hooks.job.SparkHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Whether there is a Spark, and which. */
final class SparkCheck {
  private SparkCheck() {}

  static Finding of(Optional<Path> named) {
    try {
      Path home = SparkHome.find(named.orElse(null), System.getenv());
      return Finding.ok("spark", release(home).orElse("Spark") + scala(home) + " in " + home);
    } catch (EleyException e) {
      return Finding.warn(
          "spark",
          e.getMessage() + "",
          "jobs need it, s3a: and hdfs: origins, and intermediate data in the buffer");
    }
  }

  /** By the name of its library: the connector is one jar for both. */
  private static String scala(Path home) {
    try (var jars = Files.newDirectoryStream(home.resolve("jars"), "scala-library-*.jar")) {
      for (Path jar : jars) {
        return " with Scala "
            + jar.getFileName().toString().replaceAll("^scala-library-|\\.jar$", "");
      }
      return "";
    } catch (IOException e) {
      return "";
    }
  }

  /** What the file RELEASE begins with: {@code Spark 3.5.9 built for Hadoop 3.3.4}. */
  private static Optional<String> release(Path home) {
    try (var lines = Files.lines(home.resolve("RELEASE"))) {
      return lines
          .findFirst()
          .map(line -> line.replaceFirst("^(Spark [0-9.]{1,20}).*$", "$1"))
          .filter(line -> line.length() <= 30);
    } catch (IOException | java.io.UncheckedIOException e) {
      return Optional.empty(); // a Spark that was built from source has none
    }
  }
}
