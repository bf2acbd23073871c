package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.wire.Secret;
import io.eley.spark.connector.fs.EleyLocalFileSystem;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Paths of the origin, while its coordinator is away. */
@Timeout(60)
class ServedPathsTest {
  @TempDir private Path directory;

  private Configuration conf() throws Exception {
    Secret.create(directory.resolve("secret"));
    try (var refuses = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Files.writeString(
          directory.resolve("coordinator.address"), "127.0.0.1:" + refuses.getLocalPort());
    }
    var conf = new Configuration(false);
    conf.set("eley.deployment", directory.toString());
    conf.set("fs.file.impl", EleyLocalFileSystem.class.getName());
    return conf;
  }

  private static void assertServed(Configuration conf) {
    try (var paths = new ServedPaths(conf)) {
      assertThat(paths.apply(new org.apache.hadoop.fs.Path("file:///mnt/pfs/in"))).contains("/in");
      assertThat(paths.apply(new org.apache.hadoop.fs.Path("/mnt/pfs/in"))).contains("/in");
      assertThat(paths.apply(new org.apache.hadoop.fs.Path("bb:///in"))).contains("/in");
      assertThat(paths.apply(new org.apache.hadoop.fs.Path("file:///mnt/other/in"))).isEmpty();
      assertThat(paths.apply(new org.apache.hadoop.fs.Path("hdfs://nn/mnt/pfs/in"))).isEmpty();
    }
  }

  @Test
  void areThoseOfTheOriginInTheOptions() throws Exception {
    Configuration conf = conf();
    conf.set("eley.client.origin", "/mnt/pfs");
    assertServed(conf);
  }

  @Test
  void areThoseOfTheOriginInTheDeploymentsDirectory() throws Exception {
    Configuration conf = conf();
    Files.writeString(directory.resolve("origin"), "/mnt/pfs\nFULL_DELAY\n");
    assertServed(conf);
  }

  @Test
  void areNoneButItsOwnOnceTheApplicationIsOver() throws Exception {
    Configuration conf = conf();
    conf.set("eley.client.origin", "/mnt/pfs");
    var paths = new ServedPaths(conf);
    paths.close();
    assertThat(paths.apply(new org.apache.hadoop.fs.Path("file:///mnt/pfs/in"))).isEmpty();
    assertThat(paths.apply(new org.apache.hadoop.fs.Path("bb:///in"))).contains("/in");
  }
}
