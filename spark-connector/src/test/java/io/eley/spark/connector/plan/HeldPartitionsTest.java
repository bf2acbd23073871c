package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;

/** A question about what Spark holds is a round trip on the thread that plans. */
class HeldPartitionsTest {
  private static final int PARTITIONS = 1_000;

  @Test
  void oneQuestionIsAskedForAllPartitionsOfAnRdd() {
    var conf = new SparkConf().setMaster("local[1]").setAppName("held");
    try (var spark = new JavaSparkContext(conf.set("spark.ui.enabled", "false"))) {
      var asked = new ArrayList<Integer>();
      var walk =
          new SplitWalk(
              rdd -> {
                asked.add(rdd.id());
                return new BitSet();
              },
              path -> Optional.of(path.toUri().getPath()));
      var below = spark.parallelize(List.of(1), PARTITIONS).cache();
      var above = below.map(each -> each);
      var inputs = walk.inputs(above.rdd(), IntStream.range(0, PARTITIONS).toArray());
      assertThat(inputs).hasSize(PARTITIONS);
      assertThat(asked).containsExactly(above.rdd().id(), below.rdd().id());
    }
  }
}
