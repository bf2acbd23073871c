package io.eley.system.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Processes of the job steps of one cluster. Slurm's daemons start them as nobody's children, so
 * that steps outlive a daemon that is started again; they stay in the working directory that the
 * daemons have, and are known by it: their environment is overwritten by what they call themselves.
 */
final class StepProcesses {
  /** A step that is over still tells the controller so. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Path directory;
  private final List<Process> daemons;

  /**
   * Of daemons that run in this directory.
   *
   * @param directory theirs alone: no job runs in it
   * @param daemons those of this moment
   */
  StepProcesses(Path directory, List<Process> daemons) throws IOException {
    this.directory = directory.toRealPath();
    this.daemons = daemons;
  }

  /**
   * Those that live, without those that nobody has waited for yet. What a daemon has for itself is
   * its child, and belongs to it while it lives.
   */
  List<ProcessHandle> alive() {
    Set<ProcessHandle> own =
        daemons.stream()
            .map(Process::toHandle)
            .flatMap(daemon -> Stream.concat(Stream.of(daemon), daemon.descendants()))
            .collect(Collectors.toSet());
    return ProcessHandle.allProcesses()
        .filter(process -> !own.contains(process))
        .filter(process -> workingDirectory(process).filter(directory::equals).isPresent())
        .toList();
  }

  /** Of a process that has ended there is none. */
  private static Optional<Path> workingDirectory(ProcessHandle process) {
    try {
      return Optional.of(
          Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd")));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Waits until none lives.
   *
   * @return whether that came in time
   */
  boolean haveEnded() {
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> alive().isEmpty());
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  /** Ends those that are left when the daemons have ended, with what they have started. */
  void end() {
    for (ProcessHandle step : alive()) {
      System.out.println("a step was left: " + step.pid() + " " + step.info());
      Stream.concat(step.descendants(), Stream.of(step))
          .toList()
          .forEach(ProcessHandle::destroyForcibly);
    }
    if (!haveEnded()) {
      throw new IllegalStateException("steps outlive their cluster: " + alive());
    }
  }
}
