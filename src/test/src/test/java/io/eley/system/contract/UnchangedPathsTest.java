package io.eley.system.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BufferMode;
import io.eley.spark.connector.fs.EleyLocalFileSystem;
import io.eley.system.Deployments;
import java.io.FileNotFoundException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Unchanged {@code file://} paths: those below the origin go through the buffer, others do not. */
@Timeout(60)
class UnchangedPathsTest {
  private static final int LENGTH = 3 * Deployments.GEOMETRY.blockSize() + 5;

  @TempDir private Path temp;
  private Path origin;
  private byte[] content;

  @BeforeEach
  void makeFiles() throws Exception {
    origin = Files.createDirectory(temp.resolve("origin"));
    content = new byte[LENGTH];
    new Random(11).nextBytes(content);
    Files.write(origin.resolve("in"), content);
    Files.write(temp.resolve("elsewhere"), content);
  }

  @Test
  void filesBelowTheOriginAreReadThroughTheBufferOthersAreNot() throws Exception {
    try (var deployment = new Deployments(temp, origin, BufferMode.NO_ACTION)) {
      var node = deployment.startNode("a", "64m");
      try (var fs = fileSystem(deployment.deploymentDirectory().toString())) {
        assertThat(read(fs, temp.resolve("elsewhere"))).isEqualTo(content);
        assertThat(node.counters().servedBytes()).isZero();
        assertThat(read(fs, origin.resolve("in"))).isEqualTo(content);
        assertThat(node.counters().servedBytes()).isEqualTo(LENGTH);
        assertThat(fs.getUri()).isEqualTo(URI.create("file:///"));
      }
    }
  }

  @Test
  void anOriginIsServedByTheLinkThatItWasNamedByAndNoOtherDirectoryIs() throws Exception {
    Path link = Files.createSymbolicLink(temp.resolve("link"), origin);
    Path other = Files.createDirectory(temp.resolve("other"));
    Files.write(other.resolve("in"), new byte[] {7});
    try (var deployment = new Deployments(temp, link, BufferMode.NO_ACTION)) {
      var node = deployment.startNode("a", "64m");
      String directory = deployment.deploymentDirectory().toString();
      try (var fs = fileSystem(directory, "eley.client.origin", other.toString())) {
        assertThat(read(fs, other.resolve("in"))).isEqualTo(new byte[] {7});
        assertThat(node.counters().servedBytes()).isZero();
      }
      try (var fs = fileSystem(directory, "eley.client.origin", link.toString())) {
        assertThat(read(fs, link.resolve("in"))).isEqualTo(content);
        assertThat(node.counters().servedBytes()).isEqualTo(LENGTH);
        assertThat(read(fs, origin.resolve("in"))).isEqualTo(content);
        assertThat(node.counters().servedBytes()).isEqualTo(2L * LENGTH);
      }
    }
  }

  @Test
  void aFileThatWasJustWrittenIsReadAsItIsNow() throws Exception {
    try (var deployment = new Deployments(temp, origin, BufferMode.NO_ACTION)) {
      deployment.startNode("a", "64m");
      try (var fs = fileSystem(deployment.deploymentDirectory().toString())) {
        var path = new org.apache.hadoop.fs.Path(origin.resolve("fresh").toUri());
        for (int i = 1; i <= 3; i++) {
          try (var out = fs.create(path, true)) {
            out.write(content, 0, 1000 * i);
          }
          assertThat(read(fs, origin.resolve("fresh")))
              .isEqualTo(java.util.Arrays.copyOf(content, 1000 * i));
        }
      }
    }
  }

  @Test
  void withoutADeploymentItIsTheLocalFileSystem() throws Exception {
    for (String deployment : new String[] {"", temp.resolve("none").toString()}) {
      try (var fs = fileSystem(deployment)) {
        assertThat(read(fs, origin.resolve("in"))).isEqualTo(content);
        assertThatThrownBy(() -> read(fs, origin.resolve("missing")))
            .isInstanceOf(FileNotFoundException.class);
      }
    }
  }

  @Test
  void whenTheDeploymentGoesAwayReadingGoesOn() throws Exception {
    var deployment = new Deployments(temp, origin, BufferMode.NO_ACTION);
    deployment.startNode("a", "64m");
    try (var fs = fileSystem(deployment.deploymentDirectory().toString())) {
      assertThat(read(fs, origin.resolve("in"))).isEqualTo(content);
      deployment.close();
      assertThat(read(fs, origin.resolve("in"))).isEqualTo(content);
    }
  }

  private static FileSystem fileSystem(String deployment, String... more) throws Exception {
    var conf = new Configuration(false);
    if (!deployment.isEmpty()) {
      conf.set("eley.deployment", deployment);
    }
    conf.set("eley.client.local", "false");
    conf.set("eley.client.read-ahead", "false");
    // On a busy machine a node that is slow to answer is no node that is away: it is counted.
    conf.set("eley.client.connect-timeout", "20s");
    conf.set("eley.client.silence", "10s");
    for (int i = 0; i < more.length; i += 2) {
      conf.set(more[i], more[i + 1]);
    }
    var fs = new EleyLocalFileSystem();
    fs.initialize(URI.create("file:///"), conf);
    return fs;
  }

  private static byte[] read(FileSystem fs, Path file) throws Exception {
    try (var in = fs.open(new org.apache.hadoop.fs.Path(file.toUri()))) {
      return in.readAllBytes();
    }
  }
}
