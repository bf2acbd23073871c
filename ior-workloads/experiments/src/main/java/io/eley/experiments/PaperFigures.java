package io.eley.experiments;

import io.eley.bb.api.BufferMode;
import io.eley.report.PaperValue;
import io.eley.report.SeriesRow;
import io.eley.workloads.Workload;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the paper's figures show (Eley, IEEE Cluster 2017), and the same of our rows: 33 Spark nodes
 * there, IOR on 32 nodes (figure 1) and 8 (figure 2), OrangeFS on 6 servers.
 */
final class PaperFigures {
  private static final String NAIVE = BufferMode.NAIVE_BB.label();
  private static final String NO_ACTION = BufferMode.NO_ACTION.label();
  private static final String FULL_DELAY = Trial.fullDelay(Knowledge.ANNOUNCED).subject().label();
  private static final String SORT = Workload.SORT.label();
  private static final String WORD_COUNT = Workload.WORD_COUNT.label();

  private PaperFigures() {}

  static List<PaperValue> values(int figure, List<SeriesRow> rows) {
    var ours = new Rows(rows);
    return figure == 1
        ? List.of(
            map(ours, SORT, NO_ACTION, "-61"),
            map(ours, WORD_COUNT, NO_ACTION, "-43"),
            ioAgainstNaive(ours, SORT, "-7"),
            ioAgainstNaive(ours, WORD_COUNT, "-12"),
            io(ours, SORT, NAIVE, "up to +53"),
            io(ours, WORD_COUNT, NAIVE, "up to +53"),
            io(ours, SORT, NO_ACTION, "up to +42"),
            io(ours, WORD_COUNT, NO_ACTION, "up to +42"))
        : List.of(
            io(ours, SORT, NO_ACTION, "+21"),
            io(ours, WORD_COUNT, NO_ACTION, "+17"),
            io(ours, SORT, FULL_DELAY, "0"),
            io(ours, WORD_COUNT, FULL_DELAY, "0"),
            map(ours, SORT, FULL_DELAY, "up to -30"),
            map(ours, WORD_COUNT, FULL_DELAY, "up to -30"));
  }

  private static PaperValue map(Rows rows, String workload, String system, String paper) {
    Double ratio = rows.of(workload, system, SeriesRow::againstNaive);
    return new PaperValue(
        workload,
        system + "'s map time against NaiveBB's",
        paper,
        ratio == null ? null : 100 * (ratio - 1),
        "%");
  }

  private static PaperValue io(Rows rows, String workload, String system, String paper) {
    return new PaperValue(
        workload,
        "IOR's phases beside " + system + " against alone",
        paper,
        rows.of(workload, system, PaperFigures::slower),
        "%");
  }

  private static PaperValue ioAgainstNaive(Rows rows, String workload, String paper) {
    Double naive = rows.of(workload, NAIVE, PaperFigures::slower);
    Double ours = rows.of(workload, NO_ACTION, PaperFigures::slower);
    return new PaperValue(
        workload,
        "IOR's phases beside NoAction against beside NaiveBB",
        paper,
        naive == null || ours == null ? null : 100 * ((100 + ours) / (100 + naive) - 1),
        "%");
  }

  /** All phases of the paper's runs count alike: the early ones where there are no later ones. */
  private static @Nullable Double slower(SeriesRow row) {
    Double later = row.laterPercent();
    return later == null ? row.earlyPercent() : later;
  }

  /** Finds values in rows. */
  private record Rows(List<SeriesRow> rows) {
    @Nullable Double of(
        String workload, String system, Function<SeriesRow, @Nullable Double> value) {
      Optional<SeriesRow> row =
          rows.stream()
              .filter(r -> r.workload().equals(workload) && r.system().equals(system))
              .findFirst();
      return row.isEmpty() ? null : value.apply(row.get());
    }
  }
}
