package io.eley.demo;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.error.EleyException;
import io.eley.laboratory.PlannedStep;
import io.eley.laboratory.RunProtocol;
import io.eley.laboratory.SameResults;
import io.eley.laboratory.Steps;
import io.eley.laboratory.Subject;
import io.eley.local.deployment.Teardown;
import io.eley.report.PhaseRecord;
import io.eley.report.RunRecord;
import io.eley.workloads.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * All runs of a demo: for each workload the HPC application alone, then the three systems. Results
 * must be the same in every mode, or there is no report.
 */
final class DemoRuns {
  /** The modes in the order of the paper. */
  private static final List<BufferMode> MODES =
      List.of(BufferMode.NAIVE_BB, BufferMode.NO_ACTION, BufferMode.FULL_DELAY);

  private static final Map<BufferMode, String> WORDS =
      Map.of(
          BufferMode.NAIVE_BB, ", Spark reads the file system itself",
          BufferMode.NO_ACTION, ", prefetching with no regard for the HPC application",
          BufferMode.FULL_DELAY, ", prefetching that steps aside");

  private final RunProtocol protocol;
  private final List<Workload> workloads;
  private final int alonePhases;
  private final Path logs;
  private final Steps steps;

  /**
   * Runs that have not begun.
   *
   * @param logs where those of a run that fails are kept
   */
  DemoRuns(
      RunProtocol protocol, List<Workload> workloads, int alonePhases, Path logs, Steps steps) {
    this.protocol = protocol;
    this.workloads = workloads;
    this.alonePhases = alonePhases;
    this.logs = logs;
    this.steps = steps;
  }

  /** The runs to come, with seconds that are thought of as in {@link DemoSetup#PLAN}. */
  static List<PlannedStep> plan(List<Workload> workloads, int repetitions) {
    var once =
        List.of(
            new PlannedStep(RunRecord.HPC_ALONE, 14),
            new PlannedStep(BufferMode.NAIVE_BB.label(), 45),
            new PlannedStep(BufferMode.NO_ACTION.label(), 34),
            new PlannedStep(BufferMode.FULL_DELAY.label(), 36));
    return Collections.nCopies(repetitions * workloads.size(), once).stream()
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Makes the runs one after the other; each leaves nothing behind, however it ends. A repetition
   * is all of it, alone included, so that what changes on the machine falls upon all systems alike.
   */
  List<RunRecord> all(int repetitions, Teardown teardown) throws EleyException {
    var records = new ArrayList<RunRecord>();
    var results = new SameResults();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      String which = repetitions == 1 ? "" : ", repetition " + repetition + " of " + repetitions;
      for (var workload : workloads) {
        var alone = alone(workload, which, teardown);
        records.add(alone.withRepetition(repetition));
        double seconds = alone.phases().get(0).aloneSeconds();
        for (var mode : MODES) {
          var record = run(workload, mode, which, seconds, teardown);
          results.require(record);
          records.add(record.withRepetition(repetition));
        }
      }
    }
    return records;
  }

  private RunRecord alone(Workload workload, String which, Teardown teardown) throws EleyException {
    steps.next(workload.label() + which + ": the HPC application alone");
    try (var scope = teardown.nested()) {
      var observation =
          protocol.alone(
              workload, alonePhases, logs(workload, RunRecord.HPC_ALONE), scope, steps.viewer());
      double seconds = observation.meanPhaseSeconds().orElseThrow();
      steps.note("an HPC phase takes %.2f s alone", seconds);
      return observation.toRecord(seconds);
    }
  }

  private RunRecord run(
      Workload workload, BufferMode mode, String which, double alone, Teardown teardown)
      throws EleyException {
    steps.next(workload.label() + which + ": " + mode.label() + WORDS.get(mode));
    try (var scope = teardown.nested()) {
      var subject = Subject.of(mode);
      var record =
          protocol
              .run(workload, subject, logs(workload, subject.label()), scope, steps.viewer())
              .toRecord(alone);
      var counted = record.countedPhases();
      double mean = counted.stream().mapToDouble(PhaseRecord::seconds).average().orElse(0);
      steps.note(
          "map phase %.1f s, HPC phases in it: %s",
          record.mapSeconds(),
          counted.isEmpty()
              ? "none"
              : String.format(
                  Locale.ROOT,
                  "%d, %.2f s on average (%+.1f %% against alone)",
                  counted.size(),
                  mean,
                  100 * (mean / alone - 1)));
      return record;
    }
  }

  private Path logs(Workload workload, String mode) {
    return logs.resolve(workload.label() + "-" + mode);
  }
}
