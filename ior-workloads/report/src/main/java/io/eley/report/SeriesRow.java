package io.eley.report;

import io.eley.bb.api.BufferMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All repetitions of one system and workload in the numbers one compares. Phases are those in the
 * map phase, of all repetitions together; null where nothing was measured.
 *
 * @param runs how many repetitions succeeded
 * @param mapMedian seconds
 * @param mapWorst seconds
 * @param totalMedian seconds of the whole application
 * @param againstNaive median map time by NaiveBB's
 * @param earlyPercent median slowdown of each application's first three phases
 * @param laterPercent median slowdown of those after
 * @param worstPercent of all
 * @param heldMedian milliseconds from a phase's begin to a closed permit; null without holds
 * @param heldWorst milliseconds
 * @param ourMebibytes median of what we read in a phase
 * @param phases complete phases of the HPC applications
 * @param ledgerPhases what the ledgers have for them; null without a deployment that holds
 * @param hitPercent median
 */
public record SeriesRow(
    String workload,
    String system,
    int runs,
    @Nullable Double mapMedian,
    @Nullable Double mapWorst,
    @Nullable Double totalMedian,
    @Nullable Double againstNaive,
    @Nullable Double earlyPercent,
    @Nullable Double laterPercent,
    @Nullable Double worstPercent,
    @Nullable Double heldMedian,
    @Nullable Double heldWorst,
    @Nullable Double ourMebibytes,
    int phases,
    @Nullable Integer ledgerPhases,
    @Nullable Double hitPercent) {

  /** One row for each pair of workload and system, in the order in which they were run first. */
  public static List<SeriesRow> of(List<SeriesRun> runs) {
    var rows = new ArrayList<SeriesRow>();
    for (String workload : distinct(runs, r -> r.record().workload())) {
      var its = runs.stream().filter(r -> r.record().workload().equals(workload)).toList();
      Double naive =
          median(
              its.stream()
                  .filter(r -> r.record().mode().equals(BufferMode.NAIVE_BB.label()))
                  .map(SeriesRow::mapSeconds)
                  .toList());
      for (String system : distinct(its, r -> r.record().mode())) {
        rows.add(row(its.stream().filter(r -> r.record().mode().equals(system)).toList(), naive));
      }
    }
    return rows;
  }

  /** The row of what has no run that succeeded: nothing was measured. */
  public static SeriesRow without(String workload, String system) {
    return new SeriesRow(
        workload, system, 0, null, null, null, null, null, null, null, null, null, null, 0, null,
        null);
  }

  private static SeriesRow row(List<SeriesRun> runs, @Nullable Double naive) {
    var record = runs.get(0).record();
    var map = runs.stream().map(SeriesRow::mapSeconds).toList();
    Double mapMedian = median(map);
    boolean holds = record.mode().startsWith(BufferMode.FULL_DELAY.label());
    var held =
        holds
            ? runs.stream().flatMap(r -> r.heldAfterMillis().stream()).toList()
            : List.<Double>of();
    var slowdowns = runs.stream().flatMap(r -> r.slowdowns().stream()).toList();
    return new SeriesRow(
        record.workload(),
        record.mode(),
        runs.size(),
        mapMedian,
        worst(map),
        median(runs.stream().map(SeriesRow::totalSeconds).toList()),
        naive == null || mapMedian == null ? null : mapMedian / naive,
        median(runs.stream().flatMap(r -> r.slowdowns(true).stream()).toList()),
        median(runs.stream().flatMap(r -> r.slowdowns(false).stream()).toList()),
        worst(slowdowns),
        median(held),
        worst(held),
        median(
            runs.stream()
                .flatMap(r -> r.record().countedPhases().stream())
                .map(p -> p.ourBytes() / (double) (1 << 20))
                .toList()),
        runs.stream().mapToInt(r -> r.record().phases().size()).sum(),
        holds ? runs.stream().mapToInt(r -> r.ledger().size()).sum() : null,
        median(runs.stream().map(SeriesRow::hits).toList()));
  }

  private static @Nullable Double mapSeconds(SeriesRun run) {
    return run.record().mapSeconds();
  }

  private static @Nullable Double totalSeconds(SeriesRun run) {
    return run.record().totalSeconds();
  }

  private static @Nullable Double hits(SeriesRun run) {
    Double ratio = run.record().hitRatio();
    return ratio == null ? null : 100 * ratio;
  }

  /** The middle one, or the mean of the two in the middle; null without any. */
  public static @Nullable Double median(Collection<? extends @Nullable Double> values) {
    var sorted = values.stream().filter(Objects::nonNull).sorted().toList();
    if (sorted.isEmpty()) {
      return null;
    }
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : Double.valueOf((sorted.get(half - 1) + sorted.get(half)) / 2);
  }

  private static @Nullable Double worst(Collection<? extends @Nullable Double> values) {
    return values.stream().filter(Objects::nonNull).max(Comparator.naturalOrder()).orElse(null);
  }

  private static List<String> distinct(List<SeriesRun> runs, Function<SeriesRun, String> name) {
    return runs.stream().map(name).distinct().toList();
  }
}
