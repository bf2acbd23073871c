package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.ProcessLock;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to start processes in a deployment's directory: between the look whether some run there
 * and the moment at which ours are noted, nobody else starts any. Two starts that had both seen
 * none would end each other's processes.
 *
 * <p>It is held for milliseconds, so who comes meanwhile waits, and then sees what runs: also a
 * supervisor, which takes a turn of its own, for the command that is still noting it.
 */
final class StartTurn implements AutoCloseable {
  /** Longer only a process that stands still has a turn. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Logger LOG = LoggerFactory.getLogger(StartTurn.class);
  private static final Duration POLL = Duration.ofMillis(20);

  private final ProcessLock lock;

  private StartTurn(ProcessLock lock) {
    this.lock = lock;
  }

  /**
   * Waits for the turn. Blocks for the patience at most.
   *
   * @param files of a directory that is there
   * @throws EleyException {@code UNAVAILABLE} when a deployment runs there, or may run on another
   *     host, or when another start does not get through; {@code ACCESS_DENIED} when the directory
   *     takes no lock
   */
  static StartTurn take(DeploymentFiles files, Duration patience) throws EleyException {
    var turn = new StartTurn(locked(files, patience));
    try {
      StartChecks.requireNoneRuns(files);
      return turn;
    } catch (EleyException e) {
      turn.end();
      throw e;
    }
  }

  private static ProcessLock locked(DeploymentFiles files, Duration patience) throws EleyException {
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      Optional<ProcessLock> lock = ProcessLock.take(files.startLock());
      while (lock.isEmpty() && System.nanoTime() - deadline < 0) {
        TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
        lock = ProcessLock.take(files.startLock());
      }
      return lock.orElseThrow(
          () ->
              new EleyException(
                  ErrorCode.UNAVAILABLE,
                  "another start in "
                      + files.directory()
                      + " is under way; wait for it, or name another --deployment"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted while starting", e);
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot lock " + files.startLock(), e);
    }
  }

  /** Ends the turn, since our processes are noted; may be repeated. */
  void end() {
    try {
      lock.close();
    } catch (IOException e) {
      LOG.warn("{} is released when this process ends: {}", this, e.getMessage());
    }
  }

  @Override
  public String toString() {
    return "the turn to start";
  }

  @Override
  public void close() {
    end();
  }
}
