package io.eley.system.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.ConfigKey;
import io.eley.spark.connector.fs.BbFileSystem;
import io.eley.spark.connector.fs.FsKeys;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the keys of the file system do, without a deployment: it reads the origin itself then. */
class FsKeysTest {
  @TempDir private Path origin;

  private long reported(String... settings) throws Exception {
    Files.writeString(origin.resolve("in"), "content");
    var conf = new Configuration(false);
    conf.set("eley.client.origin", origin.toString());
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    try (var fs = new BbFileSystem()) {
      fs.initialize(URI.create("bb:///"), conf);
      return fs.getFileStatus(new org.apache.hadoop.fs.Path("bb:///in")).getBlockSize();
    }
  }

  @Test
  void everyKeyReachesTheOptions() throws Exception {
    assertThat(FsKeys.all())
        .extracting(ConfigKey::name)
        .isEqualTo(List.of("eley.fs.block-size", "eley.fs.locality"));
    assertThat(reported("eley.fs.block-size", "7m")).isEqualTo(7L << 20);
    assertThat(reported()).isEqualTo(FsKeys.BLOCK_SIZE.defaultValue().bytes());
  }

  @Test
  void anOldNameInHadoopsConfigurationIsTaken() throws Exception {
    Files.writeString(origin.resolve("in"), "content");
    var conf = new Configuration(false);
    conf.set("eley.origin", origin.toString());
    try (var fs = new BbFileSystem()) {
      fs.initialize(URI.create("bb:///"), conf);
      assertThat(fs.exists(new org.apache.hadoop.fs.Path("bb:///in"))).isTrue();
    }
  }
}
