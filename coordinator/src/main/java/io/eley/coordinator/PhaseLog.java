package io.eley.coordinator;

import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.PhaseListener;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes phases down, so that a hold can be explained afterwards. The agent's. */
final class PhaseLog implements PhaseListener {
  private static final Logger LOG = LoggerFactory.getLogger(PhaseLog.class);

  @Override
  public void opened(Evidence phase) {
    LOG.info("{} is in a phase ({})", phase.application(), phase.source());
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    long millis = TimeUnit.NANOSECONDS.toMillis(at - phase.since());
    switch (why) {
      case ANNOUNCED -> LOG.info("{}'s phase is over after {} ms", phase.application(), millis);
      case LEASE_EXPIRED ->
          LOG.warn(
              "{}'s phase is over after {} ms: its lease ran out without a word",
              phase.application(),
              millis);
      case QUIET -> LOG.info("{}'s phase is over after {} ms", phase.application(), millis);
      case NAMED -> LOG.info("after {} ms it is known whose phase it is", millis);
      case SOURCE_LOST ->
          LOG.warn(
              "{}'s phase is taken to be over after {} ms: its source is lost",
              phase.application(),
              millis);
    }
  }
}
