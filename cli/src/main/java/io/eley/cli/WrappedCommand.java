package io.eley.cli;

import io.eley.local.deployment.Teardown;
import io.eley.scheduler.hooks.command.NoProgram;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Somebody else's command, run with our terminal. */
final class WrappedCommand implements AutoCloseable {
  private static final Duration FAREWELL = Duration.ofSeconds(10);

  private final Process process;

  WrappedCommand(Process process) {
    this.process = process;
  }

  /**
   * Starts it.
   *
   * @throws IOException when there is no such command, or it may not be run
   */
  static WrappedCommand start(List<String> command) throws IOException {
    return start(command, Map.of());
  }

  /**
   * The same; a TERM to us is one to the command, which may take as long as it needs.
   *
   * @param end waits for the command before it ends what was there earlier
   */
  static WrappedCommand start(List<String> command, Teardown end) throws IOException {
    return end.make(
        () -> {
          var started = start(command);
          end.add(started::passTermOn);
          return started;
        });
  }

  /** The same with further variables in its environment. */
  static WrappedCommand start(List<String> command, Map<String, String> environment)
      throws IOException {
    var builder = new ProcessBuilder(command).inheritIO();
    builder.environment().putAll(environment);
    try {
      return new WrappedCommand(builder.start());
    } catch (IOException e) {
      throw new IOException("cannot run " + command.get(0) + ": " + NoProgram.reason(e), e);
    }
  }

  /** Blocks until the command has ended, and gives its exit code. */
  int await() throws InterruptedException {
    return process.waitFor();
  }

  /**
   * TERM, and nothing harder: it may be writing its last checkpoint. How long that may take is for
   * whoever told us to end; Slurm sends its KILL after {@code KillWait} (slurm.conf(5)).
   */
  void passTermOn() {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** TERM, and KILL for a command that does not heed it; nothing when it has ended. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
    }
  }
}
