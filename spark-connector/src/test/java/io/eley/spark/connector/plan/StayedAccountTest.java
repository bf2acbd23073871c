package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.StayCause;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.PlanMessage.OutputsStayed;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Stayed;
import io.eley.spark.connector.shuffle.StayedOutputs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** What the coordinator hears of outputs that stay with executors. */
@Timeout(120)
class StayedAccountTest {
  /** The figures begin with it. */
  private static final StayCause FIRST = StayCause.NO_NODE;

  private final StayedAccount account = new StayedAccount();
  private final PlanModel model = new PlanModel("app-1", "word count");
  private final List<Function<PlanModel, List<PlanMessage>>> posted = new ArrayList<>();

  private void note(String executor, long outputs, long bytes) {
    var figures = new long[StayedOutputs.FIGURES];
    figures[0] = outputs;
    figures[1] = bytes;
    account.note(executor, figures, posted::add);
  }

  private List<PlanMessage> report() {
    return posted.remove(0).apply(model);
  }

  private static OutputsStayed stayed(long outputs, long bytes) {
    return new OutputsStayed("app-1", List.of(new Stayed(FIRST, outputs, bytes)));
  }

  @Test
  void oneChangeWaitsHoweverManyTasksTell() {
    note("1", 1, 10);
    note("2", 5, 70);
    note("1", 2, 30);
    assertThat(posted).hasSize(1);
    assertThat(report()).containsExactly(stayed(7, 100));
    note("2", 6, 80);
    assertThat(report()).containsExactly(stayed(8, 110));
  }

  @Test
  void whatComesTwiceOrOvertakesChangesNothing() {
    note("1", 2, 30);
    assertThat(report()).containsExactly(stayed(2, 30));
    note("1", 2, 30);
    assertThat(report()).isEmpty();
    note("1", 1, 10);
    account.note("2", new long[1], posted::add);
    assertThat(posted).hasSize(1);
    assertThat(report()).isEmpty();
  }

  @Test
  void anotherCoordinatorHearsOfAllThatStayed() {
    assertThat(model.everything()).noneMatch(OutputsStayed.class::isInstance);
    note("1", 2, 30);
    report();
    assertThat(model.everything()).contains(stayed(2, 30));
  }

  private static Optional<Message> answer(Message message) {
    if (message instanceof GetView) {
      var geometry = new BlockGeometry(1 << 20, 1 << 20);
      var nobody = new ClusterView(1, geometry, BufferMode.NO_ACTION, List.of());
      return Optional.of(new View(nobody, "/origin"));
    }
    return Optional.of(new Ok());
  }

  @Test
  @Tag("spark")
  void ofAShuffleThatNoNodeTakesTheCoordinatorHearsEachOutput(@TempDir Path temp) throws Exception {
    try (var coordinator =
            new FakeCoordinator(temp.resolve("deployment"), StayedAccountTest::answer);
        var spark = start(coordinator.directory())) {
      assertThat(
              spark
                  .parallelize(List.of(1, 2, 3, 4, 5, 6), 3)
                  .mapToPair(i -> new Tuple2<>(i % 2, i))
                  .reduceByKey(Integer::sum)
                  .collectAsMap())
          .isEqualTo(Map.of(0, 12, 1, 9));
      await()
          .untilAsserted(
              () ->
                  assertThat(coordinator.requests())
                      .filteredOn(OutputsStayed.class::isInstance)
                      .last()
                      .isInstanceOfSatisfying(
                          OutputsStayed.class,
                          told -> assertAllStayed(told, spark.sc().applicationId())));
    }
  }

  private static void assertAllStayed(OutputsStayed told, String application) {
    assertThat(told.application()).isEqualTo(application);
    Stayed stayed = told.stayed().get(0);
    assertThat(stayed.cause()).isEqualTo(StayCause.NO_NODE);
    assertThat(stayed.outputs()).isEqualTo(3);
    assertThat(stayed.bytes()).isPositive();
  }

  private static JavaSparkContext start(Path deployment) {
    return new JavaSparkContext(
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("outputs stay")
            .set("spark.plugins", "io.eley.spark.connector.plan.EleyPlugin")
            .set("spark.shuffle.manager", "io.eley.spark.connector.shuffle.EleyShuffleManager")
            .set("spark.hadoop.eley.deployment", deployment.toString())
            .set("spark.ui.enabled", "false")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.driver.host", "127.0.0.1"));
  }
}
