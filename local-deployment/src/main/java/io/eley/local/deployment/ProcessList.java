package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The processes of a deployment, as their pid files tell.
 *
 * @param files of the deployment
 */
record ProcessList(DeploymentFiles files) {
  private static final Duration POLL = Duration.ofMillis(50);

  /** Whether any of them runs, this process not counted. */
  boolean anyRuns() throws EleyException {
    return !running(pidFiles()).isEmpty();
  }

  /**
   * Where some of them may run, not to be seen from here, in the words of a refusal; empty when all
   * can be seen.
   */
  Optional<String> elsewhere() throws EleyException {
    for (PidFile file : pidFiles()) {
      Optional<String> there = file.elsewhere();
      if (there.isPresent()) {
        return there.map(
            host ->
                "the deployment in "
                    + files.directory()
                    + " was started on "
                    + host
                    + ": `eley stop` it there; if it has ended with its host or job, remove "
                    + files.directory()
                    + "/*.pid");
      }
    }
    return Optional.empty();
  }

  /**
   * Ends them, but for this process and those {@link #elsewhere}, whose files stay: TERM, and KILL
   * for what does not heed it. The supervisor first, which would start the others again; then
   * nodes, so that none of them looks for a coordinator that is gone. Blocks for up to three times
   * the patience.
   *
   * @return how many could be seen
   */
  int end(Duration patience) throws EleyException {
    int running = running(pidFiles()).size();
    for (int rank : List.of(0, 1, 2)) {
      end(pidFiles().stream().filter(f -> rank(f.process()) == rank).toList(), patience);
    }
    return running;
  }

  /** What has a smaller one ends first. */
  private static int rank(String process) {
    if (process.equals(LocalDeployment.SUPERVISOR)) {
      return 0;
    }
    return process.equals(LocalDeployment.COORDINATOR) ? 2 : 1;
  }

  private static List<ProcessHandle> running(List<PidFile> files) throws EleyException {
    var running = new ArrayList<ProcessHandle>();
    for (PidFile file : files) {
      file.running().filter(p -> !p.equals(ProcessHandle.current())).ifPresent(running::add);
    }
    return running;
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
  private static void end(List<PidFile> files, Duration patience) throws EleyException {
    endAll(running(files), patience);
    for (PidFile file : files) {
      try {
        if (file.elsewhere().isEmpty()) {
          file.delete();
        }
      } catch (EleyException e) {
        throw e;
      } catch (IOException e) {
        throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot remove " + file.file(), e);
      }
    }
  }

  /** Ends these at the same time: TERM, and KILL for what does not heed it. */
  static void endAll(List<ProcessHandle> running, Duration patience) {
    running.forEach(ProcessHandle::destroy);
    long deadline = System.nanoTime() + patience.toNanos();
    for (ProcessHandle process : running) {
      awaitEnd(process, deadline);
    }
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
