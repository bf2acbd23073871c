package io.eley.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A series for a terminal of 120 columns: its table, the paper's values, verdicts, failures. */
public final class SeriesTable {
  static final List<String> HEADINGS =
      List.of(
          "Workload",
          "System",
          "Runs",
          "Map s",
          "Worst",
          "All s",
          "/Naive",
          "First 3 %",
          "Later %",
          "Worst %",
          "Held ms",
          "Worst",
          "Ours MiB",
          "Ledger",
          "Hits %");

  private SeriesTable() {}

  /** All of it; lines end with a newline each. */
  public static String render(SeriesReport report) {
    var text = new StringBuilder();
    text.append(
        TextTable.render(HEADINGS, report.rows().stream().map(SeriesTable::cells).toList()));
    text.append(
        """

        Medians. All: the application from its first look at the input to its last byte. First 3,
        Later, Worst: how much longer than alone the HPC phases in the map phase took. Held: a
        phase's begin until a prefetch permit was seen closed. Ours: what we read in a phase.
        Ledger: phases in the ledger, of those there were.

        """);
    if (!report.paper().isEmpty()) {
      text.append(TextTable.render(PAPER, report.paper().stream().map(SeriesTable::cells).toList()))
          .append('\n');
    }
    report.verdicts().forEach(v -> text.append(ReportCheck.line(v)).append('\n'));
    report.failures().forEach(f -> text.append("failed: ").append(f).append('\n'));
    return text.toString();
  }

  static final List<String> PAPER = List.of("Workload", "Against the paper", "Paper", "Ours");

  static List<String> cells(PaperValue value) {
    return List.of(
        value.workload(),
        value.what(),
        value.paper() + " " + value.unit(),
        value.ours() == null
            ? "-"
            : ReportTable.number("%+.0f", value.ours()) + " " + value.unit());
  }

  static List<String> cells(SeriesRow row) {
    var cells = new ArrayList<String>();
    cells.add(row.workload());
    cells.add(row.system());
    cells.add(Integer.toString(row.runs()));
    cells.add(ReportTable.number("%.1f", row.mapMedian()));
    cells.add(ReportTable.number("%.1f", row.mapWorst()));
    cells.add(ReportTable.number("%.1f", row.totalMedian()));
    cells.add(ReportTable.number("%.2f", row.againstNaive()));
    cells.add(percent(row.earlyPercent()));
    cells.add(percent(row.laterPercent()));
    cells.add(percent(row.worstPercent()));
    cells.add(ReportTable.number("%.0f", row.heldMedian()));
    cells.add(ReportTable.number("%.0f", row.heldWorst()));
    cells.add(ReportTable.number("%.1f", row.ourMebibytes()));
    cells.add(
        row.ledgerPhases() == null
            ? "-"
            : String.format(Locale.ROOT, "%d of %d", row.ledgerPhases(), row.phases()));
    cells.add(ReportTable.number("%.0f", row.hitPercent()));
    return cells;
  }

  private static String percent(@Nullable Double value) {
    return ReportTable.number("%+.1f", value);
  }
}
