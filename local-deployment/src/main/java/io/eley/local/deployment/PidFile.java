package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnFiles;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The pid of a process that we started, with its {@link Footprint}: a pid alone may have been given
 * to somebody else since, and that process must never be ended by us.
 *
 * @param file see {@link DeploymentFiles#pidFile}
 */
record PidFile(Path file) {
  /** The name of the process. */
  String process() {
    return DeploymentFiles.processOf(file);
  }

  /** Notes a process that was started by this command, or by one that becomes it. */
  void write(ProcessHandle process, List<String> command) throws IOException {
    String started = Footprint.startOf(process.pid()).orElse("-");
    OwnFiles.replace(
        file, process.pid() + " " + new Footprint(started, Footprint.digest(command)).text());
  }

  /** Notes this process. */
  void writeOwn() throws IOException {
    long pid = ProcessHandle.current().pid();
    OwnFiles.replace(file, pid + " " + Footprint.of(pid).text());
  }

  /**
   * The process, if it still runs and is the one that was started.
   *
   * @throws EleyException {@code ACCESS_DENIED} when somebody else could have written the file
   */
  Optional<ProcessHandle> running() throws EleyException {
    try {
      String text = OwnPaths.read(file).strip();
      int space = text.indexOf(' ');
      long pid = Long.parseLong(text.substring(0, space));
      var noted = Footprint.parse(text.substring(space + 1));
      return ProcessHandle.of(pid).filter(p -> noted.isOf(pid) && alive(p));
    } catch (EleyException e) {
      throw e;
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
}
