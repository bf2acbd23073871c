package io.eley.cli.doctor;

import io.eley.bb.api.config.Settings;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.cli.doctor.Finding.Level;
import io.eley.cli.render.SourceWarnings;
import io.eley.controller.watch.WatchKeys;
import io.eley.coordinator.config.SignalKeys;
import io.eley.prefetcher.control.FullDelay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether phases that are not announced can be seen by anybody. */
final class SightCheck {
  private SightCheck() {}

  /**
   * What was found of those who may see.
   *
   * @param board empty where none is named
   */
  record Eyes(Finding slurm, Finding counters, Optional<BoardCheck.Look> board) {
    /** Whether a board watches for this deployment, as far as is known. */
    boolean boardAnswers() {
      return board.filter(BoardCheck.Look::answers).isPresent();
    }

    /** Whether it has said so. */
    boolean boardSees() {
      return board.filter(look -> look.answers() && look.asked()).isPresent();
    }
  }

  /** What a running deployment says of itself, or what one with these settings could see. */
  static List<Finding> of(Settings settings, Eyes found, Optional<DeploymentReport> running) {
    return running.isPresent()
        ? List.copyOf(said(running.get()))
        : List.of(expected(settings, found));
  }

  private static List<Finding> said(DeploymentReport report) {
    var findings = new ArrayList<Finding>();
    for (String warning : SourceWarnings.of(report)) {
      String[] parts = warning.replaceFirst("^warning: ", "").split("; ", 2);
      findings.add(Finding.warn("phases", parts[0], parts.length > 1 ? parts[1] : ""));
    }
    if (findings.isEmpty()) {
      findings.add(Finding.ok("phases", "permits now: " + report.permitReason()));
    }
    return findings;
  }

  private static Finding expected(Settings settings, Eyes found) {
    var eyes = new ArrayList<String>();
    if (settings.get(WatchKeys.READS)) {
      eyes.add("our own reads");
    }
    if (settings.get(SignalKeys.SLURM) && found.slurm().level() == Level.OK) {
      eyes.add("Slurm");
    }
    if (!settings.get(SignalKeys.COUNTERS).isBlank() && found.counters().level() == Level.OK) {
      eyes.add("counters");
    }
    if (found.boardSees()) {
      eyes.add("the board");
    }
    if (settings.get(SignalKeys.PROBE)) {
      eyes.add("the probe");
    }
    if (!eyes.isEmpty()) {
      return Finding.ok(
          "phases", "those that are not announced are seen by " + String.join(", ", eyes));
    }
    return found.boardAnswers()
        ? Finding.warn(
            "phases", "the board has not said whether it sees them", "ask it by --origin")
        : Finding.warn(
            "phases", FullDelay.NOBODY_SEES, SourceWarnings.help(found.board().isPresent()));
  }
}
