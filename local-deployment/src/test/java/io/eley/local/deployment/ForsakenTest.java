package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.origin.TreeDeletion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A deployment whose directory somebody deletes, in order to clean up. */
@Timeout(120)
@Tag("slow")
class ForsakenTest {
  @TempDir private Path temp;

  @Test
  void whatNobodyCouldFindAnyMoreEnds() throws Exception {
    Files.createDirectory(temp.resolve("origin"));
    Path ram = Files.createDirectory(temp.resolve("ram"));
    var files = new DeploymentFiles(temp.resolve("deployment"));
    var plan =
        new DeploymentPlan(
            temp.resolve("origin").toString(),
            1,
            DataSize.ofMebibytes(16),
            BufferMode.FULL_DELAY,
            BlockGeometry.DEFAULT,
            ram,
            "127.0.0.1",
            0,
            Map.of("eley.network.handshake-deadline", "60s"));
    var program = Program.ofThisJvm(RealProcesses.class.getName());
    try (var supervisor = Supervisor.start(files, plan, program)) {
      var processes =
          List.of(
              new PidFile(files.pidFile("coordinator")).running().orElseThrow(),
              new PidFile(files.pidFile("node-1")).running().orElseThrow());
      assertThat(ram).isNotEmptyDirectory();

      // Its processes may write into it meanwhile.
      await()
          .ignoreExceptions()
          .until(
              () -> {
                TreeDeletion.delete(files.directory());
                return true;
              });
      supervisor.forsaken().toCompletableFuture().get(60, TimeUnit.SECONDS);

      await().untilAsserted(() -> assertThat(processes).noneMatch(PidFile::alive));
      assertThat(ram).isEmptyDirectory();
    }
    assertThat(files.directory()).doesNotExist();
  }
}
