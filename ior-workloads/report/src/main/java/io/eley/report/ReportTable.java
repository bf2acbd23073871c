package io.eley.report;

import java.util.ArrayList;
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

  private static final int TEXT_COLUMNS = 2;
  private static final String GAP = "  ";

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
    var rows = new ArrayList<List<String>>();
    rows.add(HEADINGS);
    Summary.of(report).stream().map(ReportTable::cells).forEach(rows::add);
    int[] widths = new int[HEADINGS.size()];
    for (var row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    var text = new StringBuilder();
    String before = "";
    for (int i = 0; i < rows.size(); i++) {
      String workload = rows.get(i).get(0);
      if (!workload.equals(before)) {
        appendRule(text, widths, i > 0);
      }
      before = workload;
      appendLine(text, rows.get(i), widths);
    }
    appendRule(text, widths, true);
    return text.toString();
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

  private static void appendRule(StringBuilder text, int[] widths, boolean wanted) {
    if (!wanted) {
      return;
    }
    int total = GAP.length() * (widths.length - 1);
    for (int width : widths) {
      total += width;
    }
    text.append("-".repeat(total)).append('\n');
  }

  private static void appendLine(StringBuilder text, List<String> row, int[] widths) {
    var line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - row.get(i).length());
      line.append(i == 0 ? "" : GAP);
      line.append(i < TEXT_COLUMNS ? row.get(i) + padding : padding + row.get(i));
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }
}
