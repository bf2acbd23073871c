package io.eley.pages;

import java.io.IOException;
import java.nio.file.Path;

/** Writes the sample's page, for looking at: {@code RenderLedgerSample FILE}. */
final class RenderLedgerSample {
  private RenderLedgerSample() {}

  public static void main(String[] args) throws IOException {
    LedgerPage.write(LedgerPageTest.entries(), Path.of(args[0]));
  }
}
