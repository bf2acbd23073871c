package io.eley.experiments;

import io.eley.report.SeriesRow;
import io.eley.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is expected of each kind of knowledge: how much HPC phases may suffer, and Spark. */
final class ToShow {
  private ToShow() {}

  /**
   * The bounds of a kind.
   *
   * @param later per cent by which phases after the third may take longer, in the median
   * @param worst and the worst of all
   * @param early per cent of the first three, in the median
   * @param mapRatio of map times, at most
   * @param against whose map time
   */
  private record Bounds(
      Knowledge knowledge,
      double later,
      double worst,
      double early,
      double mapRatio,
      Trial against) {}

  private static final Trial ANNOUNCED = Trial.fullDelay(Knowledge.ANNOUNCED);
  private static final List<Bounds> TABLE =
      List.of(
          new Bounds(Knowledge.ANNOUNCED, 1, 3, 1, 0.85, Trial.NAIVE),
          new Bounds(Knowledge.OWN_READS, 5, 10, 15, 1.1, ANNOUNCED),
          new Bounds(Knowledge.FORECASTS, 5, 10, 15, 1.1, ANNOUNCED),
          new Bounds(Knowledge.COUNTERS, 2, 5, 10, 1.1, ANNOUNCED),
          new Bounds(Knowledge.SLURM, 2, 5, 10, 1.1, ANNOUNCED),
          new Bounds(Knowledge.BOARD, 2, 5, 10, 1.1, ANNOUNCED));

  static List<Verdict> verdicts(List<SeriesRow> rows) {
    var verdicts = new ArrayList<Verdict>();
    for (var row : rows) {
      for (var bounds : TABLE) {
        if (row.system().equals(Trial.fullDelay(bounds.knowledge()).subject().label())) {
          verdicts.addAll(judge(row, bounds, rows));
        }
      }
    }
    return verdicts;
  }

  private static List<Verdict> judge(SeriesRow row, Bounds bounds, List<SeriesRow> rows) {
    var other = bounds.against().subject().label();
    Double theirs =
        rows.stream()
            .filter(r -> r.workload().equals(row.workload()) && r.system().equals(other))
            .map((Function<SeriesRow, @Nullable Double>) SeriesRow::mapMedian)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
    Double ours = row.mapMedian();
    Double ratio = ours == null || theirs == null || theirs <= 0 ? null : ours / theirs;
    var medians = new Judge(row, "median of");
    var worst = new Judge(row, "worst of all phases of");
    return List.of(
        medians.of("later", "phases after the third", row.laterPercent(), bounds.later(), "%"),
        worst.of("worst", "the worst phase", row.worstPercent(), bounds.worst(), "%"),
        medians.of("early", "the first three phases", row.earlyPercent(), bounds.early(), "%"),
        medians.of("map", "Spark's map time", ratio, bounds.mapRatio(), "× " + other));
  }

  /**
   * Judges what a row has.
   *
   * @param figure what a value is of the runs, such as their median
   */
  private record Judge(SeriesRow row, String figure) {
    Verdict of(String id, String what, @Nullable Double measured, double bound, String unit) {
      return new Verdict(
          row.system() + "-" + id,
          row.workload(),
          String.format(Locale.ROOT, "%s: %s, at most %.3g %s", row.system(), what, bound, unit),
          measured,
          bound,
          unit,
          measured != null && measured <= bound,
          measured == null ? "nothing to measure" : figure + " " + row.runs() + " runs");
    }
  }
}
