package io.eley.ior;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGTERM and SIGINT end a run with its files removed: the shutdown hook wakes a pause or cancels
 * the tasks, and then waits, at most five seconds, for the run to be over.
 */
final class StopSignal implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "ior-stop");
  private volatile Runnable cancel = () -> {};

  StopSignal() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Has these tasks cancelled when the signal comes. */
  void cancels(IorTasks tasks) {
    cancel = tasks::cancel;
  }

  /** Waits for so long, or until the run should end; false then. */
  boolean pause(Duration length) {
    try {
      return !asked.await(length.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    over.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending already, which is what the hook waits for.
    }
  }

  /** What the hook does. */
  void stop() {
    asked.countDown();
    cancel.run();
    try {
      boolean unused = over.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
