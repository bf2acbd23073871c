package io.eley.bb.api.client;

import java.util.concurrent.locks.LockSupport;

/**
 * How long the machine kept threads from running, measured by one that naps for ten milliseconds
 * again and again: what tests that judge time take off. On a quiet machine that is nothing.
 */
final class Lag implements AutoCloseable {
  private static final long NAP = 10_000_000;

  /** By so much any nap may take longer. */
  private static final long USUAL = 2_000_000;

  private final Thread thread = new Thread(this::nap, "lag");
  private long total;
  private long lastAwake = System.nanoTime();
  private volatile boolean closed;

  Lag() {
    thread.setDaemon(true);
    thread.start();
  }

  private void nap() {
    while (!closed) {
      LockSupport.parkNanos(NAP);
      woke(System.nanoTime());
    }
  }

  private synchronized void woke(long now) {
    total += overdue(now);
    lastAwake = now;
  }

  private long overdue(long now) {
    return Math.max(0, now - lastAwake - NAP - USUAL);
  }

  /** Nanoseconds since this was made, those of a nap that should be over included. */
  private synchronized long nanos() {
    return total + overdue(System.nanoTime());
  }

  /** Begins to measure a time. */
  Watch start() {
    return new Watch(System.nanoTime(), nanos());
  }

  /** A time that is measured. */
  final class Watch {
    private final long began;
    private final long laggedBefore;

    private Watch(long began, long laggedBefore) {
      this.began = began;
      this.laggedBefore = laggedBefore;
    }

    /** Nanoseconds since the start, but those in which threads were kept from running. */
    long nanos() {
      return Math.max(0, System.nanoTime() - began - (Lag.this.nanos() - laggedBefore));
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
