package io.eley.experiments;

import io.eley.bb.api.BufferMode;
import io.eley.report.PaperValue;
import io.eley.report.SeriesRow;
import io.eley.report.SeriesRun;
import io.eley.workloads.Workload;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the paper's figures show (Eley, IEEE Cluster 2017), and the same of our runs: 33 Spark nodes
 * there, IOR on 32 nodes (figure 1) and 8 (figure 2), OrangeFS on 6 servers.
 */
final class PaperFigures {
  private static final String NAIVE = BufferMode.NAIVE_BB.label();
  private static final String NO_ACTION = BufferMode.NO_ACTION.label();
  private static final String FULL_DELAY = Trial.fullDelay(Knowledge.ANNOUNCED).subject().label();
  private static final String SORT = Workload.SORT.label();
  private static final String WORD_COUNT = Workload.WORD_COUNT.label();

  private PaperFigures() {}

  static List<PaperValue> values(int figure, List<SeriesRun> runs) {
    var ours = new Ours(runs, SeriesRow.of(runs));
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

  private static PaperValue map(Ours ours, String workload, String system, String paper) {
    Double ratio = ours.againstNaive(workload, system);
    return new PaperValue(
        workload,
        system + "'s map time against NaiveBB's",
        paper,
        ratio == null ? null : 100 * (ratio - 1),
        "%");
  }

  private static PaperValue io(Ours ours, String workload, String system, String paper) {
    return new PaperValue(
        workload,
        "IOR's phases beside " + system + " against alone",
        paper,
        ours.slower(workload, system),
        "%");
  }

  private static PaperValue ioAgainstNaive(Ours ours, String workload, String paper) {
    Double naive = ours.slower(workload, NAIVE);
    Double noAction = ours.slower(workload, NO_ACTION);
    return new PaperValue(
        workload,
        "IOR's phases beside NoAction against beside NaiveBB",
        paper,
        naive == null || noAction == null ? null : 100 * ((100 + noAction) / (100 + naive) - 1),
        "%");
  }

  /** What came of our runs. */
  private record Ours(List<SeriesRun> runs, List<SeriesRow> rows) {
    @Nullable Double againstNaive(String workload, String system) {
      Optional<SeriesRow> row =
          rows.stream()
              .filter(r -> r.workload().equals(workload) && r.system().equals(system))
              .findFirst();
      return row.isEmpty() ? null : row.get().againstNaive();
    }

    /** In the median of all phases of all runs: in the paper all count alike. */
    @Nullable Double slower(String workload, String system) {
      return SeriesRow.median(
          runs.stream()
              .filter(r -> r.record().workload().equals(workload))
              .filter(r -> r.record().mode().equals(system))
              .flatMap(r -> r.slowdowns().stream())
              .toList());
    }
  }
}
