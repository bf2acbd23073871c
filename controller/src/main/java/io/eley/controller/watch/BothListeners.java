package io.eley.controller.watch;

import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener;

/** Notifies two listeners, one after the other. */
record BothListeners(PhaseListener first, PhaseListener second) implements PhaseListener {
  @Override
  public void opened(Evidence phase) {
    first.opened(phase);
    second.opened(phase);
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    first.closed(phase, at, why);
    second.closed(phase, at, why);
  }
}
