package io.eley.report;

import io.eley.fuzz.Input;
import java.io.IOException;

/** A report's JSON: an {@link IOException}, or a report that comes back equal. */
public final class ReportFuzz {
  private ReportFuzz() {}

  /** Loads the JSON library, which takes longer than an input may when it is instrumented. */
  public static void fuzzerInitialize() throws IOException {
    fuzzerTestOneInput(new byte[] {'{', '}'});
  }

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    ExperimentReport report;
    try {
      report = ExperimentReport.fromJson(Input.text(input));
    } catch (IOException e) {
      return; // as it must be
    }
    Input.require(
        ExperimentReport.fromJson(report.toJson()).equals(report), "a report came back changed");
  }
}
