package io.eley.report;

import static io.eley.pages.Page.escape;

import java.util.Locale;

/** An SVG picture in the making: a file of its own, or a part of a page. For one thread. */
final class Svg {
  private static final String FONT = "font-family=\"system-ui, sans-serif\"";

  private final StringBuilder content = new StringBuilder();
  private final int width;

  Svg(int width) {
    this.width = width;
  }

  /** A rectangle with a text that shows when it is pointed at. */
  Svg rect(double x, double y, double w, double h, String fill, String tip) {
    content.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\">"
                + "<title>%s</title></rect>\n",
            x,
            y,
            Math.max(0.8, w),
            h,
            fill,
            escape(tip)));
    return this;
  }

  Svg dot(double x, double y, String tip) {
    content.append(
        String.format(
            Locale.ROOT,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"#fff\" stroke=\"#222\">"
                + "<title>%s</title></circle>\n",
            x,
            y,
            escape(tip)));
    return this;
  }

  Svg line(double x1, double y1, double x2, double y2) {
    content.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#999\"/>\n",
            x1,
            y1,
            x2,
            y2));
    return this;
  }

  /**
   * A text.
   *
   * @param anchor {@code start}, {@code middle} or {@code end}
   */
  Svg text(double x, double y, String anchor, String text) {
    content.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"12\" fill=\"#222\" %s>"
                + "%s</text>\n",
            x,
            y,
            anchor,
            FONT,
            escape(text)));
    return this;
  }

  String render(int height, String title) {
    return String.format(
        Locale.ROOT,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
            + " role=\"img\" aria-label=\"%s\">\n<rect width=\"100%%\" height=\"100%%\""
            + " fill=\"#fff\"/>\n%s</svg>\n",
        width,
        height,
        width,
        height,
        escape(title),
        content);
  }
}
