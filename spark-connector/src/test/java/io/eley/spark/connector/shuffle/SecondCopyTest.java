package io.eley.spark.connector.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.client.ScratchOutputs.Place;
import io.eley.bb.api.wire.ScratchMessage.ScratchOpened;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.MapStatus$;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.storage.BlockManagerId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Option;
import scala.Product2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.util.Failure;

/** Where outputs with two copies are looked for, once a service is gone. */
@Timeout(120)
class SecondCopyTest {
  private static final Place A = place("a", 4001);
  private static final Place B = place("b", 4002);

  private static Place place(String name, int port) {
    return new Place(
        new NodeAddress(new NodeId(name), "::1", 17000 + port, ""),
        new ScratchOpened("eley-" + name, port, "/scratch/" + name));
  }

  @Test
  void anAddressCarriesTheSecondPlace() {
    BlockManagerId both = SecondCopy.address(List.of(A, B));
    assertThat(both.executorId()).isEqualTo("eley-a");
    assertThat(both.host()).as("as Spark writes it").isEqualTo("[::1]");
    assertThat(both.port()).isEqualTo(4001);
    assertThat(SecondCopy.of(both)).contains(SecondCopy.address(List.of(B)));
    assertThat(SecondCopy.of(SecondCopy.address(List.of(A)))).isEmpty();
    assertThat(SecondCopy.of(BlockManagerId.apply("3", "h", 1, Option.apply("/rack 1 2 3"))))
        .as("a site's own topology")
        .isEmpty();
  }

  @Test
  void theDriverMovesWhatHasACopyAndNothingElse() {
    var conf = new SparkConf().setMaster("local[1]").setAppName("copies");
    conf.set("spark.ui.enabled", "false");
    var spark = new SparkContext(conf);
    try {
      var tracker = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
      tracker.registerShuffle(7, 3, 1);
      List<BlockManagerId> addresses =
          List.of(
              SecondCopy.address(List.of(A, B)),
              SecondCopy.address(List.of(A)),
              SecondCopy.address(List.of(B, A)));
      for (int map = 0; map < 3; map++) {
        tracker.registerMapOutput(
            7, map, MapStatus$.MODULE$.apply(addresses.get(map), new long[] {10}, 100L + map, 0L));
      }
      assertThat(LostServices.received("anything else")).isEmpty();
      assertThat(LostServices.received("eley-lost-service eley-a")).contains(1);
      assertThat(locations(tracker)).containsExactly("eley-b", "eley-a", "eley-b");
      assertThat(LostServices.received("eley-lost-service eley-a")).as("again").contains(0);
      tracker.removeOutputsOnExecutor("eley-a");
      assertThat(tracker.getNumAvailableOutputs(7)).isEqualTo(2);
      theExecutorThatGoesTakesWhatStayedWithIt(tracker);
    } finally {
      spark.stop();
    }
  }

  private static void theExecutorThatGoesTakesWhatStayedWithIt(MapOutputTrackerMaster tracker) {
    var executor = BlockManagerId.apply("3", "h", 1, Option.empty());
    tracker.registerMapOutput(7, 1, MapStatus$.MODULE$.apply(executor, new long[] {10}, 104L, 0L));
    assertThat(tracker.getNumAvailableOutputs(7)).isEqualTo(3);
    new ExecutorLosses().onExecutorRemoved(new SparkListenerExecutorRemoved(1, "3", "idle"));
    assertThat(tracker.getNumAvailableOutputs(7)).as("those on nodes").isEqualTo(2);
  }

  private static List<String> locations(MapOutputTrackerMaster tracker) {
    var names = new ArrayList<String>();
    for (MapStatus output : tracker.shuffleStatuses().apply(7).mapStatuses()) {
      names.add(output.location().executorId());
    }
    return names;
  }

  @Test
  void aReaderAsksBeforeItFails() {
    var asked = new ArrayList<String>();
    for (List<Place> places : List.of(List.of(A, B), List.of(A))) {
      var failed =
          new FetchFailedException(
              SecondCopy.address(places), 7, 100L, 0, 0, "gone", new RuntimeException());
      var reader = new AskingReader<Integer, Integer>(() -> failing(failed), asked::add);
      Iterator<Product2<Integer, Integer>> records = reader.read();
      assertThat(catchThrowable(records::hasNext)).isSameAs(failed);
    }
    assertThat(asked).as("of the one with a copy alone").containsExactly("eley-a");
  }

  private static <T> Iterator<T> failing(Exception e) {
    return new AbstractIterator<>() {
      @Override
      public boolean hasNext() {
        return new Failure<Boolean>(e).get(); // throws it as Scala does, which declares nothing
      }

      @Override
      public T next() {
        throw new java.util.NoSuchElementException();
      }
    };
  }
}
