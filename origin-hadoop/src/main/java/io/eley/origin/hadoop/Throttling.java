package io.eley.origin.hadoop;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log when a store asks for fewer requests, at most twice a minute. Hadoop's client has
 * waited by then, so the read that was asked to wait took longer: that is what carrier sense sees.
 * Safe for several threads.
 */
final class Throttling {
  private static final Logger LOG = LoggerFactory.getLogger(Throttling.class);
  private static final long BETWEEN_NANOS = 30_000_000_000L;

  private final String address;
  private final LongSupplier count;
  private final LongSupplier nanoClock;
  private final AtomicLong told = new AtomicLong();
  private final AtomicLong toldAt;

  /**
   * Nothing is told yet.
   *
   * @param count answers of the store that asked to wait, so far
   */
  Throttling(String address, LongSupplier count, LongSupplier nanoClock) {
    this.address = address;
    this.count = count;
    this.nanoClock = nanoClock;
    toldAt = new AtomicLong(nanoClock.getAsLong() - BETWEEN_NANOS);
  }

  /** Looks at the count; returns whether there was something to tell. */
  boolean look() {
    long now = nanoClock.getAsLong();
    long at = toldAt.get();
    long all = count.getAsLong();
    long before = told.get();
    if (all <= before || now - at < BETWEEN_NANOS || !toldAt.compareAndSet(at, now)) {
      return false;
    }
    told.set(all);
    LOG.warn(
        "{} asked {} times for fewer requests, {} times since it was opened",
        address,
        all - before,
        all);
    return true;
  }
}
