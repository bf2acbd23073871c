package io.eley.coordinator.board;

import io.eley.controller.board.BoardLoop;
import io.eley.controller.phase.Evidence;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what the board sees to its log, which is the operator's: with all names. */
final class BoardLog implements BoardLoop.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(BoardLog.class);

  @Override
  public void opened(Evidence phase) {
    LOG.info("{} is in a phase ({})", phase.application(), phase.source());
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    LOG.info(
        "{}'s phase is over after {} ms ({})",
        phase.application(),
        TimeUnit.NANOSECONDS.toMillis(at - phase.since()),
        why);
  }

  @Override
  public void disbelieved(String user) {
    LOG.warn("deployments of {} say that they moved far more than everybody together", user);
  }
}
