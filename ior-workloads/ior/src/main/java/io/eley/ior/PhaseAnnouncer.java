package io.eley.ior;

import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.client.LeasedPhases;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.ior.IorResult.Times;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * {@code --announce}: announces to a deployment when phases begin and end, as a job script would.
 * On a thread of its own, in order: the load does not wait for the buffer, unless it is asked to,
 * and an absent coordinator costs one warning.
 */
final class PhaseAnnouncer implements IorPhaseListener {
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final int REHEARSALS = 3;
  private static final Duration HOLD = Duration.ofSeconds(10);

  /** Shorter than what a stopping run has to remove its files. */
  private static final Duration GOODBYE = Duration.ofSeconds(2);

  /** One call to the coordinator. */
  @FunctionalInterface
  private interface Call {
    void run() throws EleyException;
  }

  private final LeasedPhases phases;
  private final String application;
  private final boolean waits;
  private final PrintWriter warnings;
  private final ExecutorService thread;
  private boolean open;
  private boolean warned;

  /**
   * Connects in the background.
   *
   * @param deployment directory of the deployment
   * @param application name to announce
   * @param waits whether a phase begins only when the nodes have confirmed
   * @throws EleyException when that directory is no deployment's
   */
  PhaseAnnouncer(Path deployment, String application, boolean waits, PrintWriter warnings)
      throws EleyException {
    this(
        new LeasedPhases(LeasedPhases.Announcements.by(client(deployment)), LEASE),
        application,
        waits,
        warnings);
  }

  /**
   * Announces through these.
   *
   * @param phases are closed with this
   */
  PhaseAnnouncer(LeasedPhases phases, String application, boolean waits, PrintWriter warnings) {
    this.phases = phases;
    this.application = application;
    this.waits = waits;
    this.warnings = warnings;
    thread =
        Executors.newSingleThreadExecutor(
            task -> {
              var announcer = new Thread(task, "ior-announcer");
              announcer.setDaemon(true);
              return announcer;
            });
    // A load of this name that died in a phase is over; and when the first phase begins, the
    // connection is there and its announcement takes no longer than any other.
    announce(() -> phases.end(application), false);
  }

  private static CoordinatorClient client(Path deployment) throws EleyException {
    return CoordinatorClient.open(
        ClientOptions.from(
            Settings.of(
                Map.of(
                    ClientKeys.DEPLOYMENT.name(),
                    deployment.toString(),
                    ClientKeys.CONNECT_TIMEOUT.name(),
                    "3s"))));
  }

  /**
   * Begins and ends a few phases at once, so that the announcement of the first real one does not
   * pay for the start of this JVM: some tens of milliseconds on a machine whose cores are all busy.
   */
  void rehearse() {
    for (int i = 0; i < REHEARSALS; i++) {
      announce(() -> phases.begin(application), true);
      announce(() -> phases.end(application), true);
    }
  }

  @Override
  public void phaseBegins(IorOperation operation, int iteration) {
    open = true;
    announce(() -> phases.begin(application), waits);
  }

  @Override
  public void phaseEnds(IorOperation operation, int iteration, long bytes, Times times) {
    open = false;
    announce(() -> phases.end(application), false);
  }

  /**
   * Ends an open phase too: a load that stops in one must not hold prefetching until its lease
   * ends. Blocks until everything is announced, at most two seconds.
   */
  @Override
  public void close() {
    if (open) {
      open = false;
      announce(() -> phases.end(application), false);
    }
    thread.shutdown();
    try {
      if (!thread.awaitTermination(GOODBYE.toMillis(), TimeUnit.MILLISECONDS)) {
        warn("the coordinator does not answer");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    phases.close();
  }

  private void announce(Call call, boolean wait) {
    var told = thread.submit(() -> attempt(call));
    if (wait) {
      try {
        told.get(HOLD.toSeconds(), TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException e) {
        warn("the coordinator does not answer");
      }
    }
  }

  private void attempt(Call call) {
    try {
      call.run();
    } catch (EleyException e) {
      warn(String.valueOf(e.getMessage()));
    }
  }

  private synchronized void warn(String why) {
    if (!warned) {
      warned = true;
      warnings.println("ior: phases are not announced: " + why);
      warnings.flush();
    }
  }
}
