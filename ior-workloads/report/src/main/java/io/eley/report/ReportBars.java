package io.eley.report;

import io.eley.bb.api.BufferMode;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Both sides as bars for a terminal of 80 columns: Spark's map phase, and what it cost the HPC
 * application's phases, one bar for each system. Bars of one side share a scale. Pure.
 *
 * @param ink fills bars, in whole columns
 */
record ReportBars(char ink) {
  private static final int WIDTH = 40;
  private static final char BLOCK = '\u2588';
  private static final List<String> MODES =
      List.of(
          BufferMode.NAIVE_BB.label(), BufferMode.NO_ACTION.label(), BufferMode.FULL_DELAY.label());

  /** With blocks where this process's standard output can show them. */
  static ReportBars here() {
    return new ReportBars(Charset.defaultCharset().newEncoder().canEncode(BLOCK) ? BLOCK : '#');
  }

  /** All workloads; lines end with a newline each. */
  String render(List<Summary> rows) {
    var text = new StringBuilder();
    for (String workload : rows.stream().map(Summary::workload).distinct().toList()) {
      var own = rows.stream().filter(r -> r.workload().equals(workload)).toList();
      text.append("Spark's map phase, ").append(workload).append(": seconds\n");
      bars(text, own, Summary::mapSeconds, "%.1f");
      text.append("The HPC application's I/O phases beside it: % longer than alone\n");
      bars(text, own, Summary::slowdownPercent, "%+.1f");
      text.append('\n');
    }
    return text.toString();
  }

  private void bars(
      StringBuilder text,
      List<Summary> rows,
      Function<Summary, @Nullable Spread> side,
      String format) {
    double longest = 0;
    for (var row : rows) {
      var value = side.apply(row);
      longest = Math.max(longest, value == null ? 0 : value.median());
    }
    for (String mode : MODES) {
      for (var row : rows) {
        if (row.mode().equals(mode)) {
          text.append(line(mode, side.apply(row), longest, format));
        }
      }
    }
  }

  private String line(String mode, @Nullable Spread value, double longest, String format) {
    String figure = value == null ? "no phase" : String.format(Locale.ROOT, format, value.median());
    String range = value == null || !value.varies() ? "" : "  [" + value.range(format) + "]";
    return String.format(
        Locale.ROOT,
        "  %-10s %s %s%s%n",
        mode,
        String.valueOf(ink).repeat(columns(value == null ? 0 : value.median(), longest)),
        figure,
        range);
  }

  /** At least one column for anything above zero, so that little is not nothing. */
  static int columns(double value, double longest) {
    return value <= 0 || longest <= 0
        ? 0
        : (int) Math.max(1, Math.min(WIDTH, Math.round(WIDTH * value / longest)));
  }
}
