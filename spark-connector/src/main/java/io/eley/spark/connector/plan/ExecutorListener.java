package io.eley.spark.connector.plan;

import io.eley.spark.connector.fs.ExecutorHosts;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/**
 * Keeps count of executors from before there are any. The plan cannot: it needs the application's
 * id, and where Spark waits for its executors first ({@code
 * spark.scheduler.minRegisteredResourcesRatio}) they have all come by the time there is one.
 */
final class ExecutorListener extends SparkListener {
  private final WaveTracker waves;

  ExecutorListener(WaveTracker waves) {
    this.waves = waves;
  }

  @Override
  public void onExecutorAdded(SparkListenerExecutorAdded event) {
    waves.added(event.executorId(), event.executorInfo().totalCores());
    ExecutorHosts.ofDriver().add(event.executorId(), event.executorInfo().executorHost());
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    waves.removed(event.executorId());
    ExecutorHosts.ofDriver().remove(event.executorId());
  }
}
