package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.spark.connector.fs.BbFileSystem;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What one application tells of a JVM's reads. */
@Isolated("it counts what all of this JVM read")
class ReadCountsTest {
  private static final int MIB = 1 << 20;

  @TempDir private Path origin;

  /** As PySpark's user has them who stops a session and makes another one. */
  @Test
  void anApplicationTellsOnlyWhatWasReadSinceItBegan() throws Exception {
    Files.write(origin.resolve("f"), new byte[MIB]);
    var conf = new Configuration(false);
    conf.set("eley.client.origin", origin.toString());
    try (var fs = new BbFileSystem()) {
      fs.initialize(URI.create("bb:///"), conf);
      var first = new ReadCounts();
      assertThat(first.news("driver")).isNull();
      readAll(fs);
      assertThat(bytes(first)).isEqualTo(MIB);
      var second = new ReadCounts();
      assertThat(second.news("driver")).isNull();
      readAll(fs);
      assertThat(bytes(second)).isEqualTo(MIB);
      assertThat(second.news("driver")).as("nothing since").isNull();
      assertThat(bytes(first)).isEqualTo(2 * MIB);
    }
  }

  private static void readAll(BbFileSystem fs) throws Exception {
    try (var in = fs.open(new org.apache.hadoop.fs.Path("bb:///f"))) {
      assertThat(in.readAllBytes()).hasSize(MIB);
    }
  }

  private static long bytes(ReadCounts counts) {
    Object[] news = counts.news("driver");
    assertThat(news).isNotNull();
    return Arrays.stream((long[]) news[2]).sum();
  }
}
