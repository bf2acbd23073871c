package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that runs until it is told to stop, or until its parent is gone. */
@Timeout(60)
class DaemonTest {
  @TempDir private Path temp;
  private final List<Process> started = new ArrayList<>();

  /** Says in files that it runs and that it was closed. */
  static final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
      Path directory = Path.of(arguments[1]);
      Daemon.run(
          Map.of(),
          settings -> {
            if (arguments[0].equals("fails")) {
              throw new EleyException(ErrorCode.UNAVAILABLE, "no");
            }
            markWhenWaiting(Thread.currentThread(), directory.resolve("running"));
            return () -> {
              mark(directory.resolve("closed"));
              if (arguments[0].equals("cannot-close")) {
                throw new IllegalStateException("still busy");
              }
            };
          });
    }

    /** It runs when it waits for its end: before, a signal would find nothing to close. */
    private static void markWhenWaiting(Thread daemon, Path file) {
      new Thread(
              () -> {
                while (daemon.getState() != Thread.State.WAITING) {
                  Thread.onSpinWait();
                }
                mark(file);
              })
          .start();
    }

    private static void mark(Path file) {
      try {
        Files.createFile(file);
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
  }

  private Process start(String how, String parent) throws Exception {
    var command =
        Program.ofThisJvm(Main.class.getName()).command(how, 64, List.of(temp.toString()));
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("output").toFile());
    builder.environment().remove(Daemon.PARENT);
    if (parent != null) {
      builder.environment().put(Daemon.PARENT, parent);
    }
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private void runs() {
    org.awaitility.Awaitility.await()
        .atMost(40, TimeUnit.SECONDS)
        .until(() -> Files.exists(temp.resolve("running")));
  }

  private static int code(Process process) throws Exception {
    assertThat(process.waitFor(40, TimeUnit.SECONDS)).as("it ends").isTrue();
    return process.exitValue();
  }

  @Test
  void termClosesItInOrder() throws Exception {
    Process process = start("runs", null);
    runs();
    process.destroy();
    assertThat(code(process)).isEqualTo(143);
    assertThat(temp.resolve("closed")).exists();
  }

  @Test
  void itEndsInOrderWithItsParent() throws Exception {
    Process parent = new ProcessBuilder("sleep", "1000").start();
    started.add(parent);
    Process process = start("runs", Long.toString(parent.pid()));
    runs();
    assertThat(process.isAlive()).isTrue();
    parent.destroyForcibly();
    assertThat(code(process)).isZero();
    assertThat(temp.resolve("closed")).exists();
  }

  @Test
  void itEndsAtOnceWhenItsParentIsGoneAlready() throws Exception {
    Process parent = new ProcessBuilder("true").start();
    assertThat(parent.waitFor()).isZero();
    assertThat(code(start("runs", Long.toString(parent.pid())))).isZero();
  }

  @Test
  void whatCannotBeClosedIsSaidAndDoesNotKeepItAlive() throws Exception {
    Process process = start("cannot-close", null);
    runs();
    process.destroy();
    assertThat(code(process)).isEqualTo(143);
    assertThat(Files.readString(temp.resolve("output")))
        .contains("eley: could not stop cleanly: ")
        .contains("still busy");
  }

  @Test
  void whatCannotStartEndsTheProcess() throws Exception {
    assertThat(code(start("fails", null))).isEqualTo(1);
  }
}
