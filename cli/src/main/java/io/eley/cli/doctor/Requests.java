package io.eley.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** What only an administrator can give, as far as it is missing; pure. */
final class Requests {
  private Requests() {}

  /**
   * One finding for each thing to ask for; none where all signals work, or a board answers.
   *
   * @param eyes what was found of those who may see
   */
  static List<Finding> of(SightCheck.Eyes eyes) {
    var asks = new ArrayList<Finding>();
    if (eyes.boardAnswers()) {
      return asks;
    }
    if (eyes.slurm().level() == Finding.Level.WARN) {
      asks.add(
          Finding.ok(
              "ask",
              "the administrator: Slurm's accounting of everybody's jobs"
                  + (eyes.board().isPresent()
                      ? " (docs/slurm-accounting.md)"
                      : ", or one `eley board` of the site (docs/board.md)")));
    }
    if (eyes.counters().level() != Finding.Level.OK
        || eyes.counters().says().startsWith("none named")) {
      asks.add(
          Finding.ok(
              "ask",
              "the administrator: to read the file system's counters (docs/sources.md); they show"
                  + " phases of jobs that nothing announces"));
    }
    return asks;
  }
}
