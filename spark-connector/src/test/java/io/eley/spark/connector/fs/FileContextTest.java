package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's newer API, as Spark's streaming checkpoints use it. */
class FileContextTest {
  @TempDir private java.nio.file.Path origin;

  @Test
  void fileContextNeedsNoSettingOfItsOwn() throws Exception {
    var conf = new Configuration();
    conf.set("eley.client.origin", origin.toString());
    // What any use of Hadoop's file systems does: it finds ours as a service.
    assertThat(FileSystem.getFileSystemClass("bb", conf)).isEqualTo(BbFileSystem.class);
    var context = FileContext.getFileContext(URI.create("bb:///"), conf);
    var file = new Path("/d/f");
    try (var out =
        context.create(file, EnumSet.of(CreateFlag.CREATE), Options.CreateOpts.createParent())) {
      out.write(new byte[] {1, 2, 3});
    }
    context.setPermission(file, new FsPermission((short) 0600));
    context.rename(file, new Path("/d/g"));
    assertThat(origin.resolve("d/g")).hasBinaryContent(new byte[] {1, 2, 3});
    assertThat((Integer) Files.getAttribute(origin.resolve("d/g"), "unix:mode") & 0777)
        .isEqualTo(0600);
    try (var in = context.open(new Path("bb:///d/g"))) {
      assertThat(in.readAllBytes()).containsExactly(1, 2, 3);
    }
    assertThat(context.getFsStatus(null).getCapacity()).isPositive();
    assertThat(context.delete(new Path("/d"), true)).isTrue();
    assertThat(origin).isEmptyDirectory();
  }
}
