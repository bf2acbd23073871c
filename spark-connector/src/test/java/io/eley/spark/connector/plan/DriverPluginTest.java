package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.config.Settings;
import io.eley.spark.connector.fs.ExecutorHosts;
import io.eley.spark.connector.shuffle.ListenerQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the plugin sets up before anything runs. */
@Tag("spark")
@Timeout(120)
class DriverPluginTest {
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
      assertThat(spark.sc().listenerBus().activeQueues().contains(ListenerQueue.NAME))
          .as("other listeners do not make us miss one")
          .isTrue();
    }
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
