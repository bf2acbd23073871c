package io.eley.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** {@code --ram-disk}: where nodes keep blocks, on each host that has one. */
final class RamDiskOption {
  @Option(
      names = "--ram-disk",
      paramLabel = "DIR",
      defaultValue = "/dev/shm",
      description =
          "a file system in RAM; each node makes a private directory there (default: ${DEFAULT-VALUE})")
  Path directory = Path.of("/dev/shm");
}
