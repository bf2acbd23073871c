package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnFiles;
import io.eley.bb.api.edge.ProcessLock;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a killed coordinator leaves is taken away by a stop, and what a live one has is not. */
@Timeout(60)
class LeftAddressTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @TempDir private Path temp;
  private DeploymentFiles files;
  private ServerSocket listening;

  @BeforeEach
  void whatACoordinatorWrites() throws Exception {
    files = new DeploymentFiles(temp.resolve("deployment"));
    Files.createDirectory(files.directory());
    listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    for (Path file : files.whileItListens()) {
      OwnFiles.replace(file, "127.0.0.1:" + listening.getLocalPort() + "\n");
    }
  }

  @AfterEach
  void end() throws Exception {
    listening.close();
  }

  private void stop() throws Exception {
    assertThat(LocalDeployment.stop(files, PATIENCE)).isZero();
  }

  @Test
  void ofOneWhosePortRefusesItGoes() throws Exception {
    listening.close();
    stop();
    assertThat(files.whileItListens()).hasSize(5).noneMatch(Files::exists);
    stop();
  }

  /** By systemd or a job's script, which write no pid file; on a host whose locks we do not see. */
  @Test
  void ofOneWhosePortTakesConnectionsItStays() throws Exception {
    stop();
    assertThat(files.whileItListens()).allMatch(Files::exists);
  }

  @Test
  void ofOneThatHoldsItsLockItStays() throws Exception {
    listening.close();
    try (var lock = ProcessLock.take(files.coordinatorLock()).orElseThrow()) {
      assertThat(lock).isNotNull();
      stop();
      assertThat(files.whileItListens()).allMatch(Files::exists);
    }
  }

  /** Somebody else has its port by now. */
  @Test
  void ofOneThatWasOursAndIsFoundGoneItGoes() throws Exception {
    var ended = new ProcessBuilder("true").start();
    new PidFile(files.pidFile(LocalDeployment.COORDINATOR))
        .write(ended.toHandle(), List.of("true"));
    assertThat(ended.waitFor()).isZero();
    stop();
    assertThat(files.whileItListens()).noneMatch(Files::exists);
  }
}
