package io.eley.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where and of what a result was measured.
 *
 * @param cores that this JVM may use
 * @param cpu model name
 * @param kernel name and release
 * @param jdk vendor and version
 * @param commit short, with "-dirty" when the working tree differs from it
 * @param load of the machine in the last minute, when the run began
 */
record BenchmarkHost(int cores, String cpu, String kernel, String jdk, String commit, String load) {

  /** This machine and the repository of the working directory. */
  static BenchmarkHost describe() {
    return new BenchmarkHost(
        Runtime.getRuntime().availableProcessors(),
        cpuModel(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.vendor") + " " + System.getProperty("java.runtime.version"),
        commitName(),
        firstWord("/proc/loadavg"));
  }

  private static String cpuModel() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String firstWord(String file) {
    try {
      return Files.readString(Path.of(file)).split(" ", 2)[0];
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String commitName() {
    try {
      String commit = git("rev-parse", "--short", "HEAD");
      boolean clean = git("status", "--porcelain", "--untracked-files=no").isEmpty();
      return commit.isEmpty() ? "unknown" : clean ? commit : commit + "-dirty";
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String git(String... words) throws IOException {
    var command = new ProcessBuilder("git");
    command.command().addAll(java.util.List.of(words));
    var process = command.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (var out = process.getInputStream()) {
      return new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }
}
