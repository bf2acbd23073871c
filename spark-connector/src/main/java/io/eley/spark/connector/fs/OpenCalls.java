package io.eley.spark.connector.fs;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who is inside of something that another thread may close meanwhile. Who closes waits for nobody,
 * since a read may be held; what calls use is given back behind the last one of them. Safe for
 * several threads.
 */
final class OpenCalls {
  private static final int CLOSED = Integer.MIN_VALUE;

  /** How many; with {@link #CLOSED} when no more come. */
  private final AtomicInteger inside = new AtomicInteger();

  private final Runnable behind;

  /**
   * Open, with nobody inside.
   *
   * @param behind runs once, when it is closed and nobody is inside any more, on the thread that
   *     closes or on the last one that leaves
   */
  OpenCalls(Runnable behind) {
    this.behind = behind;
  }

  /** Whether a call may begin: not when it is closed. Then {@link #leave} is to follow. */
  boolean enter() {
    for (int now = inside.get(); now >= 0; now = inside.get()) {
      if (inside.compareAndSet(now, now + 1)) {
        return true;
      }
    }
    return false;
  }

  /** A call has ended. */
  void leave() {
    if (inside.decrementAndGet() == CLOSED) {
      behind.run();
    }
  }

  /** Lets no more calls in; false when that was done before. */
  boolean close() {
    int before = inside.getAndUpdate(now -> now | CLOSED);
    if (before == 0) {
      behind.run();
    }
    return before >= 0;
  }

  boolean closed() {
    return inside.get() < 0;
  }
}
