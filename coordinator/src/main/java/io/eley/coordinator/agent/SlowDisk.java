package io.eley.coordinator.agent;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to a disk on a thread of its own: one that is slow must keep nobody waiting, and a hold
 * least of all. What cannot be written is logged once, and not tried again here; nothing else
 * depends on it.
 *
 * <p>Safe for several threads.
 */
public final class SlowDisk implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SlowDisk.class);
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private final String what;
  private final String late;
  private final Duration farewell;
  private final ExecutorService thread;
  private boolean complained;

  /** What is written. */
  @FunctionalInterface
  public interface Work {
    void run() throws IOException;
  }

  /**
   * Starts the thread.
   *
   * @param name of the thread
   * @param what is written, for the one complaint
   * @param late what is logged when not all is written in the end
   */
  public SlowDisk(String name, String what, String late) {
    this(name, what, late, FAREWELL);
  }

  SlowDisk(String name, String what, String late, Duration farewell) {
    this.what = what;
    this.late = late;
    this.farewell = farewell;
    thread =
        Executors.newSingleThreadExecutor(
            work -> {
              var writer = new Thread(work, name);
              writer.setDaemon(true);
              return writer;
            });
    thread.execute(() -> {}); // It starts now: later the system may give none.
  }

  /** Has this done behind what is queued. Never blocks. */
  public void execute(Work work) {
    try {
      thread.execute(() -> run(work));
    } catch (RejectedExecutionException e) {
      LOG.debug("closed: the last of {} is lost", what);
    }
  }

  private void run(Work work) {
    try {
      work.run();
    } catch (IOException e) {
      complain(e);
    }
  }

  /** Says that the disk cannot be used, unless that was said before. */
  public synchronized void complain(IOException e) {
    if (!complained) {
      complained = true;
      LOG.warn("{} cannot be used: {}", what, e.getMessage());
    }
  }

  /** Does what is queued; waits for at most two seconds. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(farewell.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("{}", late);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
