package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.spark.connector.shuffle.ListenerQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Spark's bus drops events for listeners whose queue is full. */
@Tag("spark")
@Timeout(120)
class DroppedEventsTest {
  private static final long LATER = Duration.ofSeconds(1).toNanos();

  /** The tasks of this JVM wait for it. */
  private static final CountDownLatch PLANNED = new CountDownLatch(1);

  @TempDir private Path temp;

  @Test
  void aSlowListenerOfSomebodyElseCostsUsNoEvent() throws Exception {
    var release = new CountDownLatch(1);
    var itsTasks = new AtomicInteger();
    var ourTasks = new AtomicInteger();
    var ourStages = new AtomicInteger();
    var slow =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd event) {
            itsTasks.incrementAndGet();
            awaitThere(release);
          }
        };
    var ours =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd event) {
            ourTasks.incrementAndGet();
          }

          @Override
          public void onStageCompleted(SparkListenerStageCompleted event) {
            ourStages.incrementAndGet();
          }
        };
    try (var spark = start()) {
      spark.sc().addSparkListener(slow);
      ListenerQueue.add(spark.sc(), ours);
      var numbers = IntStream.range(0, 20).boxed().toList();
      for (int i = 0; i < 20; i++) {
        assertThat(spark.parallelize(numbers, 20).count()).isEqualTo(20);
      }
      release.countDown();
      spark.sc().listenerBus().waitUntilEmpty();
    }
    assertThat(itsTasks.get()).as("Spark drops events").isLessThan(400);
    assertThat(ourTasks).hasValue(400);
    assertThat(ourStages).hasValue(20);
  }

  @Test
  void aStageWhoseEndIsNotToldIsSeenToBeOverAllTheSame() throws Exception {
    Path text = Files.writeString(temp.resolve("text"), "0123456789\n".repeat(100));
    try (var spark = start()) {
      var model = new PlanModel(spark.sc().applicationId(), "dropped");
      var messages = new ArrayList<PlanMessage>();
      var listener =
          new PlanListener(
              spark.sc(),
              change -> messages.addAll(change.apply(model)),
              path -> Optional.of(path.toUri().getPath()),
              new WaveTracker(1),
              new Footers(file -> new Footer.Rows(), Runnable::run, Duration.ofSeconds(10)));
      ListenerQueue.add(
          spark.sc(),
          new SparkListener() {
            @Override
            public void onStageSubmitted(SparkListenerStageSubmitted event) {
              listener.onStageSubmitted(event);
              PLANNED.countDown();
            }
          });
      spark.textFile(text.toString(), 2).foreach(line -> awaitThere(PLANNED));
      spark.sc().listenerBus().waitUntilEmpty();
      var stage = stages(model).get(0);
      assertThat(model.overForLong(0)).as("it may still be told").isEmpty();
      assertThat(model.overForLong(LATER)).containsExactly(stage.stage());
    }
  }

  private static List<PlanStage> stages(PlanModel model) {
    List<PlanMessage> all = model.everything();
    return all.stream().filter(PlanStage.class::isInstance).map(PlanStage.class::cast).toList();
  }

  private static void awaitThere(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static JavaSparkContext start() {
    return new JavaSparkContext(
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("dropped")
            .set("spark.scheduler.listenerbus.eventqueue.shared.capacity", "1")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.driver.host", "127.0.0.1"));
  }
}
