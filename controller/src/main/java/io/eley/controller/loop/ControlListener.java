package io.eley.controller.loop;

import io.eley.controller.phase.PhaseListener;
import io.eley.prefetcher.control.Decision;
import io.eley.prefetcher.control.PhaseEntry;

/** Is notified of what the control loop sees and does, on its thread; must not block. */
public interface ControlListener extends PhaseListener {
  /** The operator has changed its decision; the permits are on their way. */
  void decided(Decision decision);

  /** An entry was added to the ledger. */
  void recorded(PhaseEntry entry);
}
