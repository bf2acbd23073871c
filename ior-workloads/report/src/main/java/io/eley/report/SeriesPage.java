package io.eley.report;

import static io.eley.pages.Page.escape;

import io.eley.pages.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A series as one page that needs nothing else: tables, pictures, what was run. */
final class SeriesPage {
  private SeriesPage() {}

  static void write(SeriesReport report, Path file) throws IOException {
    page(report).write(file);
  }

  static String render(SeriesReport report) throws IOException {
    return page(report).render();
  }

  private static Page page(SeriesReport report) {
    return new Page(SeriesPage.class, "series")
        .text("experiment", report.experiment())
        .text("description", report.description())
        .html("verdicts", verdicts(report.verdicts()))
        .html("figures", figures(report))
        .html(
            "table",
            table(SeriesTable.HEADINGS, report.rows().stream().map(SeriesTable::cells).toList()))
        .html("paper", paper(report))
        .html("failures", failures(report.failures()))
        .html("timelines", timelines(report.runs()))
        .html(
            "setup", HtmlParts.host(report.host()) + HtmlParts.panel("Run", report.configuration()))
        .text("created", report.createdAt())
        .text("format", Integer.toString(report.formatVersion()));
  }

  private static String verdicts(List<Verdict> verdicts) {
    return verdicts.isEmpty()
        ? ""
        : "<h2>Expected, and what came out</h2>\n" + HtmlParts.verdicts(verdicts);
  }

  private static String figures(SeriesReport report) {
    var html = new StringBuilder();
    SeriesFigures.bars(report)
        .values()
        .forEach(f -> html.append("<figure>").append(f.svg()).append("</figure>\n"));
    return html.toString();
  }

  private static String paper(SeriesReport report) {
    return report.paper().isEmpty()
        ? ""
        : "<h2>The paper's values beside these</h2>\n<div class=\"scroll\">\n"
            + table(SeriesTable.PAPER, report.paper().stream().map(SeriesTable::cells).toList())
            + "</div>\n";
  }

  private static String failures(List<String> failures) {
    var html = new StringBuilder(failures.isEmpty() ? "" : "<h2>Runs that failed</h2>\n<ul>\n");
    failures.forEach(f -> html.append("<li>").append(escape(f)).append("</li>\n"));
    return html.append(failures.isEmpty() ? "" : "</ul>\n").toString();
  }

  private static String timelines(List<SeriesRun> runs) {
    var html = new StringBuilder();
    for (var run : runs) {
      html.append("<figure>").append(TimelineFigure.svg(run)).append("</figure>\n");
    }
    return html.toString();
  }

  private static String table(List<String> headings, List<List<String>> rows) {
    var html = new StringBuilder("<table>\n<thead><tr>");
    for (int i = 0; i < headings.size(); i++) {
      html.append(i < 2 ? "<th class=\"text\">" : "<th scope=\"col\">")
          .append(escape(headings.get(i)))
          .append("</th>");
    }
    html.append("</tr></thead>\n<tbody>\n");
    for (var row : rows) {
      html.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        html.append(i < 2 ? "<td class=\"text\">" : "<td>")
            .append(escape(row.get(i)))
            .append("</td>");
      }
      html.append("</tr>\n");
    }
    return html.append("</tbody>\n</table>\n").toString();
  }
}
