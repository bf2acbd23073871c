package io.eley.bb.api.client;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts what one learns about a peer while waiting. */
final class CountedSigns implements LiveWait.Signs {
  final AtomicInteger asked = new AtomicInteger();
  final AtomicInteger alive = new AtomicInteger();

  @Override
  public void asked() {
    asked.incrementAndGet();
  }

  @Override
  public void alive() {
    alive.incrementAndGet();
  }
}
