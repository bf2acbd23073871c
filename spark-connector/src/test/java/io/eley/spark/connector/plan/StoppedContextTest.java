package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits to be planned, for example for a coordinator that hangs, when Spark stops. */
@Tag("spark")
@Timeout(120)
class StoppedContextTest {
  @Test
  void aStageThatWaitedIsNotPlannedAndThatIsNoDefect() throws Exception {
    var changes = new ConcurrentLinkedQueue<Function<PlanModel, List<PlanMessage>>>();
    try (var spark = start()) {
      var footers = new Footers(file -> new Footer.Rows(), Runnable::run, Duration.ofSeconds(10));
      var waves = new WaveTracker(1);
      spark
          .sc()
          .addSparkListener(
              new PlanListener(
                  spark.sc(), changes::add, path -> Optional.of("/in"), waves, footers));
      assertThat(spark.parallelize(List.of(1, 2), 2).count()).isEqualTo(2);
      spark.sc().listenerBus().waitUntilEmpty();
    }
    var model = new PlanModel("app-1", "stopped");
    var attempts = new PlanAttempts(model);
    assertThat(changes).as("submitted, tasks, completed").hasSizeGreaterThanOrEqualTo(4);
    assertThat(changes).allSatisfy(change -> assertThat(attempts.apply(change)).isEmpty());
    assertThat(model.everything()).contains(new StartApplication("app-1", "stopped"));
  }

  private static JavaSparkContext start() {
    var conf = new SparkConf().setMaster("local[1]").setAppName("stopped");
    conf.set("spark.ui.enabled", "false").set("spark.driver.bindAddress", "127.0.0.1");
    return new JavaSparkContext(conf);
  }
}
