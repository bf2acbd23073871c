package io.eley.cli;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.demo.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Where the pieces of this build are: {@code cli/target/lib} holds every jar of ours, and {@code
 * ior-workloads/spark-4.2/target} the class path of Spark as Maven resolved it.
 *
 * @param home root of the project
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

  /** The jar for Spark. */
  Path connectorJar() throws EleyException {
    return jar("eley-spark-connector-");
  }

  /** What experiments run. */
  Installation installation() throws EleyException {
    return new Installation(
        home.resolve(Path.of("ior-workloads", "spark-4.2", "target", "spark.classpath")),
        connectorJar(),
        jar("eley-workloads-"),
        jar("eley-emulated-pfs-"),
        jars(),
        commit().orElse(null));
  }

  private Path lib() {
    Path unpacked = home.resolve("lib");
    return Files.isDirectory(unpacked) ? unpacked : home.resolve(Path.of("cli", "target", "lib"));
  }

  private Path jar(String prefix) throws EleyException {
    return jars().stream()
        .filter(jar -> jar.getFileName().toString().startsWith(prefix))
        .findFirst()
        .orElseThrow(
            () ->
                new EleyException(
                    ErrorCode.NOT_FOUND,
                    "no " + prefix + "*.jar in " + lib() + "; build the project first"));
  }

  private List<Path> jars() throws EleyException {
    try (var files = Files.list(lib())) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(".jar"))
          .sorted(Comparator.naturalOrder())
          .toList();
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.NOT_FOUND, "nothing is built in " + lib() + "; start through ./eley", e);
    }
  }

  /** The commit that is checked out, read from git's own files. */
  private Optional<String> commit() {
    try {
      String head = Files.readString(home.resolve(Path.of(".git", "HEAD"))).strip();
      if (!head.startsWith("ref: ")) {
        return Optional.of(head.substring(0, 12));
      }
      return Optional.of(
          Files.readString(home.resolve(".git").resolve(head.substring(5)))
              .strip()
              .substring(0, 12));
    } catch (IOException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }
}
