package io.eley.coordinator.agent;

import io.eley.controller.loop.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that owns the coordinator's state. Everybody else hands it work; what is handed in
 * by one thread is done in that order. Work must be short and never block, since a hold waits in
 * the same queue.
 *
 * <p>It is the thread of the network, too: a node's message is read and handled without waking
 * another thread.
 */
public final class Agent implements Timeline, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

  private final ScheduledExecutorService thread;
  private final LongSupplier clock;
  private final Supplier<Instant> timeOfDay;
  private volatile boolean closed;

  /**
   * An agent on a thread that belongs to the caller, who ends it after this.
   *
   * @param thread a single one
   * @param clock nanoseconds of a monotonic clock
   * @param timeOfDay the same moment's time of day
   */
  public Agent(ScheduledExecutorService thread, LongSupplier clock, Supplier<Instant> timeOfDay) {
    this.thread = thread;
    this.clock = clock;
    this.timeOfDay = timeOfDay;
  }

  @Override
  public long now() {
    return clock.getAsLong();
  }

  @Override
  public Instant timeOfDay() {
    return timeOfDay.get();
  }

  /** Does the work as soon as what was handed in before is done; drops it after {@link #close}. */
  public void execute(Runnable work) {
    try {
      thread.execute(() -> run(work));
    } catch (RejectedExecutionException e) {
      LOG.debug("work came after the end");
    }
  }

  @Override
  public void after(Duration delay, Runnable work) {
    try {
      var unused = thread.schedule(() -> run(work), delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("work came after the end");
    }
  }

  public void every(Duration period, Runnable work) {
    var unused =
        thread.scheduleWithFixedDelay(
            () -> run(work), period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** A defect in one piece of work must not end the thread that all the others need. */
  private void run(Runnable work) {
    try {
      if (!closed) {
        work.run();
      }
    } catch (RuntimeException | Error e) {
      LOG.error("defect in the coordinator", e);
    }
  }

  /** Drops all further work; a piece that is under way is finished. */
  @Override
  public void close() {
    closed = true;
  }
}
