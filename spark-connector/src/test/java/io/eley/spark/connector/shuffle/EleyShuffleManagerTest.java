package io.eley.spark.connector.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

/** What the manager sets on the driver, before Spark reads it. */
class EleyShuffleManagerTest {
  private static final String DATA_IO = "spark.shuffle.sort.io.plugin.class";

  private static SparkConf conf() {
    return new SparkConf(false).set("spark.hadoop.eley.deployment", "/d");
  }

  private static String dataIo(SparkConf conf, boolean driver) {
    new EleyShuffleManager(conf, driver).stop();
    return conf.get(DATA_IO, "Spark's own");
  }

  @Test
  void outputsAreReliableUnlessSomebodyElseSaysHowReliableTheyAre() {
    String ours = EleyShuffleDataIO.class.getName();
    assertThat(dataIo(conf(), true)).isEqualTo(ours);
    assertThat(dataIo(conf(), false)).as("executors are told by the driver").startsWith("Spark's");
    assertThat(dataIo(new SparkConf(false), true)).as("no deployment").startsWith("Spark's");
    assertThat(dataIo(conf().set(DATA_IO, "mine"), true)).isEqualTo("mine");
    assertThat(dataIo(conf().set("spark.shuffle.service.enabled", "true"), true))
        .startsWith("Spark's");
    assertThat(new EleyShuffleDataIO(conf()).driver().supportsReliableStorage()).isTrue();
  }

  @Test
  void twoCopiesNeedThePlugin() {
    var conf = conf().set("spark.hadoop.eley.shuffle.copies", "2");
    assertThatThrownBy(() -> new EleyShuffleManager(conf, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("eley.shuffle.copies=2 needs spark.plugins=");
    conf.set("spark.plugins", "io.eley.spark.connector.plan.EleyPlugin");
    new EleyShuffleManager(conf, true).stop();
    conf.set("spark.hadoop.eley.shuffle.copies", "3");
    assertThatThrownBy(() -> new EleyShuffleManager(conf, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("eley.shuffle.copies");
  }
}
