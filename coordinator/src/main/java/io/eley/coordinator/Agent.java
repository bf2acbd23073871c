package io.eley.coordinator;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that owns the coordinator's state. Everybody else hands it work; what is handed in
 * by one thread is done in that order. Work must be short and never block, for a hold stands in the
 * same line.
 */
final class Agent implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

  private final ScheduledThreadPoolExecutor thread;
  private final LongSupplier clock;

  /**
   * An agent whose thread starts with the first work.
   *
   * @param clock nanoseconds of a monotonic clock
   */
  Agent(LongSupplier clock) {
    this.clock = clock;
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              var daemon = new Thread(task, "eley-coordinator");
              daemon.setDaemon(true);
              return daemon;
            });
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    thread.setRemoveOnCancelPolicy(true);
  }

  long now() {
    return clock.getAsLong();
  }

  /** Does the work as soon as what was handed in before is done; drops it after {@link #close}. */
  void execute(Runnable work) {
    after(Duration.ZERO, work);
  }

  void after(Duration delay, Runnable work) {
    try {
      var unused = thread.schedule(() -> run(work), delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("work came after the end");
    }
  }

  void every(Duration period, Runnable work) {
    var unused =
        thread.scheduleWithFixedDelay(
            () -> run(work), period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** A defect in one piece of work must not end the thread that all the others need. */
  private static void run(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("defect in the coordinator", e);
    }
  }

  /** Drops what waits and lets the piece of work under way come to its end. */
  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("the coordinator's thread is still at work");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
