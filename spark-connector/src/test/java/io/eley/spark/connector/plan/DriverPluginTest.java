package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.spark.connector.fs.ExecutorHosts;
import io.eley.spark.connector.shuffle.HangingListener;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.cluster.ExecutorInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.collection.immutable.Map$;

/** What the plugin sets up before anything runs. */
@Tag("spark")
@Timeout(120)
class DriverPluginTest {
  @TempDir private Path temp;

  @AfterEach
  void forget() {
    ExecutorHosts.ofDriver().clear();
  }

  /** As PySpark starts one; executors that end with a driver are not told to have gone. */
  @Test
  void aSecondApplicationOfAJvmKnowsNoHostOfTheFirst() throws Exception {
    ExecutorHosts.ofDriver().add("7", "of-the-first");
    try (var spark = start()) {
      spark.sc().listenerBus().waitUntilEmpty();
      assertThat(ExecutorHosts.ofDriver().known()).hasSize(1).doesNotContain("of-the-first");
    }
  }

  /** Hosts are noted by one listener, and waves told by another one. */
  @Test
  void aListenerOfSomebodyElseKeepsNoExecutorFromThePlugin() throws Exception {
    try (var coordinator =
            new FakeCoordinator(temp.resolve("deployment"), DriverPluginTest::taken);
        var spark = start("spark.hadoop.eley.deployment", coordinator.directory().toString());
        var hanging = HangingListener.in(spark.sc())) {
      var info = new ExecutorInfo("added", 2, Map$.MODULE$.empty());
      spark.sc().listenerBus().post(new SparkListenerExecutorAdded(0, "9", info));
      await().until(() -> ExecutorHosts.ofDriver().known().contains("added"));
      var wave = new WaveSize(spark.sc().applicationId(), 1 + 2);
      await().until(() -> coordinator.requests().contains(wave));
      assertThat(hanging.hangs()).isTrue();
    }
  }

  private static Optional<Message> taken(Message message) {
    if (message instanceof GetView) {
      var geometry = new BlockGeometry(1 << 20, 1 << 20);
      return Optional.of(
          new View(new ClusterView(1, geometry, BufferMode.FULL_DELAY, List.of()), "/origin"));
    }
    return Optional.of(new Ok());
  }

  @Test
  void allConfigurationsOfAnApplicationMakeOneClient() throws Exception {
    try (var spark = start()) {
      ClientOptions options = options(spark.hadoopConfiguration());
      assertThat(options.readAhead()).isFalse();
      assertThat(options(SparkHadoopUtil.get().newConfiguration(spark.sc().conf())))
          .isEqualTo(options);
    }
    try (var spark = start("spark.hadoop.eley.client.read-ahead", "true")) {
      ClientOptions options = options(spark.hadoopConfiguration());
      assertThat(options.readAhead()).as("as the user says").isTrue();
      assertThat(options(SparkHadoopUtil.get().newConfiguration(spark.sc().conf())))
          .isEqualTo(options);
    }
  }

  private static ClientOptions options(Configuration conf) throws Exception {
    return ClientOptions.from(Settings.from(conf::get, warning -> {}));
  }

  private static JavaSparkContext start() {
    return start("spark.x", "");
  }

  private static JavaSparkContext start(String key, String value) {
    return new JavaSparkContext(
        new SparkConf()
            .setMaster("local[1]")
            .setAppName("plugin")
            .set(key, value)
            .set("spark.plugins", "io.eley.spark.connector.plan.EleyPlugin")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.driver.host", "127.0.0.1"));
  }
}
