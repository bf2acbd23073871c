package io.eley.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** {@code --origin} of a verb that needs a directory; others take any Hadoop file system. */
final class OriginDirectoryOption {
  @Option(
      names = "--origin",
      required = true,
      paramLabel = "DIR",
      description = "where the data lives")
  private Path typed = Path.of("");

  Path directory() {
    return typed.toAbsolutePath().normalize();
  }
}
