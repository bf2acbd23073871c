package io.eley.ior;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGTERM and SIGINT end a run at its next pause, with its files removed: the shutdown hook asks
 * and then waits, at most five seconds, for the run to be over. A phase that takes longer is cut
 * off.
 */
final class StopSignal implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread hook = new Thread(this::shutDown, "ior-stop");

  StopSignal() {
    Runtime.getRuntime().addShutdownHook(hook);
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

  private void shutDown() {
    asked.countDown();
    try {
      boolean unused = over.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
