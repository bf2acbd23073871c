package io.eley.spark.connector.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerUnpersistRDD;

/** Somebody else's listener, in the queue that all share, which hangs until it is closed. */
public final class HangingListener extends SparkListener implements AutoCloseable {
  private static final int NO_RDD = 1_000_000;

  private final CountDownLatch hangs = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  private HangingListener() {}

  /** One that hangs by now, and with it whoever shares its queue. */
  public static HangingListener in(SparkContext spark) throws InterruptedException {
    var listener = new HangingListener();
    spark.addSparkListener(listener);
    spark.listenerBus().post(new SparkListenerUnpersistRDD(NO_RDD));
    assertThat(listener.hangs.await(1, TimeUnit.MINUTES)).isTrue();
    return listener;
  }

  /** Whether it still does. */
  public boolean hangs() {
    return hangs.getCount() == 0 && closed.getCount() > 0;
  }

  @Override
  public void onUnpersistRDD(SparkListenerUnpersistRDD event) {
    hangs.countDown();
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
