package io.eley.workloads;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What to submit.
 *
 * @param mainClass for example {@code io.eley.workloads.WordCount}
 * @param jar with that class
 * @param arguments of its main method
 * @param conf Spark's settings, added to and stronger than the cluster's
 * @param driverClassPath put behind Spark's jars in the driver, which is not started by Spark's own
 *     scripts, so that {@code spark.driver.extraClassPath} would come too late
 * @param deadline how long it may take altogether
 */
public record SparkApplication(
    String mainClass,
    Path jar,
    List<String> arguments,
    Map<String, String> conf,
    List<Path> driverClassPath,
    Duration deadline) {
  public SparkApplication {
    arguments = List.copyOf(arguments);
    conf = Map.copyOf(conf);
    driverClassPath = List.copyOf(driverClassPath);
  }

  /** A workload as it is, with further settings. */
  public static SparkApplication of(
      Workload workload, Path jar, List<String> arguments, Map<String, String> conf) {
    return new SparkApplication(
        workload.mainClass(), jar, arguments, conf, List.of(), Duration.ofMinutes(10));
  }

  /** The same with another deadline. */
  public SparkApplication withDeadline(Duration other) {
    return new SparkApplication(mainClass, jar, arguments, conf, driverClassPath, other);
  }
}
