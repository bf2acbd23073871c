package io.eley.spark.connector.shuffle;

import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListenerInterface;

/**
 * A queue of our own on Spark's listener bus. In the one that all share, Spark drops events, in
 * bursts, when anybody's listener is slow; those of a stage's or an executor's end are told once.
 */
public final class ListenerQueue {
  /** Its name in the bus. */
  public static final String NAME = "eley";

  private ListenerQueue() {}

  /** Adds a listener, behind those that were added here before. */
  public static void add(SparkContext spark, SparkListenerInterface listener) {
    try {
      spark.listenerBus().addToQueue(listener, NAME);
    } catch (LinkageError e) {
      // Not public in Scala: another Spark may have it no more.
      spark.addSparkListener(listener);
    }
  }
}
