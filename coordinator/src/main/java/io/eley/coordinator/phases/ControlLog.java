package io.eley.coordinator.phases;

import io.eley.controller.loop.ControlListener;
import io.eley.controller.phase.Evidence;
import io.eley.prefetcher.control.Decision;
import io.eley.prefetcher.control.PhaseEntry;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes phases and decisions to the log, so that a hold can be explained afterwards, and entries
 * to the ledger. On the agent's thread.
 */
public final class ControlLog implements ControlListener {
  private static final Logger LOG = LoggerFactory.getLogger(ControlLog.class);

  private final Consumer<PhaseEntry> ledger;
  private String reason = "";

  /**
   * A log without an open phase.
   *
   * @param ledger takes each entry once; must not block
   */
  public ControlLog(Consumer<PhaseEntry> ledger) {
    this.ledger = ledger;
  }

  @Override
  public void opened(Evidence phase) {
    LOG.info("{} is in a phase ({})", phase.application(), phase.source());
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    long millis = TimeUnit.NANOSECONDS.toMillis(at - phase.since());
    switch (why) {
      case ANNOUNCED, QUIET ->
          LOG.info("{}'s phase is over after {} ms", phase.application(), millis);
      case LEASE_EXPIRED ->
          LOG.warn(
              "{}'s phase is over after {} ms: its lease ran out without an end",
              phase.application(),
              millis);
      case NAMED -> LOG.info("after {} ms it is known whose phase it is", millis);
      case SOURCE_LOST ->
          LOG.warn(
              "{}'s phase counts as over after {} ms: its source is lost",
              phase.application(),
              millis);
    }
  }

  @Override
  public void decided(Decision decision) {
    if (!decision.reason().equals(reason)) {
      reason = decision.reason();
      LOG.info("permits: {}", reason);
    }
  }

  @Override
  public void recorded(PhaseEntry entry) {
    ledger.accept(entry);
  }
}
