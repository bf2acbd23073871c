package io.eley.demo;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.process.JavaCommand;
import io.eley.laboratory.Installation;
import io.eley.workloads.LoggedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Starts this module's own main classes as processes, on the JVM that we run on. */
final class OwnProcess {
  private OwnProcess() {}

  /**
   * Starts one.
   *
   * @param log for its output and errors
   * @throws EleyException {@code UNAVAILABLE} when it cannot be started
   */
  static LoggedProcess start(
      String name, Installation installation, String mainClass, List<String> arguments, Path log)
      throws EleyException {
    // Small, quiet and soon there: these processes share the cores with what they are to measure.
    var command =
        JavaCommand.ofThisJvm()
            .heap("128m")
            .serialCollector()
            .quickStart()
            .options(List.of("-XX:-UsePerfData"))
            .classPath(installation.ownClassPath().stream().map(Path::toString).toList())
            .run(mainClass, arguments);
    try {
      return LoggedProcess.start(name, command, Map.of(), log);
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot start " + name + ": " + e, e);
    }
  }
}
