package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.spark.connector.fs.BbFileSystem;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What one application tells of what a JVM counts. */
@Isolated("it counts what all of this JVM read")
class ToldCountsTest {
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
      var first = ToldCounts.ofReads();
      assertThat(first.news("driver")).isNull();
      readAll(fs);
      assertThat(bytes(first)).isEqualTo(MIB);
      var second = ToldCounts.ofReads();
      assertThat(second.news("driver")).isNull();
      readAll(fs);
      assertThat(bytes(second)).isEqualTo(MIB);
      assertThat(second.news("driver")).as("nothing since").isNull();
      assertThat(bytes(first)).isEqualTo(2 * MIB);
    }
  }

  @Test
  void aMessageIsOfTheCountsThatItWasMadeOf() {
    Object[] reads = {"eley-read-counts", "3", new long[] {7}};
    Object[] stayed = {"eley-stayed-outputs", "4", new long[] {8, 9}};
    var noted = new ArrayList<String>();
    BiConsumer<String, long[]> account = (of, told) -> noted.add(of + Arrays.toString(told));
    assertThat(ToldCounts.takeReads(stayed, account)).isFalse();
    assertThat(ToldCounts.takeStayedOutputs(reads, account)).isFalse();
    assertThat(ToldCounts.takeStayedOutputs("eley-stayed-outputs", account)).isFalse();
    assertThat(ToldCounts.takeReads(reads, account)).isTrue();
    assertThat(ToldCounts.takeStayedOutputs(stayed, account)).isTrue();
    assertThat(noted).containsExactly("3[7]", "4[8, 9]");
  }

  private static void readAll(BbFileSystem fs) throws Exception {
    try (var in = fs.open(new org.apache.hadoop.fs.Path("bb:///f"))) {
      assertThat(in.readAllBytes()).hasSize(MIB);
    }
  }

  private static long bytes(ToldCounts counts) {
    Object[] news = counts.news("driver");
    assertThat(news).isNotNull();
    return Arrays.stream((long[]) news[2]).sum();
  }
}
