package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * Where the pieces of this installation are: its jars are in {@code lib} of an unpacked archive, or
 * in {@code cli/target/lib} of a source tree.
 *
 * @param home root of the archive or of the source tree
 */
record Layout(Path home) {
  /** Set by the {@code eley} script. */
  private static final String HOME_PROPERTY = "eley.home";

  static Layout find() {
    return new Layout(Path.of(System.getProperty(HOME_PROPERTY, ".")).toAbsolutePath().normalize());
  }

  /** The {@code eley} script. */
  Path launcher() {
    Path unpacked = home.resolve(Path.of("bin", "eley"));
    return Files.isExecutable(unpacked) ? unpacked : home.resolve("eley");
  }

  /** Defaults of options for everybody who uses this installation. */
  Path configuration() {
    return home.resolve(Path.of("conf", "eley.conf"));
  }

  /** The jar for Spark. */
  Path connectorJar() throws EleyException {
    return jar("eley-spark-connector-");
  }

  /** The adapter of origins behind Hadoop's clients, which is on no class path of ours. */
  Path originJar() throws EleyException {
    Path directory = lib().resolve("origin");
    return jar(directory, "eley-origin-hadoop-");
  }

  /** The jars that are run. */
  Path lib() {
    Path unpacked = home.resolve("lib");
    return Files.isDirectory(unpacked) ? unpacked : home.resolve(Path.of("cli", "target", "lib"));
  }

  private Path jar(String prefix) throws EleyException {
    return jar(lib(), prefix);
  }

  private static Path jar(Path directory, String prefix) throws EleyException {
    return jars(directory).stream()
        .filter(jar -> jar.getFileName().toString().startsWith(prefix))
        .findFirst()
        .orElseThrow(
            () ->
                new EleyException(
                    ErrorCode.NOT_FOUND,
                    "no " + prefix + "*.jar in " + directory + "; build the project first"));
  }

  private static List<Path> jars(Path directory) throws EleyException {
    try (var files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(".jar"))
          .sorted(Comparator.naturalOrder())
          .toList();
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.NOT_FOUND, "nothing is built in " + directory + "; start through ./eley", e);
    }
  }
}
