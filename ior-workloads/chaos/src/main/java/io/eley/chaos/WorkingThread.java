package io.eley.chaos;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The thread that does the experiment. Whoever ends the experiment from another one (the JVM's
 * exit) interrupts it and waits until it is done, so that it makes nothing behind the end's back.
 */
final class WorkingThread implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Thread thread = Thread.currentThread();
  private final CountDownLatch done = new CountDownLatch(1);

  /** Tells that it makes nothing any more. */
  void finish() {
    done.countDown();
  }

  /** Interrupts it and waits for some seconds at most; does nothing on the thread itself. */
  @Override
  public void close() {
    if (Thread.currentThread() == thread) {
      return;
    }
    thread.interrupt();
    try {
      var unused = done.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
