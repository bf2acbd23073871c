package io.eley.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The machine a report was made on.
 *
 * @param cores that this JVM may use
 * @param cpu model name, or "unknown"
 * @param memoryBytes of the machine, zero when unknown
 * @param kernel name and release
 * @param jdk vendor and version
 * @param commit of the project, or null when it is not known
 */
public record Host(
    int cores, String cpu, long memoryBytes, String kernel, String jdk, @Nullable String commit) {

  /** Describes this machine; reads two small files under {@code /proc}. */
  public static Host describe(@Nullable String commit) {
    return new Host(
        Runtime.getRuntime().availableProcessors(),
        firstValue(Path.of("/proc/cpuinfo"), "model name"),
        memory(firstValue(Path.of("/proc/meminfo"), "MemTotal")),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.vendor") + " " + System.getProperty("java.runtime.version"),
        commit);
  }

  private static String firstValue(Path file, String name) {
    try (var lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static long memory(String kibibytes) {
    return kibibytes.matches("\\d{1,12} kB")
        ? Long.parseLong(kibibytes.substring(0, kibibytes.length() - 3)) << 10
        : 0;
  }
}
