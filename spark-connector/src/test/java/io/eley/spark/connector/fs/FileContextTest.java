package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileAlreadyExistsException;
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

  /** As a state store's commits are, of which a speculative attempt may be killed at any moment. */
  @Test
  void aFileThatIsOverwrittenIsThereAtEveryMoment() throws Exception {
    var conf = new Configuration();
    conf.set("eley.client.origin", origin.toString());
    conf.set("fs.AbstractFileSystem.bb.impl", BbFs.class.getName());
    var context = FileContext.getFileContext(URI.create("bb:///"), conf);
    var file = new Path("/d/f");
    java.nio.file.Path directory = Files.createDirectory(origin.resolve("d"));
    Files.writeString(directory.resolve("f"), "0");
    var over = new AtomicBoolean();
    var opened = new AtomicInteger();
    var reading =
        CompletableFuture.runAsync(
            () -> {
              while (!over.get()) {
                try {
                  context.open(file).close();
                  opened.incrementAndGet();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            });
    await().until(() -> opened.get() > 0 || reading.isDone());
    for (int i = 1; i <= 1_000; i++) {
      Files.writeString(directory.resolve("next"), Integer.toString(i));
      context.rename(new Path("/d/next"), file, Options.Rename.OVERWRITE);
    }
    over.set(true);
    reading.get();
    assertThat(directory.resolve("f")).hasContent("1000");
    assertThat(directory.toFile().list()).containsExactly("f");
  }

  @Test
  void onlyAFileOverwritesAndOnlyAFile() throws Exception {
    var conf = new Configuration();
    conf.set("eley.client.origin", origin.toString());
    conf.set("fs.AbstractFileSystem.bb.impl", BbFs.class.getName());
    var context = FileContext.getFileContext(URI.create("bb:///"), conf);
    Files.createDirectories(origin.resolve("d/e"));
    Files.writeString(origin.resolve("f"), "1");
    Files.writeString(origin.resolve("g"), "2");
    var none = new Path("/none");
    for (Path target : new Path[] {new Path("/d"), new Path("/f"), new Path("/none/f")}) {
      assertThatThrownBy(() -> context.rename(new Path("/f"), target, Options.Rename.OVERWRITE))
          .as("%s", target)
          .isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> context.rename(none, new Path("/f"), Options.Rename.OVERWRITE))
        .isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> context.rename(new Path("/g"), new Path("/f")))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(origin.resolve("f")).hasContent("1");
    context.rename(new Path("/g"), new Path("/d/e/g"), Options.Rename.OVERWRITE);
    assertThat(origin.resolve("d/e/g")).hasContent("2");
  }
}
