package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may start processes in a directory, and who waits, or is refused. */
@Timeout(60)
class StartTurnTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  @TempDir private Path temp;
  private DeploymentFiles files;

  @BeforeEach
  void directory() throws Exception {
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    files = new DeploymentFiles(Files.createDirectory(temp.resolve("deployment"), mode));
  }

  /** Begins to wait for a turn, and takes it. */
  private CompletableFuture<StartTurn> waiting() throws InterruptedException {
    var begun = new CountDownLatch(1);
    CompletableFuture<StartTurn> turn =
        CompletableFuture.supplyAsync(
            () -> {
              begun.countDown();
              try {
                return StartTurn.take(files, LONG);
              } catch (EleyException e) {
                throw new CompletionException(e);
              }
            },
            work -> new Thread(work, "starts").start());
    begun.await();
    return turn;
  }

  @Test
  void whoComesMeanwhileWaits() throws Exception {
    CompletableFuture<StartTurn> other;
    try (var turn = StartTurn.take(files, LONG)) {
      other = waiting();
      assertThat(other).isNotDone();
      turn.end();
      other.join().close();
    }
  }

  @Test
  void whoHasWaitedSeesWhatRunsNow() throws Exception {
    var command = List.of("/bin/sleep", "60");
    Process child = new ProcessBuilder(command).start();
    try {
      CompletableFuture<StartTurn> other;
      try (var turn = StartTurn.take(files, LONG)) {
        other = waiting();
        new PidFile(files.pidFile("supervisor")).write(child.toHandle(), command);
        assertThat(turn).hasToString("the turn to start");
      }
      assertThatThrownBy(other::join)
          .hasRootCauseMessage(
              "a deployment runs in "
                  + files.directory()
                  + " already; `eley stop` it, or name another --deployment");
    } finally {
      child.destroyForcibly();
    }
    new PidFile(files.pidFile("supervisor")).delete();
    StartTurn.take(files, Duration.ZERO).close(); // who was refused has left it
  }

  @Test
  void aStartThatStandsStillIsSaid() throws Exception {
    try (var turn = StartTurn.take(files, LONG)) {
      assertThatThrownBy(() -> StartTurn.take(files, Duration.ofMillis(50)))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
          .hasMessage(
              "another start in %s is under way; wait for it, or name another --deployment",
              files.directory());
      turn.end();
      turn.end(); // may be repeated
    }
    assertThat(Files.getPosixFilePermissions(files.startLock()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }
}
