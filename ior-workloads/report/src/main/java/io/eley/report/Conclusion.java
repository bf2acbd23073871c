package io.eley.report;

import io.eley.bb.api.BufferMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What came out of a demo, both sides in one sentence: it ends the screen and leads the page. It
 * says what was measured, better or worse, and never what was hoped for. Pure.
 */
final class Conclusion {
  private static final String FULL_DELAY = BufferMode.FULL_DELAY.label();

  /** Up to this a phase took "as long as alone", the bound of the verdict on it. */
  private static final double AS_ALONE_PERCENT = 3;

  private Conclusion() {}

  /** The sentence that follows from these rows. */
  static String of(List<Summary> rows) {
    var clauses = new ArrayList<String>();
    for (String workload : rows.stream().map(Summary::workload).distinct().toList()) {
      var found = Summary.find(rows, FULL_DELAY, workload);
      found.ifPresent(row -> clauses.add(clause(row, rows, clauses.isEmpty())));
    }
    if (clauses.isEmpty()) {
      return "Nothing can be concluded: there is no run of " + FULL_DELAY + ".";
    }
    int runs = rows.stream().mapToInt(Summary::runs).max().orElse(1);
    return String.join("; ", clauses)
        + (runs == 1 ? "." : " (medians of " + runs + " repetitions, ranges in brackets).");
  }

  private static String clause(Summary row, List<Summary> rows, boolean first) {
    return (first ? "With " + FULL_DELAY + " " : "")
        + row.workload()
        + "'s map phase took "
        + mapTime(row, Summary.find(rows, BufferMode.NAIVE_BB.label(), row.workload()).orElse(null))
        + ", "
        + phases(row, rows, first);
  }

  private static String mapTime(Summary row, @Nullable Summary naive) {
    var ours = row.mapSeconds();
    var theirs = naive == null ? null : naive.mapSeconds();
    if (ours == null) {
      return "an unknown time";
    }
    if (theirs == null || theirs.median() <= 0) {
      return seconds(ours);
    }
    double percent = 100 * (ours.median() / theirs.median() - 1);
    String change =
        Math.abs(percent) < 0.5
            ? "no less"
            : text("%.0f %% %s", Math.abs(percent), percent < 0 ? "less" : "more");
    return seconds(ours) + " instead of NaiveBB's " + seconds(theirs) + " (" + change + ")";
  }

  private static String phases(Summary row, List<Summary> rows, boolean first) {
    var slower = row.slowdownPercent();
    String whose = first ? "the HPC application's I/O phases beside it" : "the phases beside it";
    if (slower == null) {
      return "and no whole phase of the HPC application fell into it";
    }
    double percent = slower.median();
    String took =
        Math.abs(percent) <= AS_ALONE_PERCENT
            ? "as long as alone, within " + text("%.1f %%", Math.abs(percent))
            : text("%.0f %% %s than alone", Math.abs(percent), percent > 0 ? "longer" : "less");
    return (percent > AS_ALONE_PERCENT ? "but " : "and ")
        + whose
        + " took "
        + took
        + (slower.varies() ? " [" + slower.range("%+.1f") + "]" : "")
        + others(row.workload(), rows);
  }

  /** What the other systems did to the phases; nothing where they met none. */
  private static String others(String workload, List<Summary> rows) {
    String list =
        List.of(BufferMode.NAIVE_BB.label(), BufferMode.NO_ACTION.label()).stream()
            .flatMap(mode -> Summary.find(rows, mode, workload).stream())
            .filter(row -> row.slowdownPercent() != null)
            .map(Conclusion::other)
            .collect(Collectors.joining(", "));
    return list.isEmpty() ? "" : " (" + list + ")";
  }

  private static String other(Summary row) {
    var slower = row.slowdownPercent();
    return slower == null ? "" : row.mode() + text(" %+.0f %%", slower.median());
  }

  private static String seconds(Spread seconds) {
    return text("%.1f s", seconds.median())
        + (seconds.varies() ? " [" + seconds.range("%.1f") + "]" : "");
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
