package io.eley.cli;

import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.error.EleyException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * An open phase, and the thread that renews its lease: the lease bounds only how long prefetching
 * is held after this process was killed without a chance to say so. Safe for several threads.
 */
final class AnnouncedPhase implements AutoCloseable {
  /** The coordinator, as far as a phase needs it. */
  interface Announcements extends AutoCloseable {
    void begin(String application, Duration lease) throws EleyException;

    void end(String application) throws EleyException;

    @Override
    void close();

    /** Those of a connection, which is closed with them. */
    static Announcements by(CoordinatorClient coordinator) {
      return new Announcements() {
        @Override
        public void begin(String application, Duration lease) throws EleyException {
          coordinator.beginPhase(application, lease);
        }

        @Override
        public void end(String application) throws EleyException {
          coordinator.endPhase(application);
        }

        @Override
        public void close() {
          coordinator.close();
        }
      };
    }
  }

  private final Announcements announcements;
  private final String application;
  private final ScheduledExecutorService renewals;
  private boolean over;

  private AnnouncedPhase(Announcements announcements, String application) {
    this.announcements = announcements;
    this.application = application;
    renewals =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              var thread = new Thread(work, "eley-phase-lease");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Begins a phase. Blocks until the nodes hold.
   *
   * @param lease is renewed whenever a third of it has passed
   * @throws EleyException when it cannot be announced; the announcements are closed then
   */
  static AnnouncedPhase begin(Announcements announcements, String application, Duration lease)
      throws EleyException {
    try {
      announcements.begin(application, lease);
    } catch (EleyException e) {
      announcements.close();
      throw e;
    }
    var phase = new AnnouncedPhase(announcements, application);
    long every = Math.max(1, lease.toMillis() / 3);
    var unused =
        phase.renewals.scheduleWithFixedDelay(
            () -> phase.renew(lease), every, every, TimeUnit.MILLISECONDS);
    return phase;
  }

  private void renew(Duration lease) {
    try {
      announcements.begin(application, lease);
    } catch (EleyException e) {
      // A coordinator that is away now may be back for the next renewal.
    }
  }

  /** Whoever comes second waits for the first: the JVM must not end before the phase has. */
  @Override
  public synchronized void close() {
    if (over) {
      return;
    }
    over = true;
    renewals.shutdownNow();
    try (announcements) {
      announcements.end(application);
    } catch (EleyException e) {
      // Its lease ends it.
    }
  }
}
