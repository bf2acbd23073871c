package io.eley.coordinator;

import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener;
import java.util.List;

/** Listeners that all hear, in their order. */
record PhaseListeners(List<PhaseListener> all) implements PhaseListener {
  PhaseListeners {
    all = List.copyOf(all);
  }

  @Override
  public void opened(Evidence phase) {
    all.forEach(l -> l.opened(phase));
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    all.forEach(l -> l.closed(phase, at, why));
  }
}
