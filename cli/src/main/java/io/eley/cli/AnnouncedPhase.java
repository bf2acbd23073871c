package io.eley.cli;

import io.eley.bb.api.client.LeasedPhases;
import io.eley.bb.api.error.EleyException;
import java.time.Duration;
import java.util.function.Consumer;

/** An open phase, which is renewed until it is closed. Safe for several threads. */
final class AnnouncedPhase implements AutoCloseable {
  private final LeasedPhases phases;
  private final String application;
  private boolean over;

  private AnnouncedPhase(LeasedPhases phases, String application) {
    this.phases = phases;
    this.application = application;
  }

  /**
   * Begins a phase. Blocks until the nodes hold, or it cannot be announced: then it is begun as
   * soon as that can be done, unless it is closed before.
   *
   * @param lease is renewed whenever a third of it has passed
   * @param refused takes why it cannot be announced now
   */
  static AnnouncedPhase begin(
      LeasedPhases.Announcements announcements,
      String application,
      Duration lease,
      Consumer<EleyException> refused) {
    var phases = new LeasedPhases(announcements, lease);
    try {
      phases.begin(application);
    } catch (EleyException e) {
      refused.accept(e);
    }
    return new AnnouncedPhase(phases, application);
  }

  /** Whoever comes second waits for the first: the JVM must not end before the phase has. */
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
