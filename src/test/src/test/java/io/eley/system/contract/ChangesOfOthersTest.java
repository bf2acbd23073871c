package io.eley.system.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BufferMode;
import io.eley.spark.connector.fs.BbFileSystem;
import io.eley.system.Deployments;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What another process's file system changes is seen by one that has just been told a status. */
@Timeout(120)
class ChangesOfOthersTest {
  private static final Path FILE = new Path("/d/f");
  private static final Path TARGET = new Path("/d/g");

  private Deployments deployment;
  private java.nio.file.Path removed;
  private FileSystem reader;
  private FileSystem writer;

  @BeforeEach
  void start(@TempDir java.nio.file.Path temp) throws Exception {
    var origin = Files.createDirectory(temp.resolve("origin"));
    removed = Files.createDirectory(origin.resolve("d")).resolve("f");
    Files.writeString(removed, "content");
    deployment = new Deployments(temp, origin, BufferMode.NO_ACTION);
    reader = fileSystem("eley.client.read-ahead", "true");
    // Other options, so another client: file systems of the same options share one.
    writer = fileSystem("eley.client.read-ahead", "false");
    // Lent from here on: the second answer is the client's own.
    assertThat(reader.getFileStatus(FILE).getLen()).isEqualTo(7);
    assertThat(reader.getFileStatus(FILE).getLen()).isEqualTo(7);
  }

  private FileSystem fileSystem(String key, String value) throws Exception {
    var conf = new Configuration(false);
    conf.set("eley.deployment", deployment.deploymentDirectory().toString());
    conf.set(key, value);
    var fs = new BbFileSystem();
    fs.initialize(URI.create("bb:///"), conf);
    return fs;
  }

  @AfterEach
  void end() throws Exception {
    reader.close();
    writer.close();
    deployment.close();
  }

  @Test
  void aRenamedFileIsAtItsNewNameOnly() throws Exception {
    assertThat(writer.rename(FILE, TARGET)).isTrue();
    assertThatThrownBy(() -> reader.getFileStatus(FILE)).isInstanceOf(FileNotFoundException.class);
    assertThat(reader.getFileStatus(TARGET).getLen()).isEqualTo(7);
    assertThat(reader.rename(TARGET, FILE)).isTrue();
    assertThat(writer.exists(TARGET)).isFalse();
    assertThat(writer.exists(FILE)).isTrue();
  }

  @Test
  void aDeletedTreeIsGone() throws Exception {
    assertThat(writer.delete(FILE.getParent(), true)).isTrue();
    assertThat(reader.exists(FILE)).isFalse();
    assertThat(reader.exists(FILE.getParent())).isFalse();
    assertThat(writer.mkdirs(FILE)).isTrue();
    assertThat(reader.getFileStatus(FILE).isDirectory()).isTrue();
  }

  /** As by rm, between two runs of a notebook's cell: its second run is to write it again. */
  @Test
  void whatWasRemovedPastEleyDoesNotExistAndCanBeWrittenAgain() throws Exception {
    assertThat(reader.exists(FILE)).isTrue();
    Files.delete(removed);
    assertThat(reader.exists(FILE)).isFalse();
    assertThatThrownBy(() -> writer.getFileStatus(FILE)).isInstanceOf(FileNotFoundException.class);
    writer.create(FILE, false).close();
    assertThat(reader.exists(FILE)).isTrue();
    Files.delete(removed);
    assertThat(reader.delete(FILE, true)).as("nothing was there").isFalse();
    assertThat(reader.exists(FILE)).isFalse();
  }

  @Test
  void aFileThatWasWrittenAnewOrGrewHasItsNewLength() throws Exception {
    try (var out = writer.create(FILE, true)) {
      out.writeBytes("new");
    }
    assertThat(reader.getFileStatus(FILE).getLen()).isEqualTo(3);
    try (var out = writer.append(FILE)) {
      out.writeBytes("er");
    }
    assertThat(reader.getFileStatus(FILE).getLen()).isEqualTo(5);
  }

  /** Whoever asks while it is created may be told either; who asks afterwards may not. */
  @Test
  void aFileThatIsCreatedHasItsPermissionsFromThenOn() throws Exception {
    var wanted = new FsPermission((short) 0600);
    var created = new AtomicReference<>(FILE);
    var over = new AtomicBoolean();
    var asking =
        new Thread(
            () -> {
              while (!over.get()) {
                try {
                  reader.getFileStatus(created.get());
                } catch (IOException e) {
                  // it is not there yet
                }
              }
            });
    asking.start();
    try {
      for (int i = 0; i < 50; i++) {
        var file = new Path("/d/new-" + i);
        created.set(file);
        try (var out = writer.create(file, wanted, false, 4096, (short) 1, 1 << 20, null)) {
          assertThat(reader.getFileStatus(file).getPermission()).as("%s", file).isEqualTo(wanted);
          out.writeBytes("content");
        }
      }
    } finally {
      over.set(true);
      asking.join();
    }
  }

  @Test
  void permissionsAndTimesAreTheNewOnes() throws Exception {
    var wanted = new FsPermission((short) 0640);
    writer.setPermission(FILE, wanted);
    assertThat(reader.getFileStatus(FILE).getPermission()).isEqualTo(wanted);
    writer.setTimes(FILE, 1_000_000, -1);
    assertThat(reader.getFileStatus(FILE).getModificationTime()).isEqualTo(1_000_000);
  }
}
