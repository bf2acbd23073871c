package io.eley.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The report for a terminal of 110 columns (of repetitions 120): the table, below it the verdicts,
 * and at the end both sides as bars with one sentence.
 */
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

  private static final int COLUMNS = 80;

  /** Between words, but not between a number and its unit. */
  private static final String BREAK = " (?!%|s\\b)";

  private ReportTable() {}

  /** All of it for this process's standard output; lines end with a newline each. */
  public static String render(ExperimentReport report) {
    return render(report, ReportBars.here());
  }

  static String render(ExperimentReport report, ReportBars bars) {
    var text = new StringBuilder(table(report)).append('\n');
    text.append(
        """
        Phases: HPC I/O phases in the map phase; Ours: origin bytes we read inside them;
        Hold: phase start to our last origin byte, worst; Hits: task bytes found in RAM.

        """);
    report.verdicts().forEach(v -> text.append(verdict(v)));
    text.append('\n').append(bars.render(report.rows()));
    return text.append(wrapped(report.conclusion())).toString();
  }

  /** A row of medians for each mode, and one of ranges below it where there are repetitions. */
  static String table(ExperimentReport report) {
    var body = new ArrayList<List<String>>();
    for (var row : report.rows()) {
      body.add(cells(row));
      var ranges = ranges(row);
      if (ranges.stream().skip(2).anyMatch(cell -> !cell.isEmpty())) {
        body.add(ranges);
      }
    }
    return TextTable.render(HEADINGS, body);
  }

  static List<String> cells(Summary row) {
    return List.of(
        row.workload(),
        row.mode(),
        median("%.1f", row.mapSeconds()),
        median("%.1f", row.totalSeconds()),
        Integer.toString(row.phases()),
        median("%.2f", row.phaseMean()),
        number("%.2f", row.phaseWorst()),
        median("%.2f", row.alone()),
        median("%+.1f", row.slowdownPercent()),
        median("%.1f", row.ourMebibytes()),
        number("%.0f", row.holdWorstMillis()),
        median("%.0f", row.hitPercent()));
  }

  /** From least to most of each cell that is a median; empty where repetitions were all alike. */
  static List<String> ranges(Summary row) {
    return List.of(
        row.workload(),
        "  of " + row.runs(),
        range("%.1f", row.mapSeconds()),
        range("%.1f", row.totalSeconds()),
        "",
        range("%.2f", row.phaseMean()),
        "",
        range("%.2f", row.alone()),
        range("%.1f", row.slowdownPercent()),
        range("%.0f", row.ourMebibytes()),
        "",
        range("%.0f", row.hitPercent()));
  }

  private static String median(String format, @Nullable Spread value) {
    return number(format, value == null ? null : value.median());
  }

  private static String range(String format, @Nullable Spread value) {
    return value == null || !value.varies()
        ? ""
        : String.format(Locale.ROOT, format + ".." + format, value.least(), value.most());
  }

  /** A sentence in lines of at most 80 columns. */
  static String wrapped(String sentence) {
    var text = new StringBuilder();
    int column = 0;
    for (String word : sentence.split(BREAK, -1)) {
      boolean breaks = column > 0 && column + 1 + word.length() > COLUMNS;
      text.append(column == 0 ? "" : breaks ? "\n" : " ").append(word);
      column = (breaks || column == 0 ? 0 : column + 1) + word.length();
    }
    return text.append('\n').toString();
  }

  static String number(String format, @Nullable Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, format, value);
  }

  private static String verdict(Verdict v) {
    var words = VerdictWords.of(v);
    return String.format(
        Locale.ROOT,
        "%-12s %s: %s%n             %s %s (%s); %s%n",
        v.met() ? words.state() : words.state().toUpperCase(Locale.ROOT),
        v.workload(),
        v.expectation(),
        words.measured(),
        v.unit(),
        words.bound(),
        v.explanation());
  }
}
