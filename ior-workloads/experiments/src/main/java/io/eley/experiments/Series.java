package io.eley.experiments;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.laboratory.RunSight;
import io.eley.laboratory.SameResults;
import io.eley.laboratory.Steps;
import io.eley.laboratory.WorkDirectory;
import io.eley.local.deployment.Teardown;
import io.eley.report.RunObservation;
import io.eley.report.RunRecord;
import io.eley.report.SeriesReport;
import io.eley.report.SeriesRun;
import io.eley.workloads.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All runs of an experiment: in each repetition the HPC applications alone, then every trial of
 * every workload, so that what changes on the machine meanwhile falls upon all alike. A run that
 * fails, or whose result is not that of its workload's first run, is a line in the report, and the
 * others go on. The report is written anew after each run. For one thread.
 */
final class Series {
  private final Design design;
  private final int repetitions;
  private final Path out;
  private final SeriesReport.Frame frame;
  private final Bench bench;
  private final Steps steps;
  private final List<SeriesRun> runs = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final SameResults results = new SameResults();
  private @Nullable Map<String, Double> alone;
  private int number;

  /** What runs, behind a port: a laboratory that is told which run begins. */
  interface Bench {
    /**
     * Makes one run, from cold buffers to its facts.
     *
     * @param trial null for the HPC applications alone
     * @param kept directory for its raw data
     */
    RunObservation run(Workload workload, @Nullable Trial trial, Path kept, Scope scope)
        throws EleyException;
  }

  /**
   * What ends with a run, how far the run is, and the loss of a node where one is to be lost, which
   * the bench notes.
   */
  record Scope(Teardown teardown, RunSight.Viewer viewer, NodeLoss loss) {}

  Series(Design design, int repetitions, Path out, SeriesReport.Frame frame, Lab lab) {
    this.design = design;
    this.repetitions = repetitions;
    this.out = out;
    this.frame = frame;
    this.bench = lab.bench();
    this.steps = lab.steps();
  }

  /** What a series needs to run and to say how far it is. */
  record Lab(Bench bench, Steps steps) {}

  /** How many runs there are. */
  static int count(Design design, int repetitions) {
    return repetitions * (1 + design.workloads().size() * design.trials().size());
  }

  /**
   * Makes them.
   *
   * @throws EleyException when the report cannot be written, or everything is being ended
   */
  SeriesReport all(Teardown teardown) throws EleyException {
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      alone = null; // An earlier one's says nothing of what the machine is like now.
      one(repetition, design.workloads().get(0), null, teardown);
      for (var workload : design.workloads()) {
        for (var trial : design.trials()) {
          one(repetition, workload, trial, teardown);
        }
      }
    }
    return written();
  }

  private void one(int repetition, Workload workload, @Nullable Trial trial, Teardown teardown)
      throws EleyException {
    number++;
    String name = trial == null ? "HPC alone" : workload.label() + ", " + trial.subject().label();
    steps.next(String.format(Locale.ROOT, "%s (%d of %d)", name, repetition, repetitions));
    Path kept = directory(repetition, workload, trial);
    try {
      var run = observe(repetition, workload, trial, new Place(kept, teardown));
      runs.add(run);
      steps.note("%s", line(run));
    } catch (EleyException | RuntimeException e) {
      if (teardown.closed()) {
        throw e;
      }
      String line = out.relativize(kept) + ": " + e.getMessage();
      failures.add(line);
      steps.note("FAILED %s", line);
    }
    written();
  }

  private record Place(Path kept, Teardown teardown) {}

  private SeriesRun observe(int repetition, Workload workload, @Nullable Trial trial, Place place)
      throws EleyException {
    var baseline = alone;
    if (trial != null && baseline == null) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "no run alone to hold it against");
    }
    RunRecord record;
    var loss = new NodeLoss();
    try (var scope = place.teardown().nested()) {
      var observation =
          bench.run(workload, trial, place.kept(), new Scope(scope, steps.viewer(), loss));
      if (trial == null || baseline == null) {
        baseline = observation.medianPhaseSecondsByApplication();
        alone = baseline;
      }
      var known = baseline;
      record =
          observation
              .toRecord(application -> known.getOrDefault(application, 0.0))
              .withRepetition(repetition);
    }
    try {
      RunFiles.write(record, place.kept());
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot write raw data: " + e, e);
    }
    if (trial != null) {
      results.require(record);
    }
    if (trial != null && record.countedPhases().isEmpty()) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "no HPC phase fell into the map phase: nothing is compared");
    }
    if (trial != null && trial.losesNode() && !loss.duringMap(record)) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "no node was lost in the map phase: nothing is compared");
    }
    var ledger = RunFiles.ledger(place.kept(), record.timeline().zeroEpochMillis());
    return new SeriesRun(repetition, out.relativize(place.kept()).toString(), record, ledger);
  }

  private Path directory(int repetition, Workload workload, @Nullable Trial trial)
      throws EleyException {
    String system = trial == null ? RunRecord.HPC_ALONE : trial.subject().label();
    String name =
        String.format(
            Locale.ROOT,
            "%02d-%s-%s-%d",
            number,
            workload.label(),
            system.replace('/', '-'),
            repetition);
    Path directory = out.resolve("runs").resolve(name);
    try {
      // An earlier experiment had the same names: what this run does not write, it has not got.
      WorkDirectory.delete(directory);
      return Files.createDirectories(directory);
    } catch (IOException | UncheckedIOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot make a directory: " + e, e);
    }
  }

  private SeriesReport written() throws EleyException {
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    var report = SeriesReport.of(now, frame, runs, failures);
    try {
      report.write(out);
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot write the report: " + e, e);
    }
    return report;
  }

  private static String line(SeriesRun run) {
    var record = run.record();
    var phases = new StringBuilder();
    for (var phase : record.phases()) {
      phases.append(
          String.format(
              Locale.ROOT,
              "%s%.2f%s",
              phases.isEmpty() ? "" : ", ",
              phase.seconds(),
              phase.duringMap() ? "" : " (after)"));
    }
    Double map = record.mapSeconds();
    return (map == null ? "" : String.format(Locale.ROOT, "map phase %.1f s; ", map))
        + "HPC phases "
        + phases
        + " s"
        + (run.ledger().isEmpty() ? "" : "; in the ledger " + run.ledger().size());
  }
}
