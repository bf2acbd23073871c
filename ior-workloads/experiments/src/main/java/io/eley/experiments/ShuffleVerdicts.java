package io.eley.experiments;

import io.eley.report.SeriesRow;
import io.eley.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is expected of intermediate data in the buffer: what Spark gains, and what IOR loses. */
final class ShuffleVerdicts {
  private static final Trial BUFFER = Trial.fullDelay(Knowledge.ANNOUNCED);

  /** As fast as memory of one's own, nearly. */
  private static final double OF_LOCAL = 1.05;

  /** At least twice as fast as the file system. */
  private static final double OF_FILE_SYSTEM = 0.5;

  private static final double IOR_PERCENT = 3;

  private ShuffleVerdicts() {}

  static List<Verdict> of(List<SeriesRow> rows) {
    var verdicts = new ArrayList<Verdict>();
    for (var row : rows) {
      if (row.system().equals(BUFFER.subject().label())) {
        Double local = total(rows, row, ShufflePlace.EXECUTORS);
        Double there = total(rows, row, ShufflePlace.FILE_SYSTEM);
        verdicts.add(
            verdict(row, "local", "its time by local RAM-disks'", ratio(row, local), OF_LOCAL));
        verdicts.add(
            verdict(
                row, "pfs", "its time by the file system's", ratio(row, there), OF_FILE_SYSTEM));
        verdicts.add(
            verdict(row, "ior", "IOR's worst phase, per cent", row.worstPercent(), IOR_PERCENT));
      }
    }
    return verdicts;
  }

  private static @Nullable Double total(List<SeriesRow> rows, SeriesRow row, ShufflePlace place) {
    String system = BUFFER.withShuffle(place).subject().label();
    return rows.stream()
        .filter(r -> r.workload().equals(row.workload()) && r.system().equals(system))
        .map((Function<SeriesRow, @Nullable Double>) SeriesRow::totalMedian)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable Double ratio(SeriesRow row, @Nullable Double theirs) {
    Double ours = row.totalMedian();
    return ours == null || theirs == null || theirs <= 0 ? null : ours / theirs;
  }

  private static Verdict verdict(
      SeriesRow row, String id, String what, @Nullable Double measured, double bound) {
    boolean ofPhases = id.equals("ior");
    String figure = ofPhases ? "worst of all phases of " : "median of ";
    return new Verdict(
        "shuffle-" + id,
        row.workload(),
        String.format(
            Locale.ROOT, "Intermediate data in the buffer: %s, at most %.3g", what, bound),
        measured,
        bound,
        ofPhases ? "%" : "×",
        measured != null && measured <= bound,
        measured == null ? "nothing to measure" : figure + row.runs() + " runs");
  }
}
