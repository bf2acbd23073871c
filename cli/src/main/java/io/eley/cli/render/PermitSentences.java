package io.eley.cli.render;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.prefetcher.control.FullDelay;
import java.util.Locale;
import java.util.stream.Collectors;

/** Why the permits are what they are now, in two sentences. */
public final class PermitSentences {
  /** How the line about reads that do not come back begins. */
  private static final String STALLS = "origin: ";

  private PermitSentences() {}

  /** The sentences for a report. */
  public static String render(DeploymentReport report) {
    String stalls =
        report.control().models().stream()
            .filter(line -> line.startsWith(STALLS))
            .map(line -> " " + line.substring(STALLS.length()) + ".")
            .collect(Collectors.joining());
    return permits(report) + stalls;
  }

  private static String permits(DeploymentReport report) {
    String phases = String.join(", ", report.openPhases());
    long open = report.nodes().stream().filter(n -> n.counters().permitOpen()).count();
    String nodes =
        String.format(
            Locale.ROOT,
            "%d of %d nodes say that their permit is open.",
            open,
            report.nodes().size());
    if (report.mode() == BufferMode.NAIVE_BB) {
      return "Nothing is prefetched: in NaiveBB Spark reads its input from the origin itself. "
          + nodes;
    }
    if (report.permitReason().equals("no phase")) {
      return "Prefetching goes on: no HPC application is in a phase. " + nodes;
    }
    if (report.permitReason().equals(FullDelay.NOBODY_SEES)) {
      return "Prefetching goes on, but nobody can see phases that are not announced: "
          + SourceWarnings.help(report)
          + ". "
          + nodes;
    }
    if (report.openPhases().isEmpty()) {
      return "Permits are what they are because " + report.permitReason() + ". " + nodes;
    }
    if (report.mode() == BufferMode.NO_ACTION) {
      return "Prefetching goes on although "
          + phases
          + " is in a phase: NoAction has no regard for others. "
          + nodes;
    }
    if (!report.control().operator().equals("full-delay")) {
      return "Prefetching goes on as far as the models allow ("
          + report.permitReason()
          + "), said "
          + says(report)
          + ". "
          + nodes;
    }
    return "Prefetching is held ("
        + report.permitReason()
        + ", said "
        + says(report)
        + ") until "
        + (report.phases().size() > 1
            ? "all these phases are over (eley phase list). "
            : "the phase is over. ")
        + (report.permitReason().contains(FullDelay.WAITING_TASKS)
            ? ""
            : "Reads that tasks wait for go on at a capped rate once the hold is older than"
                + " eley.delay.max; ")
        + nodes;
  }

  private static String says(DeploymentReport report) {
    boolean several = report.phases().size() > 1;
    return report.phases().stream()
        .map(
            p ->
                String.format(
                    Locale.ROOT,
                    "%sby %s, %d %% certain",
                    several ? "of " + p.application() + " " : "",
                    p.source(),
                    p.confidencePercent()))
        .collect(Collectors.joining("; "));
  }
}
