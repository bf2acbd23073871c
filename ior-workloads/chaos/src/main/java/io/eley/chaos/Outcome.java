package io.eley.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What came of an experiment.
 *
 * @param faults how often each happened
 * @param found by all readers
 * @param worstSeed of the run with the longest standstill
 * @param missing what this machine cannot do, in a phrase each
 */
record Outcome(
    Map<Fault, Integer> faults, Findings found, long worstSeed, Times times, List<String> missing) {
  /**
   * How long runs took.
   *
   * @param runs how many there were
   * @param all from the first's beginning to the last's end
   * @param recovering of that, until every node was back after each run
   * @param longestRecovery the longest of these
   */
  record Times(int runs, Duration all, Duration recovering, Duration longestRecovery) {}

  Outcome {
    faults = Map.copyOf(faults);
    missing = List.copyOf(missing);
  }

  /** Seconds that the longest call took. */
  double standstill() {
    return found.standstillMillis(100) / 1e3;
  }

  /** Whether no byte was wrong, no read failed and none took longer than allowed. */
  boolean passed(double allowedSeconds) {
    return found.wrong().isEmpty() && found.failed().isEmpty() && standstill() <= allowedSeconds;
  }
}
