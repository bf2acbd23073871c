package io.eley.cli.doctor;

import io.eley.bb.api.config.DataSize;
import io.eley.coordinator.config.SignalKeys;
import io.eley.scheduler.hooks.job.ShellScript;
import java.nio.file.Path;
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
   * @param patient what was typed
   * @param origin address; empty when none was named
   * @param ram bytes that may be taken, of RAM and of the RAM-disk; a quarter is left to others
   * @param findings of all checks
   * @param submits whether this is a host from which jobs are submitted: what runs here is none
   */
  static String of(
      Doctor.Patient patient,
      Optional<String> origin,
      OptionalLong ram,
      List<Finding> findings,
      boolean submits) {
    if (findings.stream().anyMatch(Finding::fails)) {
      return "mend first what fails";
    }
    String place = patient.usual() ? "" : word("-d", patient.files().directory().toString());
    if (has(findings, "deployment", " runs in ")) {
      return "eley status" + place;
    }
    if (origin.isEmpty()) {
      return "eley doctor --origin DIR" + place + typed(patient);
    }
    String named = word("--origin", origin.get());
    if (submits) {
      return "eley sbatch" + named + typed(patient) + " -- spark-submit job.py bb:///input";
    }
    boolean sees =
        has(findings, "slurm", "may be seen")
            && !patient.settings().containsKey(SignalKeys.SLURM.name());
    return "eley start"
        + named
        + word("--nodes", Integer.toString(NODES))
        + word("--memory", perNode(ram).toString())
        + place
        + typed(patient)
        + (sees ? word("-D", SignalKeys.SLURM.name() + "=true") : "");
  }

  /** What the verbs take as {@code eley doctor} does. */
  private static String typed(Doctor.Patient patient) {
    var words = new StringBuilder();
    if (!patient.ramDisk().equals(Path.of("/dev/shm"))) {
      words.append(word("--ram-disk", patient.ramDisk().toString()));
    }
    patient.spark().ifPresent(spark -> words.append(word("--spark-home", spark.toString())));
    patient.settings().forEach((key, value) -> words.append(word("-D", key + "=" + value)));
    return words.toString();
  }

  private static String word(String option, String value) {
    return " " + option + " " + ShellScript.quoted(value);
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
