package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the Spark that a job is to run with; on a cluster it is at the same place on all hosts. */
public final class SparkHome {
  private SparkHome() {}

  /**
   * The directory, absolute.
   *
   * @param named by the user, or null for the environment's SPARK_HOME
   * @throws EleyException {@code NOT_FOUND} when none is named or there is no Spark in it
   */
  public static Path find(@Nullable Path named, Map<String, String> environment)
      throws EleyException {
    String home = environment.get("SPARK_HOME");
    Path spark = named != null ? named : home == null ? null : Path.of(home);
    if (spark == null) {
      throw new EleyException(
          ErrorCode.NOT_FOUND, "where is Spark? set SPARK_HOME or give --spark-home");
    }
    if (!Files.isExecutable(spark.resolve("bin/spark-class"))) {
      throw new EleyException(
          ErrorCode.NOT_FOUND, "there is no bin/spark-class in " + spark + ": this is no Spark");
    }
    return spark.toAbsolutePath();
  }
}
