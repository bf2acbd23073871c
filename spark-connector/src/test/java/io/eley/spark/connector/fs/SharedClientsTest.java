package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.client.ClientCounters.Source;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What a JVM's clients have read, whether they are closed or not. */
@Isolated("it counts what all of this JVM read")
class SharedClientsTest {
  private static final int MIB = 1 << 20;

  @TempDir private Path origin;

  private BbFileSystem open() throws Exception {
    var conf = new Configuration(false);
    conf.set("eley.client.origin", origin.toString());
    var fs = new BbFileSystem();
    fs.initialize(URI.create("bb:///"), conf);
    return fs;
  }

  private static void readAll(BbFileSystem fs) throws Exception {
    try (var in = fs.open(new org.apache.hadoop.fs.Path("bb:///f"))) {
      assertThat(in.readAllBytes()).hasSize(MIB);
    }
  }

  /** As tasks do that have file systems of their own, or none cached. */
  @Test
  void theBytesOfClosedClientsStayCounted() throws Exception {
    Files.write(origin.resolve("f"), new byte[MIB]);
    long before = SharedClients.bytes(Source.values());
    for (int i = 1; i <= 2; i++) {
      try (var fs = open()) {
        readAll(fs);
        assertThat(SharedClients.bytes(Source.values()) - before).isEqualTo((long) i * MIB);
      }
      assertThat(SharedClients.bytes(Source.values()) - before).isEqualTo((long) i * MIB);
    }
    long bySource = Arrays.stream(Source.values()).mapToLong(SharedClients::bytes).sum();
    assertThat(bySource - before).isEqualTo(2 * MIB);
  }

  @Test
  void aClientThatIsSharedIsCountedOnce() throws Exception {
    Files.write(origin.resolve("f"), new byte[MIB]);
    long before = SharedClients.bytes(Source.values());
    try (var one = open()) {
      try (var other = open()) {
        readAll(other);
      }
      readAll(one);
      assertThat(SharedClients.bytes(Source.values()) - before).isEqualTo(2 * MIB);
    }
    assertThat(SharedClients.bytes(Source.values()) - before).isEqualTo(2 * MIB);
  }
}
