package io.eley.local.deployment;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that we started.
 *
 * @param name of its log and its pid file
 */
record ChildProcess(String name, Process process) {
  /** Takes a process out of the terminal's session, so that the end of that does not end it. */
  static final Path SETSID = Path.of("/usr/bin/setsid");

  /**
   * Starts a process, its output in its log, and notes its pid.
   *
   * @param detached whether it outlives this process and its terminal session
   * @throws EleyException {@code UNAVAILABLE} when it cannot be started
   */
  static ChildProcess start(DeploymentFiles files, Part part, boolean detached)
      throws EleyException {
    return start(files, part, detached, Redirect.to(files.log(part.name()).toFile()));
  }

  /** The same for one that has ended: its log goes on, and it is detached. */
  static ChildProcess restart(DeploymentFiles files, Part part) throws EleyException {
    return start(files, part, true, Redirect.appendTo(files.log(part.name()).toFile()));
  }

  private static ChildProcess start(
      DeploymentFiles files, Part part, boolean detached, Redirect log) throws EleyException {
    var whole = new ArrayList<String>();
    if (detached && Files.isExecutable(SETSID)) {
      whole.add(SETSID.toString());
    }
    whole.addAll(part.entry());
    whole.addAll(part.command());
    var builder =
        new ProcessBuilder(whole)
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(log);
    if (!detached) {
      builder.environment().put(Daemon.PARENT, Long.toString(ProcessHandle.current().pid()));
    }
    try {
      return noted(files, part, builder.start());
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "cannot start " + part.name() + ": " + e.getMessage(), e);
    }
  }

  /** Notes the process; one that cannot be noted could not be ended later, so it is ended now. */
  private static ChildProcess noted(DeploymentFiles files, Part part, Process process)
      throws IOException {
    try {
      new PidFile(files.pidFile(part.name())).write(process.toHandle(), part.command());
      return new ChildProcess(part.name(), process);
    } catch (IOException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /**
   * Does nothing while it runs.
   *
   * @throws EleyException {@code UNAVAILABLE} with the last line of its log, but for those of a
   *     stack, when it has ended
   */
  void requireAlive(DeploymentFiles files) throws EleyException {
    if (process.isAlive()) {
      return;
    }
    throw new EleyException(ErrorCode.UNAVAILABLE, lastWords(files.log(name)));
  }

  private String lastWords(Path log) {
    try {
      List<String> lines =
          Files.readAllLines(log).stream().filter(line -> !line.startsWith("\t")).toList();
      String last = lines.isEmpty() ? "it said nothing" : lines.get(lines.size() - 1);
      if (last.startsWith("eley: ") && name.equals(LocalDeployment.SUPERVISOR)) {
        return last.substring("eley: ".length()); // which names the process
      }
      return last.startsWith("eley: ")
          ? name + ": " + last.substring("eley: ".length())
          : name + " ended: " + last;
    } catch (IOException e) {
      return name + " ended; see " + log;
    }
  }
}
