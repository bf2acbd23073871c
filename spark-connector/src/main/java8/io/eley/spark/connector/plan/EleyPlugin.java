package io.eley.spark.connector.plan;

import io.eley.spark.connector.HadoopRelease;
import io.eley.spark.connector.JavaRelease;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;

/**
 * {@code spark.plugins=io.eley.spark.connector.plan.EleyPlugin}. Whatever goes wrong in it, the job
 * goes on; where this JVM cannot load the rest, without a plan.
 */
public final class EleyPlugin implements SparkPlugin {
  @Override
  public @Nullable DriverPlugin driverPlugin() {
    String what = "Eley's plan of what is read";
    return JavaRelease.sufficesFor(what) && HadoopRelease.sufficesFor(what)
        ? part("EleyDriverPlugin", DriverPlugin.class)
        : null;
  }

  @Override
  public @Nullable ExecutorPlugin executorPlugin() {
    return JavaRelease.suffices() && HadoopRelease.suffices()
        ? part("EleyExecutorPlugin", ExecutorPlugin.class)
        : null;
  }

  private static <T> T part(String name, Class<T> type) {
    try {
      String packageName = EleyPlugin.class.getName().replaceFirst("EleyPlugin$", "");
      return Class.forName(packageName + name)
          .asSubclass(type)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the connector's jar lacks " + name, e);
    }
  }
}
