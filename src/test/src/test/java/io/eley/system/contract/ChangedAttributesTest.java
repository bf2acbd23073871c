package io.eley.system.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BufferMode;
import io.eley.spark.connector.fs.BbFileSystem;
import io.eley.system.Deployments;
import java.io.FileNotFoundException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attributes that are changed through {@code bb://}, with a coordinator that has cached them. */
class ChangedAttributesTest {
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/d/f");

  @TempDir private Path temp;
  private Path origin;
  private Path file;
  private Deployments deployment;
  private FileSystem fs;

  @BeforeEach
  void start() throws Exception {
    origin = Files.createDirectory(temp.resolve("origin"));
    file = Files.writeString(Files.createDirectory(origin.resolve("d")).resolve("f"), "content");
    deployment = new Deployments(temp, origin, BufferMode.NO_ACTION);
    var conf = new Configuration(false);
    conf.set("eley.deployment", deployment.deploymentDirectory().toString());
    fs = new BbFileSystem();
    fs.initialize(URI.create("bb:///"), conf);
    // Cached from here on.
    assertThat(fs.getFileStatus(FILE).getLen()).isEqualTo(7);
    assertThat(fs.listStatus(FILE.getParent())).hasSize(1);
  }

  @AfterEach
  void end() throws Exception {
    fs.close();
    deployment.close();
  }

  @Test
  void permissionsReachTheOriginAndAreSeenAtOnce() throws Exception {
    var wanted = new FsPermission((short) 0640);
    fs.setPermission(FILE, wanted);
    assertThat((Integer) Files.getAttribute(file, "unix:mode") & 0777).isEqualTo(0640);
    assertThat(fs.getFileStatus(FILE).getPermission()).isEqualTo(wanted);
    assertThat(fs.listStatus(FILE.getParent())[0].getPermission()).isEqualTo(wanted);
  }

  @Test
  void timesReachTheOriginAndAreSeenAtOnce() throws Exception {
    fs.setTimes(FILE, 1_000_000, -1);
    assertThat(Files.getLastModifiedTime(file).toMillis()).isEqualTo(1_000_000);
    assertThat(fs.getFileStatus(FILE).getModificationTime()).isEqualTo(1_000_000);
  }

  @Test
  void whatIsOutsideTheOriginKeepsItsAttributes() throws Exception {
    Path outside = Files.writeString(temp.resolve("outside"), "secret");
    Object before = Files.getAttribute(outside, "unix:ctime");
    Files.createSymbolicLink(origin.resolve("link"), outside);
    var link = new org.apache.hadoop.fs.Path("/link");
    assertThatThrownBy(() -> fs.setPermission(link, new FsPermission((short) 0777)))
        .isInstanceOf(AccessControlException.class);
    assertThatThrownBy(() -> fs.setTimes(link, 1, 1)).isInstanceOf(AccessControlException.class);
    assertThat(Files.getAttribute(outside, "unix:ctime")).isEqualTo(before);
    assertThatThrownBy(
            () ->
                fs.setPermission(
                    new org.apache.hadoop.fs.Path("/none"), new FsPermission((short) 0777)))
        .isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void spaceIsTheOrigins() throws Exception {
    FsStatus space = fs.getStatus();
    assertThat(space.getCapacity()).isEqualTo(origin.toFile().getTotalSpace());
    assertThat(space.getUsed()).isBetween(1L, space.getCapacity());
    assertThat(fs.getStatus(FILE).getCapacity()).isEqualTo(space.getCapacity());
  }
}
