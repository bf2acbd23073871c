package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.PhaseMessage.GetWhy;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.spark.connector.fs.ExecutorHosts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An application whose coordinator takes the plan, and says nothing at the end. */
@Tag("spark")
@Timeout(120)
class HangingCoordinatorTest {
  @TempDir private Path temp;

  @AfterEach
  void forget() {
    ExecutorHosts.ofDriver().clear();
  }

  @Test
  void theEndOfAnApplicationDoesNotWaitForItsDeadline() throws Exception {
    try (var coordinator =
        new FakeCoordinator(temp.resolve("deployment"), HangingCoordinatorTest::untilTheEnd)) {
      // It is asked on a thread that a busy machine may not run before the farewell is over.
      for (int attempt = 0; attempt < 3 && !asked(coordinator); attempt++) {
        try (var spark = start(coordinator)) {
          assertThat(spark.parallelize(List.of(1, 2), 2).count()).isEqualTo(2);
          await()
              .atMost(Duration.ofSeconds(60))
              .until(() -> coordinator.requests().contains(waves(spark)));
        }
      }
      assertThat(coordinator.requests()).hasAtLeastOneElementOfType(GetWhy.class);
    }
  }

  private static boolean asked(FakeCoordinator coordinator) {
    return coordinator.requests().stream().anyMatch(GetWhy.class::isInstance);
  }

  private static WaveSize waves(JavaSparkContext spark) {
    return new WaveSize(spark.sc().applicationId(), 2);
  }

  private static Optional<Message> untilTheEnd(Message message) {
    if (message instanceof GetView) {
      var geometry = new BlockGeometry(1 << 20, 1 << 20);
      return Optional.of(
          new View(new ClusterView(1, geometry, BufferMode.FULL_DELAY, List.of()), "/origin"));
    }
    return message instanceof GetWhy ? Optional.empty() : Optional.of(new Ok());
  }

  private static JavaSparkContext start(FakeCoordinator coordinator) {
    return new JavaSparkContext(
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("hanging")
            .set("spark.plugins", "io.eley.spark.connector.plan.EleyPlugin")
            .set("spark.hadoop.eley.deployment", coordinator.directory().toString())
            .set("spark.hadoop.eley.client.request-deadline", "10m")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.driver.host", "127.0.0.1"));
  }
}
