package io.eley.scheduler.hooks.signal;

import io.eley.controller.phase.Blindness;
import io.eley.controller.phase.Sighting;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls one sampler, on a thread of its own: a call that hangs costs that thread, and the source
 * counts as lost, but nothing else waits. After failures it waits longer, up to {@value
 * #MOST_SECONDS} s; and after samples for as long as the sampler wants to rest, up to four
 * intervals. A failure, or what it does not see, is logged when it is new, not each time; and what
 * it does not see once an hour at most, since its words change with every job of a cluster.
 */
public final class Poller implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Poller.class);
  private static final int MOST_SECONDS = 30;

  /** A poll that is interrupted still gives back what it has, such as a file of its own. */
  private static final long FAREWELL_MILLIS = 2000;

  /** Between two polls while something goes on, unless the usual interval is shorter. */
  private static final Duration CLOSE = Duration.ofMillis(250);

  private static final long HOUR = Duration.ofHours(1).toNanos();

  private final Sampler sampler;
  private final Duration interval;
  private final LongSupplier clock;
  private final Consumer<List<Sighting>> seen;
  private final Consumer<String> failed;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean closed;
  private boolean closely;
  private String complaint = "";
  private String warned = "";

  /** When it was logged last that it sees nothing, and that it does not see all. */
  private final Map<Boolean, Long> warnedAt = new HashMap<>();

  private boolean sighted;

  private Poller(
      Sampler sampler,
      Duration interval,
      LongSupplier clock,
      Consumer<List<Sighting>> seen,
      Consumer<String> failed) {
    this.sampler = sampler;
    this.interval = interval;
    this.clock = clock;
    this.seen = seen;
    this.failed = failed;
    thread = new Thread(this::run, "eley-signal-" + sampler.name());
    thread.setDaemon(true);
  }

  /**
   * Starts polling.
   *
   * @param sampler the poller's from now on
   * @param interval from the end of one poll to the begin of the next
   * @param seen receives the samples, on the poller's thread
   * @param failed receives, in one line, why there are no samples
   */
  public static Poller start(
      Sampler sampler, Duration interval, Consumer<List<Sighting>> seen, Consumer<String> failed) {
    return start(sampler, interval, System::nanoTime, seen, failed);
  }

  /**
   * The same with another clock for what is not to be logged too often.
   *
   * @param clock monotonic nanoseconds
   */
  static Poller start(
      Sampler sampler,
      Duration interval,
      LongSupplier clock,
      Consumer<List<Sighting>> seen,
      Consumer<String> failed) {
    var poller = new Poller(sampler, interval, clock, seen, failed);
    poller.thread.start();
    return poller;
  }

  private void run() {
    try {
      Duration wait = interval;
      while (!over(wait)) {
        wait = look() ? rested() : longer(wait);
      }
    } catch (InterruptedException e) {
      LOG.debug("{} was interrupted", thread.getName());
    } finally {
      sampler.close();
    }
  }

  private Duration rested() {
    Duration rest = sampler.rest();
    Duration most = PollTiming.longestRest(interval);
    Duration least = rest.compareTo(most) < 0 ? rest : most;
    return least.compareTo(interval) > 0 ? least : interval;
  }

  private boolean look() throws InterruptedException {
    try {
      seen.accept(sampler.sample());
      if (!complaint.isEmpty()) {
        LOG.info("{} speaks again", sampler.name());
        complaint = "";
      }
      noteSight(sampler.blindness().seen());
      noteBlindness(sampler.blindness());
      return true;
    } catch (SignalException e) {
      complain(e.getMessage() + "", e.isAbsent());
    } catch (RuntimeException e) {
      LOG.error("defect in the source {}", sampler.name(), e);
      complain("defect: " + e, false);
    } catch (OutOfMemoryError e) {
      // A sampler that needs a thread got none: the next poll may get one.
      complain(e.getMessage() + "", false);
    }
    return false;
  }

  /** Once: how much it sees changes with every job. */
  private void noteSight(String seen) {
    if (!sighted && !seen.isEmpty()) {
      LOG.info("{}: {}", sampler.name(), seen);
      sighted = true;
    }
  }

  private void noteBlindness(Blindness blindness) {
    String why = blindness.why();
    long now = clock.getAsLong();
    Long before = warnedAt.get(blindness.complete());
    if (why.isEmpty()) {
      warned = "";
    } else if (!why.equals(warned) && (before == null || now - before >= HOUR)) {
      LOG.warn("{} does not see everything: {}", sampler.name(), why);
      warned = why;
      warnedAt.put(blindness.complete(), now);
    }
  }

  private void complain(String message, boolean absent) {
    if (!message.equals(complaint)) {
      complaint = message;
      if (absent) {
        LOG.info("{} cannot be read: {}", sampler.name(), message);
      } else {
        LOG.warn("{} cannot be read: {}", sampler.name(), message);
      }
    }
    failed.accept(message);
  }

  private static Duration longer(Duration wait) {
    Duration doubled = wait.multipliedBy(2);
    Duration most = Duration.ofSeconds(MOST_SECONDS);
    return doubled.compareTo(most) < 0 ? doubled : most;
  }

  /** Waits; returns whether the poller is closed. */
  private boolean over(Duration wait) throws InterruptedException {
    lock.lock();
    try {
      long began = System.nanoTime();
      while (!closed) {
        boolean near = closely && wait.equals(interval); // not after failures
        long least = near ? Math.min(CLOSE.toNanos(), wait.toNanos()) : wait.toNanos();
        long left = least - (System.nanoTime() - began);
        if (left <= 0) {
          break;
        }
        long unused = changed.awaitNanos(left);
      }
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** The name of what it polls. */
  public String name() {
    return sampler.name();
  }

  /** Polls more often while something goes on, at once when that is due; never blocks long. */
  public void lookClosely(boolean wanted) {
    lock.lock();
    try {
      closely = wanted;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends polling; waits for a poll under way for {@value #FAREWELL_MILLIS} ms at most. */
  @Override
  public void close() {
    closeAll(List.of(this));
  }

  /** Ends all their polling; waits for polls under way as long as for one. */
  public static void closeAll(List<Poller> pollers) {
    pollers.forEach(Poller::end);
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FAREWELL_MILLIS);
    try {
      for (Poller poller : pollers) {
        TimeUnit.NANOSECONDS.timedJoin(poller.thread, until - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void end() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    thread.interrupt();
  }
}
