package io.eley.bb.server.net;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the connections that are not authenticated yet and admits no more than a limit. Safe for
 * several threads.
 */
final class Gatekeeper {
  private final int limit;
  private final AtomicInteger waiting = new AtomicInteger();

  Gatekeeper(int limit) {
    this.limit = limit;
  }

  /** Takes a place, if there is one; then {@link #leave} must follow. */
  boolean admit() {
    int now = waiting.getAndUpdate(n -> n < limit ? n + 1 : n);
    return now < limit;
  }

  void leave() {
    waiting.decrementAndGet();
  }

  int waiting() {
    return waiting.get();
  }
}
