package io.eley.demo;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.workloads.LoggedProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // A small JVM that starts quickly, since these processes share the cores with what they
    // measure.
    command.addAll(
        List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
    command.add("-cp");
    command.add(
        installation.ownClassPath().stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator)));
    command.add(mainClass);
    command.addAll(arguments);
    try {
      return LoggedProcess.start(name, command, Map.of(), log);
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot start " + name + ": " + e, e);
    }
  }
}
