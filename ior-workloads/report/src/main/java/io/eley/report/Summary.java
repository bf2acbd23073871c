package io.eley.report;

import io.eley.bb.api.BufferMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table: all repetitions of a mode and workload in the numbers one compares. Phases
 * are those that count. What a run has several of is its mean first, then the median of runs.
 *
 * @param runs repetitions in it
 * @param mapSeconds null without Spark, as {@code totalSeconds} and {@code hitPercent}
 * @param phases that count, of all repetitions together
 * @param phaseMean seconds; null without a phase, as all numbers of phases
 * @param phaseWorst seconds, of all
 * @param alone seconds
 * @param slowdownPercent by how much phases took longer than alone; null of the run alone
 * @param ourMebibytes read inside all counted phases of a run
 * @param holdWorstMillis worst hold latency; null in modes that do not hold
 */
public record Summary(
    String workload,
    String mode,
    int runs,
    @Nullable Spread mapSeconds,
    @Nullable Spread totalSeconds,
    int phases,
    @Nullable Spread phaseMean,
    @Nullable Double phaseWorst,
    @Nullable Spread alone,
    @Nullable Spread slowdownPercent,
    Spread ourMebibytes,
    @Nullable Double holdWorstMillis,
    @Nullable Spread hitPercent) {

  /** A row for each workload and mode, in the order in which they were run first. */
  static List<Summary> of(List<RunRecord> runs) {
    var rows = new ArrayList<Summary>();
    for (String workload : runs.stream().map(RunRecord::workload).distinct().toList()) {
      var modes =
          runs.stream()
              .filter(r -> r.workload().equals(workload))
              .map(RunRecord::mode)
              .distinct()
              .toList();
      for (String mode : modes) {
        rows.add(of(workload, mode, ExperimentReport.find(runs, mode, workload)));
      }
    }
    return rows;
  }

  static Optional<Summary> find(List<Summary> rows, String mode, String workload) {
    return rows.stream()
        .filter(r -> r.mode().equals(mode) && r.workload().equals(workload))
        .findFirst();
  }

  private static Summary of(String workload, String mode, List<RunRecord> runs) {
    var phases = runs.stream().flatMap(r -> r.countedPhases().stream()).toList();
    var ours = spread(runs, Summary::ourMebibytes);
    return new Summary(
        workload,
        mode,
        runs.size(),
        spread(runs, RunRecord::mapSeconds),
        spread(runs, RunRecord::totalSeconds),
        phases.size(),
        spread(runs, r -> mean(r, PhaseRecord::seconds)),
        orNull(phases.stream().mapToDouble(PhaseRecord::seconds).max()),
        spread(runs, r -> mean(r, PhaseRecord::aloneSeconds)),
        mode.equals(RunRecord.HPC_ALONE) ? null : spread(runs, Summary::slowdownPercent),
        ours == null ? Spread.of(0) : ours,
        worstHold(mode, runs),
        spread(runs, r -> percent(r.hitRatio())));
  }

  /** Per cent by which a run's phases took longer than alone, on average; null without a phase. */
  static @Nullable Double slowdownPercent(RunRecord run) {
    Double mean = mean(run, PhaseRecord::seconds);
    Double alone = mean(run, PhaseRecord::aloneSeconds);
    return mean == null || alone == null || alone <= 0 ? null : 100 * (mean / alone - 1);
  }

  private static @Nullable Spread spread(
      List<RunRecord> runs, Function<RunRecord, @Nullable Double> value) {
    var values = new ArrayList<@Nullable Double>();
    runs.forEach(run -> values.add(value.apply(run)));
    return Spread.of(values);
  }

  private static Double ourMebibytes(RunRecord run) {
    return run.countedPhases().stream().mapToLong(PhaseRecord::ourBytes).sum() / (double) (1 << 20);
  }

  private static @Nullable Double percent(@Nullable Double ratio) {
    return ratio == null ? null : 100 * ratio;
  }

  private static @Nullable Double mean(RunRecord run, ToDoubleFunction<PhaseRecord> value) {
    return orNull(run.countedPhases().stream().mapToDouble(value).average());
  }

  private static @Nullable Double worstHold(String mode, List<RunRecord> runs) {
    if (!mode.equals(BufferMode.FULL_DELAY.label())) {
      return null;
    }
    return orNull(
        runs.stream()
            .flatMap(r -> r.holdLatencyMillis().stream())
            .mapToDouble(Double::doubleValue)
            .max());
  }

  private static @Nullable Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
