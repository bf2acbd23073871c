package io.eley.spark.connector.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;

/** What the manager sets on the driver, before Spark reads it. */
class EleyShuffleManagerTest {
  private static final String DATA_IO = "spark.shuffle.sort.io.plugin.class";
  private static final String HOST_LOCAL = "spark.shuffle.readHostLocalDisk";

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

  /** Whether outputs are moved by the executors of a driver that has settled this. */
  private static boolean moves(SparkConf conf) {
    new EleyShuffleManager(conf, true).stop();
    var mover = new ScratchMover(conf, false, new SortShuffleManager(conf));
    var writer = new NoWriter();
    return mover.moving(writer, 1) != writer;
  }

  private static final class NoWriter extends ShuffleWriter<Integer, Integer> {
    @Override
    public void write(Iterator<Product2<Integer, Integer>> records) {}

    @Override
    public Option<MapStatus> stop(boolean success) {
      return Option.empty();
    }

    @Override
    public long[] getPartitionLengths() {
      return new long[0];
    }
  }

  @Test
  void readersAskTheSitesServiceForNothingThatIsOnNodes() {
    var conf = conf();
    assertThat(moves(conf)).isTrue();
    assertThat(conf.contains(HOST_LOCAL)).as("nodes' own services know the directories").isFalse();

    conf.set("spark.shuffle.service.enabled", "true");
    assertThat(moves(conf)).isTrue();
    assertThat(conf.get(HOST_LOCAL)).isEqualTo("false");

    conf.set(HOST_LOCAL, "true");
    assertThat(moves(conf)).as("as the user wants it").isFalse();
    assertThat(conf.get(HOST_LOCAL)).isEqualTo("true");

    conf.set(HOST_LOCAL, "false").set("spark.shuffle.push.enabled", "true");
    assertThat(moves(conf)).as("pushed blocks are read in the same way").isFalse();
  }

  @Test
  void readersThatSpeakTlsFindEverythingWithExecutors() {
    var conf = conf().set("spark.ssl.rpc.enabled", "true");
    assertThat(dataIo(conf, true)).startsWith("Spark's");
    assertThat(moves(conf)).isFalse();
    conf.set("spark.ssl.rpc.enabled", "false");
    assertThat(moves(conf)).isTrue();
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
