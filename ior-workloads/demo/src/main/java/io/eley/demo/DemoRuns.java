package io.eley.demo;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.laboratory.RunProtocol;
import io.eley.laboratory.Steps;
import io.eley.laboratory.Subject;
import io.eley.local.deployment.Teardown;
import io.eley.report.RunRecord;
import io.eley.workloads.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * All runs of a demo: for each workload the HPC application alone, then the three systems. Results
 * must be the same in every mode, or there is no report.
 */
final class DemoRuns {
  /** The modes in the order of the paper. */
  private static final List<BufferMode> MODES =
      List.of(BufferMode.NAIVE_BB, BufferMode.NO_ACTION, BufferMode.FULL_DELAY);

  private final RunProtocol protocol;
  private final List<Workload> workloads;
  private final int alonePhases;
  private final Steps steps;

  DemoRuns(RunProtocol protocol, List<Workload> workloads, int alonePhases, Steps steps) {
    this.protocol = protocol;
    this.workloads = workloads;
    this.alonePhases = alonePhases;
    this.steps = steps;
  }

  /** How many runs that will be. */
  static int count(List<Workload> workloads) {
    return workloads.size() * (1 + MODES.size());
  }

  /** Makes the runs one after the other; each leaves nothing behind, however it ends. */
  List<RunRecord> all(Teardown teardown) throws EleyException {
    var records = new ArrayList<RunRecord>();
    for (var workload : workloads) {
      double alone = alone(workload, teardown, records);
      String digest = null;
      for (var mode : MODES) {
        var record = run(workload, mode, alone, teardown);
        digest = sameDigest(digest, record);
        records.add(record);
      }
    }
    return records;
  }

  private double alone(Workload workload, Teardown teardown, List<RunRecord> records)
      throws EleyException {
    steps.next(workload.label() + ": HPC alone");
    try (var scope = teardown.nested()) {
      var observation = protocol.alone(workload, alonePhases, scope, steps.percent());
      double seconds = observation.meanPhaseSeconds().orElseThrow();
      records.add(observation.toRecord(seconds));
      steps.note("HPC phase alone: %.2f s", seconds);
      return seconds;
    }
  }

  private RunRecord run(Workload workload, BufferMode mode, double alone, Teardown teardown)
      throws EleyException {
    steps.next(workload.label() + ": " + mode.label());
    try (var scope = teardown.nested()) {
      var record = protocol.run(workload, Subject.of(mode), scope, steps.percent()).toRecord(alone);
      var counted = record.countedPhases();
      steps.note(
          "%s %s: map phase %.1f s; HPC phases in it: %s",
          workload.label(),
          mode.label(),
          record.mapSeconds(),
          counted.isEmpty()
              ? "none"
              : String.format(
                  Locale.ROOT,
                  "%d, %.2f s on average (alone %.2f s)",
                  counted.size(),
                  counted.stream().mapToDouble(p -> p.seconds()).average().getAsDouble(),
                  alone));
      return record;
    }
  }

  private static @Nullable String sameDigest(@Nullable String expected, RunRecord record)
      throws EleyException {
    if (expected != null && !expected.equals(record.digest())) {
      throw new EleyException(
          ErrorCode.INTERNAL,
          String.format(
              Locale.ROOT,
              "WRONG RESULT: %s in %s gave %s, but %s in %s",
              record.workload(),
              record.mode(),
              record.digest(),
              expected,
              MODES.get(0).label()));
    }
    return record.digest();
  }
}
