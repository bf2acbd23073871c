package io.eley.spark.connector.shuffle;

import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/**
 * Forgets the outputs that stayed with an executor when it goes. Spark itself does not, since it is
 * told that outputs outlive their executors ({@link EleyShuffleDataIO}): tasks would find out one
 * by one, at the price of a stage attempt each time. Outputs on nodes are at other addresses and
 * stay. On Spark's listener thread.
 */
final class ExecutorLosses extends SparkListener {
  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    SparkEnv env = SparkEnv.get();
    if (env != null && env.mapOutputTracker() instanceof MapOutputTrackerMaster tracker) {
      tracker.removeOutputsOnExecutor(event.executorId());
    }
  }
}
