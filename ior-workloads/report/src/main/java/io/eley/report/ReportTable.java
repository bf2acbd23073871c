package io.eley.report;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The report for a terminal of 110 columns: the table, and below it the verdicts. */
public final class ReportTable {
  static final List<String> HEADINGS =
      List.of(
          "Workload",
          "Mode",
          "Map s",
          "Total s",
          "Phases",
          "Mean s",
          "Worst s",
          "Alone s",
          "Slower %",
          "Ours MiB",
          "Hold ms",
          "Hits %");

  private ReportTable() {}

  /** The table and the verdicts; lines end with a newline each. */
  public static String render(ExperimentReport report) {
    var text = new StringBuilder(table(report)).append('\n');
    text.append(
        """
        Phases: HPC I/O phases in the map phase; Ours: origin bytes we read inside them;
        Hold: phase start to our last origin byte, worst; Hits: task bytes found in RAM.

        """);
    report.verdicts().forEach(v -> text.append(verdict(v)));
    return text.toString();
  }

  static String table(ExperimentReport report) {
    return TextTable.render(HEADINGS, Summary.of(report).stream().map(ReportTable::cells).toList());
  }

  static List<String> cells(Summary row) {
    return List.of(
        row.workload(),
        row.mode(),
        number("%.1f", row.mapSeconds()),
        number("%.1f", row.totalSeconds()),
        Integer.toString(row.phases()),
        number("%.2f", row.phaseMean()),
        number("%.2f", row.phaseWorst()),
        number("%.2f", row.alone()),
        number("%+.1f", row.slowdownPercent()),
        number("%.1f", row.ourBytes() / (double) (1 << 20)),
        number("%.0f", row.holdWorstMillis()),
        number("%.0f", row.hitRatio() == null ? null : 100 * row.hitRatio()));
  }

  static String number(String format, @Nullable Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, format, value);
  }

  private static String verdict(Verdict v) {
    return String.format(
        Locale.ROOT,
        "%-8s %s: %s%n         %s; %s%n",
        v.met() ? "met" : "NOT MET",
        v.workload(),
        v.expectation(),
        measured(v),
        v.explanation());
  }

  /** The measured number beside its bound, with unit. */
  static String measured(Verdict v) {
    return number("%.2f", v.measured())
        + " "
        + v.unit()
        + String.format(Locale.ROOT, " (bound %.2f)", v.bound());
  }
}
