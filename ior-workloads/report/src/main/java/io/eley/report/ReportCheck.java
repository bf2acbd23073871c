package io.eley.report;

import io.eley.bb.api.BufferMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What must hold of any demo's report, whatever it measured: all runs there, consistent, with
 * something to show.
 */
final class ReportCheck {
  private static final Map<String, Predicate<ExperimentReport>> RULES =
      Map.of(
          "every repetition of every workload has all four modes, once",
          report -> report.workloads().stream().allMatch(w -> hasAllModes(report, w)),
          "rows and conclusion are those that follow from the runs",
          report ->
              report.rows().equals(Summary.of(report.runs()))
                  && report.conclusion().equals(Conclusion.of(report.rows())),
          "every run has complete phases of some length",
          report -> report.runs().stream().allMatch(ReportCheck::hasPhases),
          "every Spark run has a map phase within its total",
          report -> sparkRuns(report).stream().allMatch(ReportCheck::timesMakeSense),
          "all modes of a workload have the same result",
          report -> report.workloads().stream().allMatch(w -> sameDigests(report, w)),
          "NaiveBB reads the origin itself and nothing ahead",
          report -> runs(report, BufferMode.NAIVE_BB).stream().allMatch(ReportCheck::readsDirectly),
          "NoAction and FullDelay prefetch, and tasks hit what was prefetched",
          report ->
              runs(report, BufferMode.NO_ACTION).stream().allMatch(ReportCheck::prefetches)
                  && runs(report, BufferMode.FULL_DELAY).stream().allMatch(ReportCheck::prefetches),
          "FullDelay has a hold latency for each phase that counts",
          report ->
              runs(report, BufferMode.FULL_DELAY).stream()
                  .allMatch(r -> r.holdLatencyMillis().size() == r.countedPhases().size()),
          "there is a verdict for each expectation",
          report -> report.verdicts().size() >= 3);

  static final int CHECKS = RULES.size();

  private ReportCheck() {}

  /** The rules that do not hold, sorted. */
  static List<String> faults(ExperimentReport report) {
    return Rules.broken(RULES, report);
  }

  /** A verdict as a line. */
  static String line(Verdict v) {
    var words = VerdictWords.of(v);
    return String.format(
        Locale.ROOT,
        "%-12s %s: %s (measured %s, %s %s)",
        words.state(),
        v.workload(),
        v.expectation(),
        v.measured() == null ? "nothing" : words.measured(),
        words.bound(),
        v.unit());
  }

  private static boolean hasAllModes(ExperimentReport report, String workload) {
    return Stream.concat(
            Stream.of(RunRecord.HPC_ALONE),
            Stream.of(BufferMode.NAIVE_BB, BufferMode.NO_ACTION, BufferMode.FULL_DELAY)
                .map(BufferMode::label))
        .map(mode -> ExperimentReport.find(report.runs(), mode, workload))
        .allMatch(
            runs ->
                runs.size() == report.repetitions()
                    && IntStream.range(0, runs.size())
                        .allMatch(i -> runs.get(i).repetition() == i + 1));
  }

  private static boolean hasPhases(RunRecord run) {
    return !run.phases().isEmpty() && run.phases().stream().allMatch(p -> p.seconds() > 0);
  }

  private static boolean timesMakeSense(RunRecord run) {
    Double map = run.mapSeconds();
    Double total = run.totalSeconds();
    return map != null && total != null && map > 0 && map <= total && run.inputBytes() > 0;
  }

  private static boolean sameDigests(ExperimentReport report, String workload) {
    return sparkRuns(report).stream()
            .filter(r -> r.workload().equals(workload))
            .map(RunRecord::digest)
            .distinct()
            .count()
        == 1;
  }

  private static boolean readsDirectly(RunRecord run) {
    return run.origin().getOrDefault("DIRECT", 0L) >= run.inputBytes()
        && run.origin().getOrDefault("PREFETCH", 0L) == 0;
  }

  private static boolean prefetches(RunRecord run) {
    Double hits = run.hitRatio();
    return run.origin().getOrDefault("PREFETCH", 0L) > 0 && hits != null && hits > 0;
  }

  private static List<RunRecord> sparkRuns(ExperimentReport report) {
    return report.runs().stream().filter(r -> !r.mode().equals(RunRecord.HPC_ALONE)).toList();
  }

  private static List<RunRecord> runs(ExperimentReport report, BufferMode mode) {
    return report.runs().stream().filter(r -> r.mode().equals(mode.label())).toList();
  }
}
