package io.eley.cli.doctor;

import io.eley.bb.api.config.DataSize;
import io.eley.coordinator.config.SignalKeys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The line to start with, made of what was found; pure. */
public final class StartLine {
  private static final int NODES = 2;
  private static final long MIB = 1 << 20;

  /** A node with less is not worth its process. */
  private static final long LEAST_MEBIBYTES = 64;

  private static final long MOST_MEBIBYTES = 1 << 20;

  private StartLine() {}

  /**
   * What to type, or what stands against it.
   *
   * @param origin address; empty when none was named
   * @param ramDisk where the blocks go
   * @param ram bytes that may be taken, of RAM and of the RAM-disk; a quarter is left to others
   * @param findings of all checks
   */
  static String of(
      Optional<String> origin, Path ramDisk, OptionalLong ram, List<Finding> findings) {
    if (findings.stream().anyMatch(Finding::fails)) {
      return "mend first what fails";
    }
    if (has(findings, "deployment", " runs in ")) {
      return "eley status";
    }
    if (origin.isEmpty()) {
      return "eley doctor --origin DIR";
    }
    var words = new ArrayList<>(List.of("eley start --origin " + origin.get()));
    words.add("--nodes " + NODES);
    words.add("--memory " + perNode(ram));
    if (!ramDisk.equals(Path.of("/dev/shm"))) {
      words.add("--ram-disk " + ramDisk);
    }
    if (has(findings, "slurm", "may be seen")) {
      words.add("-D " + SignalKeys.SLURM.name() + "=true");
    }
    return String.join(" ", words);
  }

  private static DataSize perNode(OptionalLong ram) {
    if (ram.isEmpty()) {
      return DataSize.ofMebibytes(LEAST_MEBIBYTES);
    }
    long share = ram.getAsLong() / MIB * 3 / 4 / NODES;
    long whole = share >= 2048 ? share / 1024 * 1024 : share / 64 * 64;
    return DataSize.ofMebibytes(Math.max(LEAST_MEBIBYTES, Math.min(MOST_MEBIBYTES, whole)));
  }

  private static boolean has(List<Finding> findings, String subject, String text) {
    return findings.stream()
        .anyMatch(
            f ->
                f.subject().equals(subject)
                    && f.level() == Finding.Level.OK
                    && f.says().contains(text)
                    && !f.says().startsWith("nothing"));
  }
}
