package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.server.store.StoreDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A deployment directory that another user has made, with everything in it that could lead us
 * astray. Nobody makes it; so it takes root to try.
 */
@Timeout(60)
class StrangersDirectoryTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @TempDir private Path temp;
  private DeploymentFiles theirs;
  private Path ours;
  private Process victim;

  @BeforeEach
  void surroundings() throws Exception {
    assumeTrue(OwnPaths.user() == 0, "only root can become another user");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "no setpriv(1) here");
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path open = Files.createDirectory(temp.resolve("tmp"));
    assertThat(new ProcessBuilder("chmod", "1777", open.toString()).start().waitFor()).isZero();
    theirs = new DeploymentFiles(open.resolve("deployment"));
    ours = Files.createDirectory(temp.resolve("eley-node-1-ours"));
    Path lock = Files.writeString(ours.resolve("lock"), "0".repeat(32));
    Files.setPosixFilePermissions(lock, PosixFilePermissions.fromString("rw-------"));
    var command = List.of("sleep", "1000");
    victim = new ProcessBuilder(command).start();
    var noted = new PidFile(temp.resolve("node-1.pid"));
    noted.write(victim.toHandle(), command);

    asNobody("mkdir -m 755 '%s'".formatted(theirs.directory()));
    asNobody("echo '%s %s' >'%s'".formatted("0".repeat(32), ours, theirs.ramDisks()));
    String pid = Files.readString(noted.file());
    asNobody("printf '%s' >'%s'".formatted(pid, theirs.pidFile("node-1")));
    asNobody("echo 127.0.0.1:1 >'%s'".formatted(theirs.coordinatorAddress()));
    asNobody("printf %%064d 0 >'%1$s'; chmod 600 '%1$s'".formatted(theirs.secret()));
  }

  @AfterEach
  void end() {
    if (victim != null) {
      victim.destroyForcibly();
    }
  }

  private static void asNobody(String script) throws Exception {
    var command =
        new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    command.addAll(List.of("/bin/sh", "-c", script));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).as(script).isZero();
  }

  private void refused(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(EleyException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(theirs.directory() + " (owner 65534, mode 0755)")
        .hasMessageNotContaining("\n");
  }

  @Test
  void stopEndsAndDeletesNothingThatItTells() {
    refused(() -> LocalDeployment.stop(theirs, PATIENCE), ErrorCode.ACCESS_DENIED);
    assertThat(victim.isAlive()).isTrue();
    assertThat(ours).isDirectory();
    assertThat(theirs.ramDisks()).exists();
  }

  @Test
  void stopOfADirectoryInWhichOurDirectoryWasPlacedDeletesNothingEither() throws Exception {
    var files = new DeploymentFiles(theirs.directory().resolve("inner"));
    Files.createDirectory(files.directory());
    refused(() -> LocalDeployment.stop(files, PATIENCE), ErrorCode.ACCESS_DENIED);
  }

  @Test
  void startStatusAndClientsUseNothingOfIt() throws Exception {
    var plan =
        new DeploymentPlan(
            temp.toString(),
            1,
            DataSize.ofMebibytes(16),
            BufferMode.FULL_DELAY,
            BlockGeometry.DEFAULT,
            temp,
            "127.0.0.1",
            0,
            Map.of());
    var children = new Children(Children.RUNS, Children.RUNS);
    refused(
        () -> LocalDeployment.start(theirs, plan, children, Supervision.outlivingUs(), said -> {}),
        ErrorCode.ACCESS_DENIED);
    assertThat(children.started).isEmpty();
    assertThat(theirs.logs()).doesNotExist();

    refused(() -> LocalDeployment.connect(theirs), ErrorCode.ACCESS_DENIED);
    var client = ClientOptions.Deployment.in(theirs.directory());
    refused(client::address, ErrorCode.UNAUTHENTICATED);
    refused(client::secret, ErrorCode.UNAUTHENTICATED);
  }

  @Test
  void aNodeKeepsNoBlocksBelowIt() {
    refused(
        () -> StoreDirectory.open(theirs.directory().resolve("blocks")), ErrorCode.ACCESS_DENIED);
    assertThat(theirs.directory().resolve("blocks")).doesNotExist();
  }
}
