package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IoCountsTest {
  private static final Path FILE = new Path("bb:///f");

  @TempDir private java.nio.file.Path origin;

  private static long counter(Object source, String name) {
    IOStatistics statistics = IOStatisticsSupport.retrieveIOStatistics(source);
    assertThat(statistics).as("statistics of %s", source).isNotNull();
    return java.util.Objects.requireNonNull(statistics.counters().get(name), name);
  }

  @Test
  void streamsCountTheirBytesAndTheFileSystemThoseOfAll() throws Exception {
    var conf = new Configuration(false);
    conf.set("eley.client.origin", origin.toString());
    try (var fs = new BbFileSystem()) {
      fs.initialize(URI.create("bb:///"), conf);
      try (var out = fs.create(FILE)) {
        out.write(new byte[100]);
        out.write(1);
        assertThat(out.hasCapability("iostatistics")).isTrue();
        assertThat(counter(out, "stream_write_bytes")).isEqualTo(101);
      }
      try (var out = fs.append(FILE)) {
        out.write(new byte[9]);
        assertThat(counter(out, "stream_write_bytes")).isEqualTo(9);
      }
      try (var in = fs.open(FILE)) {
        assertThat(in.read()).isZero();
        in.readFully(50, new byte[40]);
        List<FileRange> ranges = List.of(FileRange.createFileRange(5, 20));
        in.readVectored(ranges, ByteBuffer::allocate);
        ranges.get(0).getData().get(20, TimeUnit.SECONDS);
        assertThat(in.hasCapability("iostatistics")).isTrue();
        assertThat(counter(in, "stream_read_bytes")).isEqualTo(61);
      }
      try (var in = fs.open(FILE)) {
        assertThat(in.readAllBytes()).hasSize(110);
        assertThat(counter(in, "stream_read_bytes")).isEqualTo(110);
      }
      assertThat(counter(fs, "stream_read_bytes")).isEqualTo(171);
      assertThat(counter(fs, "stream_write_bytes")).isEqualTo(110);
      assertThat(counter(fs, "op_open")).isEqualTo(2);
      assertThat(counter(fs, "op_create")).isEqualTo(1);
      assertThat(counter(fs, "op_append")).isEqualTo(1);
    }
  }
}
