package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modes and owners at the origin, as callers of Hadoop's API ask for them. */
class PermissionsTest {
  private static final Path FILE = new Path("bb:///d/f");

  @TempDir private java.nio.file.Path origin;
  private BbFileSystem fs;

  @BeforeEach
  void open() throws Exception {
    fs = open("022");
  }

  @AfterEach
  void close() throws Exception {
    fs.close();
  }

  private BbFileSystem open(String umask) throws IOException {
    var conf = new Configuration(false);
    conf.set("eley.client.origin", origin.toString());
    conf.set("fs.permissions.umask-mode", umask);
    var opened = new BbFileSystem();
    opened.initialize(URI.create("bb:///"), conf);
    return opened;
  }

  private int mode(String path) throws IOException {
    return (Integer) Files.getAttribute(origin.resolve(path), "unix:mode") & 0777;
  }

  @Test
  void newFilesAndDirectoriesHaveTheModeThatIsAskedFor() throws Exception {
    fs.mkdirs(new Path("/d/e"), new FsPermission((short) 0700));
    fs.create(FILE, new FsPermission((short) 0600), true, 4096, (short) 1, 1 << 20, () -> {})
        .close();
    assertThat(mode("d/e")).isEqualTo(0700);
    assertThat(mode("d/f")).isEqualTo(0600);
    assertThat(fs.getFileStatus(FILE).getPermission().toShort()).isEqualTo((short) 0600);
  }

  @Test
  void hadoopsUmaskIsApplied() throws Exception {
    try (BbFileSystem strict = open("077")) {
      strict.mkdirs(new Path("/s"));
      strict.create(new Path("/s/f")).close();
    }
    assertThat(mode("s")).isEqualTo(0700);
    assertThat(mode("s/f")).isEqualTo(0600);
  }

  @Test
  void directoriesThatAreThereKeepTheirMode() throws Exception {
    fs.mkdirs(new Path("/d"), new FsPermission((short) 0750));
    fs.mkdirs(new Path("/d"), new FsPermission((short) 0777));
    fs.mkdirs(new Path("/d/e"), new FsPermission((short) 0700));
    assertThat(mode("d")).isEqualTo(0750);
  }

  @Test
  void whoAsksForNothingGetsWhatTheProcessGives() throws Exception {
    java.nio.file.Path plain = Files.createFile(origin.resolve("plain"));
    fs.create(FILE).close();
    assertThat(mode("d/f")).isEqualTo((Integer) Files.getAttribute(plain, "unix:mode") & 0777);
  }

  @Test
  void anOwnerIsNotChangedInSilence() throws Exception {
    fs.create(FILE).close();
    var status = fs.getFileStatus(FILE);
    fs.setOwner(FILE, status.getOwner(), status.getGroup());
    fs.setOwner(FILE, null, status.getGroup());
    assertThatThrownBy(() -> fs.setOwner(FILE, "nobody-else", null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not change owners");
    assertThatThrownBy(() -> fs.setOwner(new Path("/gone"), null, "others"))
        .isInstanceOf(java.io.FileNotFoundException.class);
  }
}
