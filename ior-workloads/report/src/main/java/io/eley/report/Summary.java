package io.eley.report;

import io.eley.bb.api.BufferMode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table: a run in the numbers one compares. Phases are those that count.
 *
 * @param phaseMean seconds; null without a phase, as all numbers of phases
 * @param phaseWorst seconds
 * @param alone seconds
 * @param slowdownPercent of the mean against alone
 * @param ourBytes inside all counted phases together
 * @param holdWorstMillis worst hold latency; null in modes that do not hold
 */
record Summary(
    String workload,
    String mode,
    @Nullable Double mapSeconds,
    @Nullable Double totalSeconds,
    int phases,
    @Nullable Double phaseMean,
    @Nullable Double phaseWorst,
    @Nullable Double alone,
    @Nullable Double slowdownPercent,
    long ourBytes,
    @Nullable Double holdWorstMillis,
    @Nullable Double hitRatio) {

  static List<Summary> of(ExperimentReport report) {
    var rows = new ArrayList<Summary>();
    for (var workload : report.workloads()) {
      report.runs().stream()
          .filter(run -> run.workload().equals(workload))
          .map(Summary::of)
          .forEach(rows::add);
    }
    return rows;
  }

  private static Summary of(RunRecord run) {
    var phases = run.countedPhases();
    var mean = statistic(phases, PhaseRecord::seconds, false);
    var alone = statistic(phases, PhaseRecord::aloneSeconds, false);
    boolean isAlone = run.mode().equals(RunRecord.HPC_ALONE);
    return new Summary(
        run.workload(),
        run.mode(),
        run.mapSeconds(),
        run.totalSeconds(),
        phases.size(),
        mean,
        statistic(phases, PhaseRecord::seconds, true),
        alone,
        isAlone || mean == null || alone == null || alone <= 0 ? null : 100 * (mean / alone - 1),
        phases.stream().mapToLong(PhaseRecord::ourBytes).sum(),
        worstHold(run),
        run.hitRatio());
  }

  private static @Nullable Double statistic(
      List<PhaseRecord> phases, ToDoubleFunction<PhaseRecord> value, boolean worst) {
    var values = phases.stream().mapToDouble(value);
    return orNull(worst ? values.max() : values.average());
  }

  private static @Nullable Double worstHold(RunRecord run) {
    if (!run.mode().equals(BufferMode.FULL_DELAY.label())) {
      return null;
    }
    return orNull(run.holdLatencyMillis().stream().mapToDouble(Double::doubleValue).max());
  }

  private static @Nullable Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
