package io.eley.spark.connector.shuffle;

import org.apache.spark.SparkConf;
import org.apache.spark.shuffle.api.ShuffleDriverComponents;
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO;
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDriverComponents;

/**
 * {@code spark.shuffle.sort.io.plugin.class}, as {@link EleyShuffleManager} sets it: Spark's own,
 * and the word that outputs outlive their executors. With it Spark makes no output again whose
 * executor has gone, and lets dynamic allocation release executors that have written some.
 */
public final class EleyShuffleDataIO extends LocalDiskShuffleDataIO {
  /** As Spark makes it. */
  public EleyShuffleDataIO(SparkConf conf) {
    super(conf);
  }

  @Override
  public ShuffleDriverComponents driver() {
    return new Driver();
  }

  static final class Driver extends LocalDiskShuffleDriverComponents {
    @Override
    public boolean supportsReliableStorage() {
      return true;
    }
  }
}
