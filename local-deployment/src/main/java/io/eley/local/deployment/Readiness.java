package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Waits for processes that were just started. One that ends, or does not come up in time, is an
 * error with the end of its log. Blocks; for one thread.
 */
final class Readiness {
  private static final Duration POLL = Duration.ofMillis(50);

  private final DeploymentFiles files;
  private final List<ChildProcess> processes;
  private final Duration patience;

  /**
   * Waits for nothing yet.
   *
   * @param patience of each step
   */
  Readiness(DeploymentFiles files, List<ChildProcess> processes, Duration patience) {
    this.files = files;
    this.processes = List.copyOf(processes);
    this.patience = patience;
  }

  /** When the coordinator's address was written, milliseconds since the epoch; 0 without one. */
  static long addressWrittenAt(DeploymentFiles files) {
    return files.coordinatorAddress().toFile().lastModified();
  }

  /**
   * Until the coordinator listens.
   *
   * @param before when an address was written before it was started: a coordinator that was killed
   *     has left its address behind, and that is not the one that we wait for
   */
  void awaitCoordinator(long before) throws EleyException {
    long end = System.nanoTime() + patience.toNanos();
    for (long at = addressWrittenAt(files); at == 0 || at == before; at = addressWrittenAt(files)) {
      pause(end, "the coordinator");
    }
  }

  /** Until so many nodes have registered. */
  void awaitNodes(int count) throws EleyException {
    long end = System.nanoTime() + patience.toNanos();
    try (var coordinator = LocalDeployment.connect(files)) {
      while (coordinator.report().nodes().size() < count) {
        pause(end, "a node");
      }
    }
  }

  private void pause(long end, String what) throws EleyException {
    for (ChildProcess process : processes) {
      process.requireAlive(files);
    }
    if (System.nanoTime() - end > 0) {
      throw new EleyException(
          ErrorCode.DEADLINE,
          what + " was not ready within " + patience.toSeconds() + " s; see " + files.logs());
    }
    try {
      TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted while starting", e);
    }
  }
}
