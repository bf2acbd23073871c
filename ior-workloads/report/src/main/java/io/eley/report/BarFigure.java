package io.eley.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars: the median of each, and a dot for every value. Worked example: values 2, 4 and 9
 * are a bar to 4 and three dots.
 *
 * @param title with the unit
 */
record BarFigure(String title, List<Bar> bars) {
  private static final int WIDTH = 860;
  private static final int LABELS = 250;
  private static final int RIGHT = 70;
  private static final int ROW = 24;
  private static final int TOP = 40;

  /**
   * One bar.
   *
   * @param values one or more
   */
  record Bar(String label, String colour, List<Double> values) {}

  BarFigure {
    bars = List.copyOf(bars);
  }

  String svg() {
    var all = bars.stream().flatMap(b -> b.values().stream()).toList();
    double low = Math.min(0, all.stream().mapToDouble(v -> v).min().orElse(0));
    double high = Math.max(1e-9, all.stream().mapToDouble(v -> v).max().orElse(1));
    var scale = new Scale(low, high, LABELS, WIDTH - RIGHT);
    var svg = new Svg(WIDTH).text(8, 20, "start", title);
    int bottom = TOP + ROW * bars.size();
    svg.line(scale.at(0), TOP - 6, scale.at(0), bottom);
    for (int i = 0; i < bars.size(); i++) {
      draw(svg, bars.get(i), TOP + ROW * i, scale);
    }
    return svg.render(bottom + 12, title);
  }

  private static void draw(Svg svg, Bar bar, double y, Scale scale) {
    Double median = SeriesRow.median(bar.values());
    svg.text(LABELS - 8.0, y + 14, "end", bar.label());
    if (median == null) {
      return;
    }
    double from = Math.min(scale.at(0), scale.at(median));
    double length = Math.abs(scale.at(median) - scale.at(0));
    svg.rect(from, y + 3, length, ROW - 8.0, bar.colour(), bar.label() + ": " + number(median));
    for (double value : bar.values()) {
      svg.dot(scale.at(value), y + ROW / 2.0 - 1, number(value));
    }
    var rightmost = new ArrayList<>(bar.values());
    rightmost.add(0.0);
    double right = rightmost.stream().mapToDouble(v -> v).max().orElse(0);
    svg.text(scale.at(right) + 8, y + 14, "start", number(median));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.1f" : "%.0f", value);
  }
}
