package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The processes of a deployment, as their pid files tell.
 *
 * @param files of the deployment
 */
record ProcessList(DeploymentFiles files) {
  private static final Duration POLL = Duration.ofMillis(50);

  /** Whether any of them runs. */
  boolean anyRuns() throws EleyException {
    for (PidFile file : pidFiles()) {
      if (file.running().isPresent()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Ends them: TERM, and KILL for what does not heed it. Nodes first, so that none of them looks
   * for a coordinator that is gone. Blocks for up to twice the patience.
   *
   * @return how many there were
   */
  int end(Duration patience) throws EleyException {
    var all = pidFiles();
    return end(all.stream().filter(f -> !isCoordinators(f)).toList(), patience)
        + end(all.stream().filter(ProcessList::isCoordinators).toList(), patience);
  }

  private static boolean isCoordinators(PidFile file) {
    return file.process().equals(LocalDeployment.COORDINATOR);
  }

  private List<PidFile> pidFiles() throws EleyException {
    if (!Files.isDirectory(files.directory())) {
      return List.of();
    }
    try (var all = Files.list(files.directory())) {
      return all.filter(DeploymentFiles::isPidFile).sorted().map(PidFile::new).toList();
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "cannot read the deployment directory " + files.directory(), e);
    }
  }

  /** Ends these at the same time. */
  private static int end(List<PidFile> files, Duration patience) throws EleyException {
    var running = new ArrayList<ProcessHandle>();
    for (PidFile file : files) {
      file.running().ifPresent(running::add);
    }
    running.forEach(ProcessHandle::destroy);
    long deadline = System.nanoTime() + patience.toNanos();
    for (ProcessHandle process : running) {
      awaitEnd(process, deadline);
    }
    for (PidFile file : files) {
      try {
        file.delete();
      } catch (IOException e) {
        throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot remove " + file.file(), e);
      }
    }
    return running.size();
  }

  /** Polls: the JVM tells the end of a process that is not its child only when it was reaped. */
  private static void awaitEnd(ProcessHandle process, long deadline) {
    try {
      while (PidFile.alive(process)) {
        if (System.nanoTime() - deadline > 0) {
          process.destroyForcibly();
          return;
        }
        TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
