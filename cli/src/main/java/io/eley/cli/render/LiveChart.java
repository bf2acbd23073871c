package io.eley.cli.render;

import io.eley.cli.render.LiveText.Paint;
import io.eley.cli.render.LiveText.Screen;
import io.eley.coordinator.live.LiveDocument;
import io.eley.coordinator.live.LiveDocument.Point;
import java.util.ArrayList;
import java.util.List;

/** The origin's traffic in characters: ours below, others' above it, phases beneath. */
final class LiveChart {
  /** Lines beneath these: the phases, and what is what. */
  static final int BENEATH = 2;

  private static final int AXIS = 9;
  private static final int WIDE = 90;
  private static final String EIGHTHS = " ▁▂▃▄▅▆▇";
  private static final long PAST_MILLIS = 300_000;
  private static final long AHEAD_MILLIS = 30_000;

  private final LiveDocument document;
  private final Screen screen;
  private final int rows;
  private final int columns;
  private final double[] ours;
  private final double[] others;

  private LiveChart(LiveDocument document, Screen screen, int rows) {
    this.document = document;
    this.screen = screen;
    this.rows = rows;
    columns = Math.max(10, Math.min(screen.width() - AXIS - 1, 150));
    ours = new double[columns];
    others = new double[columns];
  }

  /** None when it has no rows of traffic. */
  static List<String> lines(LiveDocument document, Screen screen, int rows) {
    if (rows == 0) {
      return List.of();
    }
    var chart = new LiveChart(document, screen, rows);
    chart.average();
    return chart.draw();
  }

  private long from() {
    return document.at() - PAST_MILLIS;
  }

  private int column(long at) {
    return (int) ((at - from()) * columns / (PAST_MILLIS + AHEAD_MILLIS));
  }

  private void average() {
    int[] count = new int[columns];
    for (Point p : document.traffic().points()) {
      int c = column(p.at());
      if (c >= 0 && c < columns) {
        Long foreign = p.foreign();
        ours[c] += p.ours();
        others[c] += foreign == null ? 0 : foreign;
        count[c]++;
      }
    }
    for (int c = 0; c < columns; c++) {
      ours[c] /= Math.max(1, count[c]);
      others[c] /= Math.max(1, count[c]);
    }
  }

  private double top() {
    Double capacity = document.traffic().capacityBytesPerSecond();
    double top = Math.max(1e6, capacity == null ? 0 : capacity);
    for (int c = 0; c < columns; c++) {
      top = Math.max(top, ours[c] + others[c]);
    }
    return top;
  }

  private List<String> draw() {
    double top = top();
    var lines = new ArrayList<String>();
    for (int row = rows - 1; row >= 0; row--) {
      String label = row == rows - 1 ? Figures.rate(top) : row == 0 ? "0" : "";
      lines.add(String.format("%" + AXIS + "s ", label) + row(row, top));
    }
    lines.add(String.format("%" + AXIS + "s ", "phases") + phases());
    lines.add(legend());
    return lines;
  }

  private String legend() {
    boolean wide = screen.width() >= WIDE;
    return (wide ? " ".repeat(AXIS + 1) : "")
        + screen.paint(Paint.OURS, "█")
        + (wide ? " we move  " : " we ")
        + screen.paint(Paint.OTHERS, "░")
        + (wide ? " others move  " : " others ")
        + screen.paint(Paint.PHASE, "━")
        + " phase "
        + screen.paint(Paint.PHASE, "┄")
        + (wide ? " expected   5 min ago to 30 s ahead" : " expected");
  }

  private String row(int row, double top) {
    var text = new StringBuilder();
    Paint before = Paint.SOFT;
    var run = new StringBuilder();
    for (int c = 0; c < columns; c++) {
      double low = rows * ours[c] / top - row;
      double high = rows * (ours[c] + others[c]) / top - row;
      Paint paint = low >= 1.0 / 8 ? Paint.OURS : high >= 0.5 ? Paint.OTHERS : Paint.SOFT;
      char cell = cell(low, high);
      if (paint != before) {
        text.append(screen.paint(before, run.toString()));
        run.setLength(0);
        before = paint;
      }
      run.append(cell);
    }
    return text.append(screen.paint(before, run.toString())).toString();
  }

  private static char cell(double low, double high) {
    if (low >= 1) {
      return '█';
    }
    if (low >= 1.0 / 8) {
      return EIGHTHS.charAt((int) (8 * low));
    }
    return high >= 0.5 ? '░' : ' ';
  }

  private String phases() {
    var cells = new StringBuilder(" ".repeat(columns));
    document
        .phases()
        .expected()
        .forEach(e -> mark(cells, e.at(), e.at() + (long) (1000 * e.seconds()), '┄'));
    document
        .phases()
        .past()
        .forEach(p -> mark(cells, p.began(), p.began() + (long) (1000 * p.seconds()), '━'));
    document.phases().open().forEach(p -> mark(cells, p.began(), document.at(), '━'));
    return screen.paint(Paint.PHASE, cells.toString());
  }

  private void mark(StringBuilder cells, long began, long ended, char with) {
    for (int c = Math.max(0, column(began)); c <= column(ended) && c < columns; c++) {
      cells.setCharAt(c, with);
    }
  }
}
