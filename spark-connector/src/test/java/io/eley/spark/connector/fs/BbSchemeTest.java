package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How Hadoop finds {@code bb://} when nobody has set anything. */
class BbSchemeTest {
  @TempDir private java.nio.file.Path origin;

  @Test
  void theFileSystemIsFoundByHadoopsDefaults() throws Exception {
    assertThat(FileSystem.getFileSystemClass("bb", new Configuration()))
        .isEqualTo(BbFileSystem.class);
  }

  @Test
  void aConfigurationWithoutDefaultsReadsAndWritesToo() throws Exception {
    var conf = new Configuration(false);
    conf.set("eley.client.origin", origin.toString());
    assertThat(FileSystem.getFileSystemClass("bb", conf)).isEqualTo(BbScheme.class);
    try (var fs = FileSystem.newInstance(URI.create("bb:///"), conf)) {
      try (var out = fs.create(new Path("/f"))) {
        out.write(7);
      }
      assertThat(origin.resolve("f")).hasBinaryContent(new byte[] {7});
      assertThat(fs.getUri()).isEqualTo(URI.create("bb:///"));
      assertThat(fs.listStatus(new Path("bb:///"))).hasSize(1);
      try (var in = fs.open(new Path("bb:///f"))) {
        assertThat(in.read()).isEqualTo(7);
      }
    }
    assertThat(Files.exists(origin.resolve("f"))).isTrue();
  }
}
