package io.eley.report;

import java.util.ArrayList;
import java.util.List;

/** A table in plain text; a rule stands between rows whose first cells differ. */
final class TextTable {
  private static final int TEXT_COLUMNS = 2;
  private static final String GAP = "  ";

  private TextTable() {}

  static String render(List<String> headings, List<List<String>> body) {
    var rows = new ArrayList<List<String>>();
    rows.add(headings);
    rows.addAll(body);
    int[] widths = new int[headings.size()];
    for (var row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    var text = new StringBuilder();
    String before = "";
    for (int i = 0; i < rows.size(); i++) {
      String first = rows.get(i).get(0);
      if (!first.equals(before)) {
        appendRule(text, widths, i > 0);
      }
      before = first;
      appendLine(text, rows.get(i), widths);
    }
    appendRule(text, widths, true);
    return text.toString();
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
