package io.eley.coordinator.phases;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

/**
 * Threads for requests of which most may come from strangers. A request is small and there within
 * milliseconds; one that is not is slow on purpose or broken. So once many threads are taken each
 * new request ends the oldest one that has had its time and has not proved itself: its thread is
 * interrupted, which closes its connection. However many slow ones there are, a fresh one gets its
 * turn, and a burst gets threads of its own.
 *
 * <p>Safe for several threads.
 */
final class FreshFirst implements Executor, AutoCloseable {
  private final Limits limits;
  private final ExecutorService threads;

  /** The threads at work on requests that are not proved, and since when, the oldest first. */
  private final Map<Thread, Long> strangers = new LinkedHashMap<>();

  private int running;

  /**
   * How many requests are served.
   *
   * @param many with so many at once, old ones are ended for new ones
   * @param max with so many, new ones are refused
   * @param time that a request has before it may be ended for another
   */
  record Limits(int many, int max, Duration time) {
    static final Limits DEFAULT = new Limits(32, 256, Duration.ofMillis(250));
  }

  FreshFirst(Limits limits, String name) {
    this(
        limits,
        work -> {
          var thread = new Thread(work, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  /** The same with threads of one's own. */
  FreshFirst(Limits limits, ThreadFactory factory) {
    this.limits = limits;
    threads = Executors.newCachedThreadPool(factory);
  }

  /**
   * Runs a request at once; never waits.
   *
   * @throws RejectedExecutionException when there are too many; its connection is closed
   */
  @Override
  public synchronized void execute(Runnable request) {
    if (running >= limits.many()) {
      endOldest();
    }
    if (running >= limits.max()) {
      throw new RejectedExecutionException("too many requests at once");
    }
    try {
      threads.execute(() -> run(request));
    } catch (OutOfMemoryError e) {
      // The one thread that accepts must not end of it.
      throw new RejectedExecutionException("no thread can be started", e);
    }
    running++;
  }

  private void endOldest() {
    Iterator<Map.Entry<Thread, Long>> oldest = strangers.entrySet().iterator();
    if (oldest.hasNext()) {
      var stranger = oldest.next();
      if (System.nanoTime() - stranger.getValue() >= limits.time().toNanos()) {
        oldest.remove();
        stranger.getKey().interrupt();
      }
    }
  }

  private void run(Runnable request) {
    synchronized (this) {
      strangers.put(Thread.currentThread(), System.nanoTime());
    }
    try {
      request.run();
    } finally {
      synchronized (this) {
        strangers.remove(Thread.currentThread());
        running--;
      }
      // An interrupt that came too late must not meet the thread's next request.
      boolean unused = Thread.interrupted();
    }
  }

  /** The calling thread's request has proved itself: it is not ended for others any more. */
  synchronized void prove() {
    strangers.remove(Thread.currentThread());
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
