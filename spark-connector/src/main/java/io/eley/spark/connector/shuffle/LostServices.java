package io.eley.spark.connector.shuffle;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.ShuffleStatus;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.storage.BlockManagerId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.Iterator;

/**
 * What a reader that finds a service gone asks of the driver: that outputs with a second copy are
 * looked for there from now on.
 *
 * <p>The reader asks, and is answered, before its failed fetch is reported. So when Spark's
 * scheduler hears of that, the outputs lie elsewhere already: it takes none of them for lost, and
 * runs the reading tasks again but no map task. Outputs without a second copy are made again as
 * ever.
 */
public final class LostServices {
  private static final Logger LOG = LoggerFactory.getLogger(LostServices.class);

  /** A string, so that Spark's message needs no class of ours. */
  private static final String MARK = "eley-lost-service ";

  private static volatile @Nullable PluginContext driver;

  private LostServices() {}

  /** Where this JVM's readers ask; the executor's plugin tells, once for each JVM. */
  public static void askThrough(PluginContext context) {
    driver = context;
  }

  /** Asks the driver and waits for its answer; never fails. */
  static void report(String service) {
    PluginContext to = driver;
    if (to == null) {
      return;
    }
    try {
      LOG.info("{} is gone: {} of its outputs have a copy elsewhere", service, ask(to, service));
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt(); // the task was killed meanwhile
      }
      LOG.warn("the driver could not be told that {} is gone: {}", service, e.toString());
    }
  }

  private static Object ask(PluginContext to, String service) throws Exception {
    return to.ask(MARK + service);
  }

  /**
   * On the driver: moves the outputs of a service that is gone to their second copies.
   *
   * @param message of an executor
   * @return how many there were, or empty when the message is another one
   */
  public static Optional<Integer> received(Object message) {
    if (!(message instanceof String text) || !text.startsWith(MARK)) {
      return Optional.empty();
    }
    String service = text.substring(MARK.length());
    return SparkEnv.get().mapOutputTracker() instanceof MapOutputTrackerMaster tracker
        ? Optional.of(move(tracker, service))
        : Optional.empty();
  }

  private static int move(MapOutputTrackerMaster tracker, String service) {
    int moved = 0;
    for (Iterator<Object> ids = tracker.shuffleStatuses().keysIterator(); ids.hasNext(); ) {
      int shuffle = (Integer) ids.next();
      var status = tracker.shuffleStatuses().get(shuffle);
      for (MapStatus output : status.isEmpty() ? List.<MapStatus>of() : at(status.get(), service)) {
        Optional<BlockManagerId> second = SecondCopy.of(output.location());
        if (second.isPresent()) {
          tracker.updateMapOutput(shuffle, output.mapId(), second.get());
          moved++;
        }
      }
    }
    if (moved > 0) {
      LOG.info("{} is gone: its {} outputs with a second copy are read there", service, moved);
    }
    return moved;
  }

  private static List<MapStatus> at(ShuffleStatus shuffle, String service) {
    var there = new ArrayList<MapStatus>();
    for (MapStatus output : shuffle.<MapStatus[]>withMapStatuses(MapStatus[]::clone)) {
      if (output != null && output.location().executorId().equals(service)) {
        there.add(output);
      }
    }
    return there;
  }
}
