package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.spark.connector.fs.ReadObserver;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real tasks of a real Spark in this JVM, which say themselves what they read. */
@Tag("spark")
@Timeout(120)
class ReadReporterTest {
  private static final ConcurrentLinkedQueue<PlanMessage.TaskRead> REPORTS =
      new ConcurrentLinkedQueue<>();
  private static final ReadReporter READS = new ReadReporter(() -> "app", REPORTS::add);

  @Test
  void eachTaskThatSucceedsReportsWhatItReadOnce() throws Exception {
    var conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("task reads")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.driver.host", "127.0.0.1");
    try (var spark = new JavaSparkContext(conf)) {
      spark.parallelize(List.of(0, 1, 2), 3).foreach(ReadReporterTest::read);
      assertThat(REPORTS).hasSize(3);
      for (PlanMessage.TaskRead read : REPORTS) {
        assertThat(read.stage().application()).isEqualTo("app");
        assertThat(read.slices())
            .containsExactlyInAnyOrder(
                slice("/f" + read.partition(), 0, 20), slice("/g", read.partition(), 5));
        assertThat(read.waitedNanos()).as("of all files").isEqualTo(1_000_007);
      }
      assertThat(REPORTS)
          .extracting(PlanMessage.TaskRead::partition)
          .containsExactlyInAnyOrder(0, 1, 2);
      REPORTS.clear();
      spark.parallelize(List.of(1), 1).foreach(i -> READS.begin(TaskContext.get()));
      assertThat(REPORTS).as("who reads nothing says so").hasSize(1);
      REPORTS.clear();
      assertThatThrownBy(() -> spark.parallelize(List.of(1), 1).foreach(ReadReporterTest::fail))
          .isInstanceOf(SparkException.class);
      assertThat(REPORTS).as("who fails has not read all").isEmpty();
    }
    assertThat(READS.apply("/f")).as("no task's thread").isSameAs(ReadObserver.NONE);
  }

  private static FileSlice slice(String path, long offset, long length) {
    return new FileSlice(path, new ByteRange(offset, length));
  }

  private static void read(int partition) {
    READS.begin(TaskContext.get());
    ReadObserver file = READS.apply("/f" + partition);
    file.reads(0, 10);
    file.waited(1_000_000);
    READS.apply("/g").reads(partition, 5);
    READS.apply("/g").waited(7);
    READS.apply("/f" + partition).reads(10, 10);
  }

  private static void fail(int partition) {
    read(partition);
    throw new IllegalStateException("on purpose");
  }
}
