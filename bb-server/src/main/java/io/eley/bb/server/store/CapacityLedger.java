package io.eley.bb.server.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The one account of a store's RAM. Bytes are reserved before the first of them is written and
 * released after the last file that holds them is closed and unlinked, so what lies on the RAM-disk
 * never exceeds what the ledger says, and the ledger never exceeds the capacity.
 *
 * <p>Safe for several threads; nothing blocks.
 */
final class CapacityLedger {
  private final long capacity;
  private final AtomicLong used = new AtomicLong();

  /** An empty ledger over this many bytes. */
  CapacityLedger(long capacity) {
    this.capacity = capacity;
  }

  /** Reserves all of these bytes, or none of them; returns whether it did. */
  boolean reserve(long bytes) {
    while (true) {
      long before = used.get();
      if (bytes > capacity - before) {
        return false;
      }
      if (used.compareAndSet(before, before + bytes)) {
        return true;
      }
    }
  }

  /** Gives reserved bytes back. */
  void release(long bytes) {
    if (used.addAndGet(-bytes) < 0) {
      throw new IllegalStateException("released " + bytes + " bytes that were not reserved");
    }
  }

  long capacity() {
    return capacity;
  }

  long used() {
    return used.get();
  }

  long free() {
    return capacity - used.get();
  }
}
