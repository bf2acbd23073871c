package io.eley.spark.connector.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.Secret;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an executor that has begun without a coordinator learns from the driver. */
class NodesQuestionTest {
  private static final View VIEW =
      new View(
          new ClusterView(
              7,
              BlockGeometry.DEFAULT,
              BufferMode.FULL_DELAY,
              List.of(new NodeAddress(new NodeId("a"), "127.0.0.1", 7001, "machine"))),
          "/origin");

  private EleyClient driver;
  private EleyClient executor;

  @BeforeEach
  void open(@TempDir Path deployment) throws Exception {
    Secret.create(deployment.resolve("secret"));
    var options =
        ClientOptions.from(
            Settings.from(Map.of("eley.deployment", deployment.toString())::get, warning -> {}));
    driver = EleyClient.open(options);
    executor = EleyClient.open(options);
    NodesQuestion.askThrough(
        ToldDriver.answering(message -> NodesQuestion.answer(message).orElseThrow()));
  }

  @AfterEach
  void close() {
    NodesQuestion.answerFrom(null);
    NodesQuestion.askThrough(ToldDriver.away());
    driver.close();
    executor.close();
  }

  @Test
  void itKnowsTheDriversNodes() {
    NodesQuestion.answerFrom(driver);
    driver.offerView(VIEW);
    assertThat(NodesQuestion.ask(executor)).isTrue();
    assertThat(executor.knownView()).contains(VIEW);
    NodesQuestion.askThrough(ToldDriver.away());
    assertThat(NodesQuestion.ask(executor)).as("it knows them").isTrue();
  }

  @Test
  void ofADriverThatKnowsNoneOrIsAwayItLearnsNothing() {
    assertThat(NodesQuestion.ask(executor)).as("it has moved nothing").isFalse();
    NodesQuestion.answerFrom(driver);
    assertThat(NodesQuestion.ask(executor)).isFalse();
    driver.offerView(VIEW);
    NodesQuestion.askThrough(ToldDriver.away());
    assertThat(NodesQuestion.ask(executor)).isFalse();
    assertThat(executor.knownView()).isEmpty();
  }

  @Test
  void anotherMessageIsNoQuestion() {
    assertThat(NodesQuestion.answer("eley-executor-hosts")).isEmpty();
    assertThat(NodesQuestion.answer(new Object[] {"eley-nodes"})).isEmpty();
  }
}
