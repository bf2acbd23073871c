package io.eley.experiments;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** {@code environment.txt}: what surrounds an experiment, for whoever repeats it. */
final class EnvironmentFile {
  private static final int PATIENCE_SECONDS = 10;

  private EnvironmentFile() {}

  /**
   * Writes it.
   *
   * @param configuration what is run
   */
  static void write(Path file, Site site, Map<String, String> configuration) throws IOException {
    var lines = new ArrayList<String>();
    configuration.forEach((name, value) -> lines.add(name + ": " + value));
    lines.add("Kernel: " + read("/proc/version"));
    lines.add("Load: " + read("/proc/loadavg"));
    lines.add("MPI: " + firstLine(List.of(site.mpirun().get(0), "--version")));
    lines.add("IOR: " + site.ior().get(0) + ", its version is in the outputs of its runs");
    for (Path mount : site.mounts().mounts()) {
      lines.add("Mount: " + mount + ", " + FileSystemLine.of(mount));
    }
    Files.write(file, lines);
  }

  /** Settings of one deployment, a line each. */
  static void write(Path file, Map<String, String> settings) throws IOException {
    Files.writeString(
        file,
        settings.entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue() + "\n")
            .collect(Collectors.joining()));
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file)).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String firstLine(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return "does not answer";
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return said.lines().findFirst().orElse("");
    } catch (IOException e) {
      return e.getMessage() == null ? "unknown" : e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }
}
