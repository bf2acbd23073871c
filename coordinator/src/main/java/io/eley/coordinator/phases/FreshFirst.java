package io.eley.coordinator.phases;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Threads for requests of which most may come from strangers. A request is small and there within
 * milliseconds; one that is not is slow on purpose or broken. So with all threads taken a new
 * request ends the oldest one that has not proved itself yet: its thread is interrupted, which
 * closes its connection. However many slow ones there are, a fresh one gets its turn.
 *
 * <p>Safe for several threads.
 */
final class FreshFirst implements Executor, AutoCloseable {
  private final int threadsMax;
  private final ExecutorService threads;

  /** The threads at work on requests that are not proved, in the order of their begin. */
  private final Map<Thread, Boolean> strangers = new LinkedHashMap<>();

  private int running;

  FreshFirst(int threadsMax, String name) {
    this.threadsMax = threadsMax;
    threads =
        Executors.newCachedThreadPool(
            work -> {
              var thread = new Thread(work, name);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Runs a request at once; never waits.
   *
   * @throws RejectedExecutionException when no request can be ended for it; its connection is
   *     closed
   */
  @Override
  public synchronized void execute(Runnable request) {
    if (running >= 2 * threadsMax) {
      throw new RejectedExecutionException("requests that were ended have not ended yet");
    }
    if (running >= threadsMax) {
      endOldest();
    }
    running++;
    threads.execute(() -> run(request));
  }

  private void endOldest() {
    @Nullable Thread oldest = strangers.keySet().stream().findFirst().orElse(null);
    if (oldest == null) {
      throw new RejectedExecutionException("all threads serve proven requests");
    }
    strangers.remove(oldest);
    oldest.interrupt();
  }

  private void run(Runnable request) {
    synchronized (this) {
      strangers.put(Thread.currentThread(), true);
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
