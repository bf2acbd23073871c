package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Announces phases, and renews the lease of each that is open whenever a third of it has passed:
 * the lease bounds only how long prefetching is held after this process was killed without a chance
 * to say so. What could not be announced is tried again each second. Safe for several threads.
 */
public final class LeasedPhases implements AutoCloseable {
  /** The coordinator, as far as phases need it. */
  public interface Announcements extends AutoCloseable {
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

  /** Most phases last for longer: one that begins while the coordinator is away is worth a word. */
  private static final long RETRY_MILLIS = 1_000;

  private final Announcements announcements;
  private final Duration lease;
  private final ScheduledExecutorService renewals;

  /** The renewals of each open phase, by its application. */
  private final Map<String, ScheduledFuture<?>> open = new ConcurrentHashMap<>();

  /** By application, when its open phase was announced last. */
  private final Map<String, Long> told = new ConcurrentHashMap<>();

  /** Is held while something is announced, so that no renewal comes after the end of its phase. */
  private final Object turn = new Object();

  /**
   * Announces nothing yet.
   *
   * @param announcements are closed with this
   * @param lease of each phase
   */
  public LeasedPhases(Announcements announcements, Duration lease) {
    this.announcements = announcements;
    this.lease = lease;
    renewals =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              var thread = new Thread(work, "eley-phase-lease");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Begins an application's phase. Blocks until the nodes hold.
   *
   * @throws EleyException when it cannot be announced; that is tried again until it ends
   */
  public void begin(String application) throws EleyException {
    long every = every(lease);
    synchronized (turn) {
      told.remove(application);
      cancel(
          open.put(
              application,
              renewals.scheduleWithFixedDelay(
                  () -> renew(application), every, every, TimeUnit.MILLISECONDS)));
      announce(application);
    }
  }

  private static long every(Duration lease) {
    return Math.min(Math.max(1, lease.toMillis() / 3), RETRY_MILLIS);
  }

  /**
   * Whether it is time to renew a lease, at the try that is nearest to when a third of it has
   * passed: tries come as late as the one before was answered.
   *
   * @param nanos since it was announced last
   */
  static boolean due(long nanos, Duration lease) {
    long half = TimeUnit.MILLISECONDS.toNanos(every(lease)) / 2;
    return nanos >= lease.toNanos() / 3 - half;
  }

  private void announce(String application) throws EleyException {
    long at = System.nanoTime(); // the lease begins before the answer is here
    announcements.begin(application, lease);
    told.put(application, at);
  }

  /** Ends it; one that is not open, too. A renewal that hangs does not delay that. */
  public void end(String application) throws EleyException {
    cancel(open.remove(application));
    synchronized (turn) {
      announcements.end(application);
    }
  }

  /** Ends no phase: the lease of one that is open does. */
  @Override
  public void close() {
    renewals.shutdownNow();
    announcements.close();
  }

  private void renew(String application) {
    synchronized (turn) {
      Long last = told.get(application);
      boolean fresh = last != null && !due(System.nanoTime() - last, lease);
      if (fresh || !open.containsKey(application)) {
        return;
      }
      try {
        announce(application);
      } catch (EleyException e) {
        // A coordinator that is away now may be back for the next try.
      }
    }
  }

  private static void cancel(@Nullable ScheduledFuture<?> renewal) {
    if (renewal != null) {
      renewal.cancel(true);
    }
  }
}
