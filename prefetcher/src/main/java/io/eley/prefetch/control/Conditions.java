package io.eley.prefetch.control;

import java.time.Duration;
import java.util.List;

/**
 * What an operator decides upon.
 *
 * @param openPhases names of the HPC applications that are in a phase, in order
 * @param heldFor how long at least one phase has been open without a gap; zero when none is
 */
public record Conditions(List<String> openPhases, Duration heldFor) {
  public Conditions {
    openPhases = List.copyOf(openPhases);
  }

  /** Whether any phase is open. */
  public boolean inPhase() {
    return !openPhases.isEmpty();
  }
}
