package io.eley.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** What only an administrator can give, as far as it is missing; pure. */
final class Requests {
  private Requests() {}

  /**
   * One finding for each thing to ask for; none where all signals work.
   *
   * @param slurm what was found of Slurm
   * @param counters what was found of the file system's counters
   */
  static List<Finding> of(Finding slurm, Finding counters) {
    var asks = new ArrayList<Finding>();
    if (slurm.level() == Finding.Level.WARN) {
      asks.add(
          Finding.ok(
              "ask",
              "the administrator: Slurm's accounting of everybody's jobs, or one `eley board` of the"
                  + " site (docs/board.md)"));
    }
    if (counters.level() != Finding.Level.OK || counters.says().startsWith("none named")) {
      asks.add(
          Finding.ok(
              "ask",
              "the administrator: to read the file system's counters (docs/sources.md); they show"
                  + " phases of jobs that nothing announces"));
    }
    return asks;
  }
}
