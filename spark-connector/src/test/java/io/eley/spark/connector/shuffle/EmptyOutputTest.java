package io.eley.spark.connector.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.StayCause;
import io.eley.bb.api.wire.Stayed;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.MapStatus$;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.storage.BlockManagerId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;

/** Outputs of map tasks that write no record. */
@Timeout(120)
class EmptyOutputTest {
  private static final BlockManagerId EXECUTOR =
      BlockManagerId.apply("3", "h", 4000, Option.empty());
  private static final BlockManagerId NODE =
      BlockManagerId.apply("eley-a", "n", 4001, Option.empty());

  /** The status of an output of these lengths, as the task tells it to the driver. */
  private static MapStatus told(SparkConf conf, long map, long... lengths) {
    MapStatus status = MapStatus$.MODULE$.apply(EXECUTOR, lengths, map, 0L);
    var written =
        new ShuffleWriter<Integer, Integer>() {
          @Override
          public void write(Iterator<Product2<Integer, Integer>> records) {}

          @Override
          public Option<MapStatus> stop(boolean success) {
            return Option.apply(status);
          }

          @Override
          public long[] getPartitionLengths() {
            return lengths;
          }
        };
    var mover = new ScratchMover(conf, false, new SortShuffleManager(conf));
    return mover.moving(written, 7).stop(true).get();
  }

  @Test
  void noExecutorHasThem() {
    var conf = new SparkConf(false);
    long[] before = StayedOutputs.figures();
    assertThat(told(conf, 100, 0, 0).location().executorId()).isEqualTo("eley-empty");
    assertThat(told(conf, 100, 0, 10).location())
        .as("with bytes that no node takes")
        .isEqualTo(EXECUTOR);
    assertThat(StayedOutputsTest.since(before)).containsExactly(new Stayed(StayCause.ERROR, 1, 10));
    conf.set("spark.shuffle.service.enabled", "true");
    assertThat(told(conf, 100, 0, 0).location())
        .as("kept by the site's services")
        .isEqualTo(EXECUTOR);
  }

  @Test
  void noLossCostsThemAndNobodyIsAskedForThem() {
    var conf = new SparkConf().setMaster("local[1]").setAppName("empty outputs");
    conf.set("spark.ui.enabled", "false");
    var spark = new SparkContext(conf);
    try {
      var tracker = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
      tracker.registerShuffle(7, 2, 2);
      tracker.registerMapOutput(7, 0, told(conf, 100, 0, 0));
      tracker.registerMapOutput(7, 1, MapStatus$.MODULE$.apply(NODE, new long[] {5, 0}, 101L, 0L));
      new ExecutorLosses().onExecutorRemoved(new SparkListenerExecutorRemoved(1, "3", "idle"));
      tracker.removeOutputsOnHost("h");
      assertThat(tracker.getNumAvailableOutputs(7)).isEqualTo(2);
      var asked = tracker.getMapSizesByExecutorId(7, 0);
      assertThat(asked.next()._1()).isEqualTo(NODE);
      assertThat(asked.hasNext()).isFalse();
      assertThat(LostServices.received("eley-lost-service eley-empty")).contains(0);
    } finally {
      spark.stop();
    }
  }
}
