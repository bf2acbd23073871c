package io.eley.controller.loop;

import io.eley.controller.phase.PhaseListener;
import io.eley.prefetcher.control.Decision;
import io.eley.prefetcher.control.PhaseEntry;

/** Is notified of what the control loop sees and does, on its thread; must not block. */
public interface ControlListener extends PhaseListener {
  /** The operator has decided otherwise than before; the permits of it are on their way. */
  void decided(Decision decision);

  /** The ledger has an entry more. */
  void recorded(PhaseEntry entry);
}
