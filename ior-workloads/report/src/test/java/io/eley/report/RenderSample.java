package io.eley.report;

import java.io.IOException;
import java.nio.file.Path;

/** Writes the sample's page, for looking at: {@code RenderSample REPORT}. */
final class RenderSample {
  private RenderSample() {}

  public static void main(String[] args) throws IOException {
    HtmlReport.write(SampleReports.report(), Path.of(args[0]));
    System.out.print(ReportTable.render(SampleReports.report()));
  }
}
