package io.eley.local.deployment;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.error.Remedy;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
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

  /**
   * Until so many nodes serve: they have registered, opened their storage, and their origin has
   * answered. A coordinator that does not answer in time, as on a machine with too much to do, is
   * asked again.
   */
  void awaitNodes(int count) throws EleyException {
    long end = System.nanoTime() + patience.toNanos();
    try (var coordinator = LocalDeployment.connect(files)) {
      for (Seen seen = look(coordinator); seen.serving < count; seen = look(coordinator)) {
        pause(end, seen.missing());
      }
    }
  }

  /**
   * What a look at the deployment has shown.
   *
   * @param joined nodes, of which some serve
   * @param problem with the look itself; empty when there was none
   */
  private record Seen(int joined, int serving, String problem) {
    String missing() {
      if (!problem.isEmpty()) {
        return "the coordinator (" + problem + ")";
      }
      return joined > serving ? "the origin of a node that has joined" : "a node";
    }
  }

  private static Seen look(CoordinatorClient coordinator) throws EleyException {
    try {
      List<NodeReport> nodes = coordinator.report().nodes();
      int serving = (int) nodes.stream().filter(node -> node.counters().serving()).count();
      return new Seen(nodes.size(), serving, "");
    } catch (EleyException e) {
      if (e.remedy() != Remedy.RETRY && e.code() != ErrorCode.DEADLINE) {
        throw e;
      }
      return new Seen(0, 0, e.getMessage() + "");
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
