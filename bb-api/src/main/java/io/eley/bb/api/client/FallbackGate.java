package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.permit.TokenBucket;
import io.eley.bb.api.wire.FallbackMessage.FallbackLane;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets reads past the buffer through: they are origin traffic, and HPC applications come first.
 *
 * <p>While the coordinator answers, it says how fast: nothing while it holds what tasks wait for,
 * which it does no longer than {@code eley.delay.max}. While it does not, the last that was heard
 * counts: a hold stays one for as long, since the phase goes on without the coordinator. Otherwise
 * this client caps itself at {@code eley.client.fallback-rate}. What was read is reported four
 * times a second as long as there is something to report, and the answer renews the leave; so a
 * hold is obeyed within a quarter of a second, and one request is under way at most.
 *
 * <p>Safe for several threads. {@link #enter} blocks.
 */
final class FallbackGate implements AutoCloseable {
  private static final Duration REPORT = Duration.ofMillis(250);

  /** How long a client goes on alone before the coordinator is asked again. */
  private static final Duration ALONE = Duration.ofSeconds(1);

  /** Asks the coordinator. */
  interface Coordinator {
    /** Reports and asks. */
    FallbackLane ask(PastBytes.Report moved) throws EleyException;
  }

  private final Coordinator coordinator;
  private final FallbackLane own;
  private final long delayMaxNanos;
  private final ScheduledThreadPoolExecutor reports;
  private final TokenBucket bucket = new TokenBucket(System.nanoTime());
  private FallbackLane lane;
  private long laneEnds = System.nanoTime();

  /** Until when nothing is read unless the coordinator says so: it was not heard since a hold. */
  private long heldUntil = laneEnds;

  private final PastBytes moved = new PastBytes();
  private boolean reportDue;
  private boolean asking;

  /**
   * A gate that has read nothing yet.
   *
   * @param alone what holds while nobody can be asked
   */
  FallbackGate(Coordinator coordinator, ClientOptions.Alone alone) {
    this.coordinator = coordinator;
    own = new FallbackLane(alone.rate().bytes(), ALONE);
    delayMaxNanos = alone.delayMax().toNanos();
    lane = own;
    reports =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              var thread = new Thread(task, "eley-fallback");
              thread.setDaemon(true);
              return thread;
            });
    reports.setKeepAliveTime(10, TimeUnit.SECONDS);
    reports.allowCoreThreadTimeOut(true);
    reports.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /**
   * Blocks until this many bytes may be read.
   *
   * @throws EleyException {@code INTERRUPTED}
   */
  void enter(int count) throws EleyException {
    try {
      while (true) {
        if (mustAsk()) {
          ask();
        }
        long wait = tryEnter(count);
        if (wait == 0) {
          return;
        }
        TimeUnit.NANOSECONDS.sleep(Math.min(wait, REPORT.toNanos()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.INTERRUPTED, "interrupted before reading the origin", e);
    }
  }

  /**
   * Counts bytes that were read until now; they are reported soon.
   *
   * @param begun when their read was begun, by {@link System#nanoTime}
   */
  synchronized void count(int read, long begun) {
    moved.count(read, begun, System.nanoTime());
    scheduleReport(REPORT);
  }

  private synchronized void scheduleReport(Duration delay) {
    if (reportDue) {
      return;
    }
    reportDue = true;
    try {
      var unused = reports.schedule(this::report, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The client is closed, and has reported; or no thread can be started: the next read tries.
      reportDue = false;
    }
  }

  private void report() {
    synchronized (this) {
      reportDue = false;
      if (asking) {
        scheduleReport(REPORT);
        return;
      }
      asking = true;
    }
    ask();
  }

  private synchronized boolean mustAsk() {
    if (asking || laneEnds - System.nanoTime() > 0) {
      return false;
    }
    asking = true;
    return true;
  }

  private void ask() {
    PastBytes.Report report;
    synchronized (this) {
      report = moved.report(System.nanoTime());
    }
    FallbackLane answer = null;
    try {
      answer = coordinator.ask(report);
      noteAnswered(report);
    } catch (EleyException e) {
      // Nobody to ask. What was read stays to be reported.
      retryReport();
    } finally {
      take(answer);
    }
  }

  private synchronized void retryReport() {
    if (moved.unanswered()) {
      scheduleReport(ALONE);
    }
  }

  private synchronized void noteAnswered(PastBytes.Report report) {
    moved.answered(report);
  }

  /** Takes what was answered; null is nobody. */
  private synchronized void take(@Nullable FallbackLane answer) {
    long now = System.nanoTime();
    if (answer != null) {
      heldUntil = answer.bytesPerSecond() == 0 ? now + delayMaxNanos : now;
    }
    asking = false;
    lane = answer == null ? alone(now) : answer;
    laneEnds = now + lane.timeToLive().toNanos();
    bucket.setRate(Math.max(1, lane.bytesPerSecond()), now);
  }

  private FallbackLane alone(long now) {
    Duration left = Duration.ofNanos(Math.max(0, heldUntil - now));
    return left.isZero() ? own : new FallbackLane(0, left.compareTo(ALONE) < 0 ? left : ALONE);
  }

  /** Nanoseconds to wait; 0 is entered. While the leave is being asked for, the last one holds. */
  private synchronized long tryEnter(int count) {
    if (lane.bytesPerSecond() == 0) {
      return Math.max(1_000_000, laneEnds - System.nanoTime());
    }
    long wait = bucket.nanosUntilReady(System.nanoTime());
    if (wait == 0) {
      bucket.take(count);
    }
    return wait;
  }

  /** Reports what was not reported yet. Blocks as long as a question to the coordinator may. */
  @Override
  public void close() {
    reports.shutdown();
    boolean last;
    synchronized (this) {
      last = reportDue;
    }
    if (last) {
      ask();
    }
  }
}
