package io.eley.report;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What must hold of any experiment's report, whatever it measured. */
final class SeriesCheck {
  /** Since this format a report says how many runs were planned. */
  private static final int COUNTED = 2;

  private static final Map<String, Predicate<SeriesReport>> RULES =
      Map.of(
          "no run has failed",
          report -> report.failures().isEmpty(),
          "every run that was planned was made",
          report ->
              report.formatVersion() < COUNTED
                  || report.runs().size() + report.failures().size() == report.planned(),
          "rows are those that follow from the runs",
          report -> report.rows().equals(SeriesRow.of(report.runs())),
          "there is a run of an HPC application alone, and one beside Spark",
          report ->
              report.runs().stream().anyMatch(SeriesCheck::isAlone)
                  && report.runs().stream().anyMatch(r -> !isAlone(r)),
          "every run has complete phases of some length",
          report ->
              report.runs().stream()
                  .map(r -> r.record().phases())
                  .allMatch(p -> !p.isEmpty() && p.stream().allMatch(q -> q.seconds() > 0)),
          "all systems of a workload have the same result",
          report ->
              report.runs().stream()
                  .filter(r -> !isAlone(r))
                  .map(SeriesRun::record)
                  .allMatch(a -> sameResult(report, a)),
          "something is read from the origin in every run beside Spark",
          report ->
              report.runs().stream()
                  .filter(r -> !isAlone(r))
                  .allMatch(
                      r -> r.record().origin().values().stream().mapToLong(b -> b).sum() > 0));

  static final int CHECKS = RULES.size();

  private SeriesCheck() {}

  /** The rules that do not hold, sorted. */
  static List<String> faults(SeriesReport report) {
    return Rules.broken(RULES, report);
  }

  private static boolean isAlone(SeriesRun run) {
    return run.record().mode().equals(RunRecord.HPC_ALONE);
  }

  private static boolean sameResult(SeriesReport report, RunRecord record) {
    return report.runs().stream()
            .map(SeriesRun::record)
            .filter(r -> r.workload().equals(record.workload()) && r.digest() != null)
            .map(RunRecord::digest)
            .distinct()
            .count()
        == 1;
  }
}
