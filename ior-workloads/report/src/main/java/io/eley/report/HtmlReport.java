package io.eley.report;

import io.eley.pages.Page;
import java.io.IOException;
import java.nio.file.Path;

/** The report as one page that needs nothing else. */
public final class HtmlReport {
  private HtmlReport() {}

  /**
   * Writes the page; a reader sees the old file or the whole new one.
   *
   * @throws IOException also when the charting library is not on the class path
   */
  public static void write(ExperimentReport report, Path file) throws IOException {
    page(report).write(file);
  }

  /** The page. */
  public static String render(ExperimentReport report) throws IOException {
    return page(report).render();
  }

  private static Page page(ExperimentReport report) {
    return new Page(HtmlReport.class, "report")
        .text("conclusion", report.conclusion().replace(" %", "\u00a0%").replace(" s ", "\u00a0s "))
        .html("lede", HtmlParts.lede(report))
        .html("scale", HtmlParts.scale(report))
        .html("traffic", HtmlParts.traffic(report))
        .html("verdicts", HtmlParts.verdicts(report.verdicts()))
        .html("table", HtmlParts.table(report))
        .html("timelines", HtmlParts.timelines(report))
        .html("setup", HtmlParts.host(report.host()) + HtmlParts.parameters(report.parameters()))
        .text("repeated", HtmlParts.repeated(report))
        .text("created", report.createdAt())
        .text("format", Integer.toString(report.formatVersion()))
        .json("data", report.toJson());
  }
}
