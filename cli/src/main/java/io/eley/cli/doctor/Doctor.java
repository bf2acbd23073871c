package io.eley.cli.doctor;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.config.OriginKeys;
import io.eley.bb.api.config.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All checks, in the order in which a deployment needs what they look at. */
public final class Doctor {
  private Doctor() {}

  /**
   * What is examined.
   *
   * @param files of the deployment, whether it is there or not
   * @param usual whether that is whose who names none
   * @param origin address of the origin; empty takes the deployment's, if it has one
   * @param ramDisk where nodes would have their blocks
   * @param spark named by the user; empty for the environment's
   * @param settings that the deployment has, or would have
   */
  public record Patient(
      DeploymentFiles files,
      boolean usual,
      Optional<String> origin,
      Path ramDisk,
      Optional<Path> spark,
      Map<String, String> settings) {
    Settings values() {
      return Settings.of(settings);
    }
  }

  /**
   * What came out.
   *
   * @param findings in the order in which a deployment needs what they are about
   * @param startWith what to type next
   */
  public record Examined(List<Finding> findings, String startWith) {
    public Examined {
      findings = List.copyOf(findings);
    }
  }

  /**
   * What removes the blocks of a deployment that outlives its user's session, in one line; empty
   * where nothing does. Does a little file I/O.
   */
  public static Optional<String> removedAfterTheSession(Path ramDisk) {
    return RemoveIpcCheck.ofThisMachine(ramDisk, System.getProperty("user.name"))
        .map(Finding::sentence);
  }

  /** Looks at everything. Blocks for some seconds for each thing that does not answer. */
  public static Examined examine(Patient patient) {
    var findings = new ArrayList<Finding>();
    findings.add(MachineChecks.java(Runtime.version().feature()));
    findings.add(MachineChecks.ramDisk(patient.ramDisk()));
    String user = System.getProperty("user.name");
    RemoveIpcCheck.ofThisMachine(patient.ramDisk(), user).ifPresent(findings::add);
    findings.add(MachineChecks.memory(Memory.ofThisProcess()));
    findings.add(MachineChecks.rights(user));
    var running = DeploymentCheck.look(patient.files(), patient.usual());
    findings.addAll(running.findings());
    findings.addAll(
        OriginCheck.of(
            patient.origin().or(running::origin), patient.values().get(OriginKeys.CLASS_PATH)));
    findings.add(SparkCheck.of(patient.spark()));
    var slurm = SlurmCheck.of(patient.values());
    var counters = CountersCheck.of(patient.values());
    findings.add(slurm.finding());
    findings.add(counters);
    var board = BoardCheck.of(patient.values(), patient.origin().or(running::origin));
    board.map(BoardCheck.Look::finding).ifPresent(findings::add);
    var eyes = new SightCheck.Eyes(slurm.finding(), counters, board);
    findings.addAll(SightCheck.of(patient.values(), eyes, running.report()));
    findings.addAll(Requests.of(eyes));
    boolean submits = slurm.answers() && !System.getenv().containsKey("SLURM_JOB_ID");
    var room = MachineChecks.room(patient.ramDisk(), Memory.ofThisProcess());
    return new Examined(
        findings,
        StartLine.of(patient, patient.origin().or(running::origin), room, findings, submits));
  }
}
