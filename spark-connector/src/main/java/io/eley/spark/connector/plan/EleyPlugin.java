package io.eley.spark.connector.plan;

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * {@code spark.plugins=io.eley.spark.connector.plan.EleyPlugin}. Whatever goes wrong in it, the job
 * goes on.
 */
public final class EleyPlugin implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return new EleyDriverPlugin();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new EleyExecutorPlugin();
  }
}
