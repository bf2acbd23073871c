package io.eley.report;

import java.io.IOException;
import java.nio.file.Path;

/** Writes the samples' pages, for looking at: {@code RenderSample REPORT LEDGER}. */
final class RenderSample {
  private RenderSample() {}

  public static void main(String[] args) throws IOException {
    HtmlReport.write(Samples.report(), Path.of(args[0]));
    LedgerPage.write(LedgerPageTest.entries(), Path.of(args[1]));
    System.out.print(ReportTable.render(Samples.report()));
  }
}
