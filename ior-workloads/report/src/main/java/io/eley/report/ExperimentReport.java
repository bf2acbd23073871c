package io.eley.report;

import io.eley.bb.api.BufferMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Everything an experiment found: the content of {@code report.json}. Immutable.
 *
 * @param formatVersion of this shape; grows when a field changes its meaning: since 2 {@code runs}
 *     has several of a mode and workload, and what follows from them is in the file
 * @param createdAt ISO-8601, UTC
 * @param host the machine
 * @param parameters what was run
 * @param repetitions of each mode and workload
 * @param runs one per repetition, mode and workload, in the order they were made
 * @param rows the runs in numbers, all repetitions of a mode and workload together
 * @param conclusion both sides in one sentence
 * @param verdicts what was expected, what came out
 */
public record ExperimentReport(
    int formatVersion,
    String createdAt,
    Host host,
    Parameters parameters,
    int repetitions,
    List<RunRecord> runs,
    List<Summary> rows,
    String conclusion,
    List<Verdict> verdicts) {
  /** The shape this class writes; it reads older ones as well. */
  public static final int FORMAT_VERSION = 2;

  public ExperimentReport {
    runs = List.copyOf(runs);
    verdicts = List.copyOf(verdicts);
    // Reports of the first shape have neither of these; they follow from the runs.
    repetitions = Math.max(repetitions, repetitionsOf(runs));
    rows = rows == null ? Summary.of(runs) : List.copyOf(rows);
    conclusion = conclusion == null ? Conclusion.of(rows) : conclusion;
  }

  private static int repetitionsOf(List<RunRecord> runs) {
    return runs.stream().mapToInt(RunRecord::repetition).max().orElse(1);
  }

  /** A report with the verdicts that follow from its runs. */
  public static ExperimentReport of(
      String createdAt, Host host, Parameters parameters, List<RunRecord> runs) {
    var rows = Summary.of(runs);
    return new ExperimentReport(
        FORMAT_VERSION,
        createdAt,
        host,
        parameters,
        repetitionsOf(runs),
        runs,
        rows,
        Conclusion.of(rows),
        Expectations.judge(runs, parameters));
  }

  /** The workloads in the order they were run first. */
  public List<String> workloads() {
    return runs.stream().map(RunRecord::workload).distinct().toList();
  }

  /**
   * The repetition whose FullDelay is the middle one of this workload by its map phase; of an even
   * number the faster of the two. What is drawn once is drawn of it.
   */
  int middleRepetition(String workload) {
    var byTime =
        find(runs, BufferMode.FULL_DELAY.label(), workload).stream()
            .filter(run -> run.mapSeconds() != null)
            .sorted(Comparator.comparingDouble(run -> Objects.requireNonNull(run.mapSeconds())))
            .toList();
    return byTime.isEmpty() ? 1 : byTime.get((byTime.size() - 1) / 2).repetition();
  }

  /** All repetitions of a mode and workload. */
  static List<RunRecord> find(List<RunRecord> runs, String mode, String workload) {
    return runs.stream()
        .filter(r -> r.mode().equals(mode) && r.workload().equals(workload))
        .toList();
  }

  /** The report as JSON. */
  public String toJson() {
    return ReportJson.text(this);
  }

  /**
   * Reads a report; fields it does not know are skipped.
   *
   * @throws IOException naming the place, when it is not a report, or of a newer shape than {@link
   *     #FORMAT_VERSION}, which this class would misunderstand
   */
  public static ExperimentReport fromJson(String json) throws IOException {
    var report = ReportJson.read(json, ExperimentReport.class);
    ReportJson.requireKnown(report.formatVersion(), FORMAT_VERSION);
    return report;
  }

  /** Writes {@code report.json}; a reader sees the old file or the whole new one. */
  public void write(Path file) throws IOException {
    ReportJson.write(this, file);
  }
}
