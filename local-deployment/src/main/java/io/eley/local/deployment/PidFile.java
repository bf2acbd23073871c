package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * The pid of a process that we started, with its start time: a pid alone may have been given to
 * somebody else since, and that process must never be ended by us.
 *
 * @param file see {@link DeploymentFiles#pidFile}
 */
record PidFile(Path file) {
  /** The name of the process. */
  String process() {
    return DeploymentFiles.processOf(file);
  }

  void write(ProcessHandle process) throws IOException {
    Files.writeString(file, process.pid() + " " + startMillis(process));
  }

  /** The process, if it still runs and is the one that was started. */
  Optional<ProcessHandle> running() {
    try {
      String text = Files.readString(file).strip();
      int space = text.indexOf(' ');
      long started = Long.parseLong(text.substring(space + 1));
      return ProcessHandle.of(Long.parseLong(text.substring(0, space)))
          .filter(p -> startMillis(p) == started && alive(p));
    } catch (IOException | NumberFormatException | StringIndexOutOfBoundsException e) {
      // No file, or not one of ours: there is nothing that we may touch.
      return Optional.empty();
    }
  }

  /**
   * Whether it runs. One that has ended and that nobody has reaped does not, though the JVM says
   * so: in containers whose first process reaps nobody it stays like that for ever (proc(5), state
   * Z).
   */
  static boolean alive(ProcessHandle process) {
    if (!process.isAlive()) {
      return false;
    }
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      return !stat.substring(stat.lastIndexOf(')') + 1).strip().startsWith("Z");
    } catch (IOException e) {
      return process.isAlive();
    }
  }

  void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  private static long startMillis(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }
}
