package io.eley.spark.connector.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.StayCause;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.Secret;
import io.eley.bb.api.wire.Stayed;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.MapStatus$;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.storage.BlockManagerId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;

/** Outputs that stay with executors, since no node takes them. */
@Timeout(120)
class ScratchMoverTest {
  private static final BlockManagerId EXECUTOR =
      BlockManagerId.apply("3", "h", 4000, Option.empty());

  @TempDir private Path deployment;

  /** Spark's writer, whose output is there. */
  private static final class Written extends ShuffleWriter<Integer, Integer> {
    private final SortShuffleManager manager;

    Written(SortShuffleManager manager) {
      this.manager = manager;
    }

    @Override
    public void write(Iterator<Product2<Integer, Integer>> records) {}

    @Override
    public Option<MapStatus> stop(boolean success) {
      // Not by a channel, which an interrupt closes.
      var files = manager.shuffleBlockResolver();
      try (var data = new FileOutputStream(files.getDataFile(7, 100));
          var index = new FileOutputStream(files.getIndexFile(7, 100, Option.empty()))) {
        data.write(new byte[10]);
        index.write(new byte[16]);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return Option.apply(MapStatus$.MODULE$.apply(EXECUTOR, getPartitionLengths(), 100L, 0L));
    }

    @Override
    public long[] getPartitionLengths() {
      return new long[] {10};
    }
  }

  private static final class Lines extends AbstractAppender {
    final List<String> lines = new CopyOnWriteArrayList<>();

    Lines() {
      super("lines", null, null, true, Property.EMPTY_ARRAY);
    }

    @Override
    public void append(LogEvent event) {
      if (event.getLevel().equals(Level.WARN)) {
        lines.add(event.getMessage().getFormattedMessage());
      }
    }
  }

  /** As a driver answers. */
  private static byte[] viewOfOneThatIsGone() {
    var gone = new NodeAddress(new NodeId("gone"), "127.0.0.1", 1, "");
    var view = new ClusterView(1, BlockGeometry.DEFAULT, BufferMode.FULL_DELAY, List.of(gone));
    return Codec.encode(new View(view, "/origin"), 0).array();
  }

  /** As the loser of a speculation is: somebody else's output counts. */
  @Test
  void anInterruptedTaskSaysNothingAndTheNextOnesThatFindNoNodeAreCounted() throws Exception {
    long[] before = StayedOutputs.figures();
    Secret.create(deployment.resolve("secret"));
    var conf = new SparkConf().setMaster("local[1]").setAppName("no node takes it");
    conf.set("spark.ui.enabled", "false").set("spark.hadoop.eley.deployment", deployment + "");
    var logger = (Logger) LogManager.getLogger(ScratchMover.class);
    var log = new Lines();
    log.start();
    var spark = new SparkContext(conf);
    var manager = new SortShuffleManager(spark.conf());
    var mover = new ScratchMover(spark.conf(), false, manager);
    Configurator.setLevel(ScratchMover.class.getName(), Level.WARN);
    logger.addAppender(log);
    try {
      Thread.currentThread().interrupt();
      mover.moving(new Written(manager), 7).stop(true);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(log.lines).isEmpty();
      assertThat(StayedOutputs.figures()).isEqualTo(before);
      for (int i = 0; i < 2; i++) {
        MapStatus there = mover.moving(new Written(manager), 7).stop(true).get();
        assertThat(there.location()).isEqualTo(EXECUTOR);
      }
      assertThat(log.lines).singleElement().asString().contains(StayCause.NO_NODE.words());
      var none = new Stayed(StayCause.NO_NODE, 2, 20);
      assertThat(StayedOutputsTest.since(before)).containsExactly(none);

      NodesQuestion.askThrough(ToldDriver.answering(question -> viewOfOneThatIsGone()));
      mover.moving(new Written(manager), 7).stop(true);
      assertThat(StayedOutputsTest.since(before))
          .as("of the driver's node")
          .containsExactly(none, new Stayed(StayCause.NO_ANSWER, 1, 10));
    } finally {
      NodesQuestion.askThrough(ToldDriver.away());
      logger.removeAppender(log);
      Configurator.setLevel(ScratchMover.class.getName(), Level.ERROR);
      mover.stop();
      spark.stop();
    }
  }

  /** Spark tells it once, and does not forget outputs that it takes for reliable. */
  @Test
  void outputsOfAnExecutorThatIsLostAreForgottenBesideAListenerThatHangs() throws Exception {
    var conf =
        new SparkConf().setMaster("local[1]").setAppName("lost").set("spark.ui.enabled", "false");
    var spark = new SparkContext(conf);
    var manager = new SortShuffleManager(spark.conf());
    var mover = new ScratchMover(spark.conf(), true, manager);
    try (var hanging = HangingListener.in(spark)) {
      mover.prepare(spark);
      var outputs = (MapOutputTrackerMaster) spark.env().mapOutputTracker();
      outputs.registerShuffle(7, 1, 1);
      var status = MapStatus$.MODULE$.apply(EXECUTOR, new long[] {10}, 100L, 0L);
      outputs.registerMapOutput(7, 0, status);
      assertThat(outputs.getNumAvailableOutputs(7)).isEqualTo(1);
      spark.listenerBus().post(new SparkListenerExecutorRemoved(0, "3", "lost"));
      await().until(() -> outputs.getNumAvailableOutputs(7) == 0);
      assertThat(hanging.hangs()).isTrue();
    } finally {
      mover.stop();
      spark.stop();
    }
  }
}
