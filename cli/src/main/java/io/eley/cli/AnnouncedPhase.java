package io.eley.cli;

import io.eley.bb.api.client.LeasedPhases;
import io.eley.bb.api.error.EleyException;
import java.time.Duration;
import java.util.function.Consumer;

/** A phase, which is renewed from its begin until it is closed. Safe for several threads. */
final class AnnouncedPhase implements AutoCloseable {
  private final LeasedPhases phases;
  private final String application;
  private boolean over;

  /**
   * One that has not begun.
   *
   * @param lease is renewed whenever a third of it has passed
   */
  AnnouncedPhase(LeasedPhases.Announcements announcements, String application, Duration lease) {
    phases = new LeasedPhases(announcements, lease);
    this.application = application;
  }

  /**
   * Begins it, unless it is over already. Blocks until the nodes hold, or it cannot be announced:
   * then it is begun as soon as that can be done, unless it is closed before.
   *
   * @param refused takes why it cannot be announced now
   */
  synchronized void begin(Consumer<EleyException> refused) {
    if (over) {
      return;
    }
    try {
      phases.begin(application);
    } catch (EleyException e) {
      refused.accept(e);
    }
  }

  /**
   * Ends it, once it has begun. Whoever comes second waits for the first: the JVM must not end
   * before the phase has.
   */
  @Override
  public synchronized void close() {
    if (over) {
      return;
    }
    over = true;
    try (phases) {
      phases.end(application);
    } catch (EleyException e) {
      // Its lease ends it.
    }
  }
}
