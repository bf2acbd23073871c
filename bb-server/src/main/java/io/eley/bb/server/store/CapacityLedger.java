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

  /** What may be used now: the capacity, or less while others fill the RAM-disk. */
  private final AtomicLong limit;

  /** An empty ledger over this many bytes, which are positive. */
  CapacityLedger(long capacity) {
    if (capacity <= 0) {
      throw new IllegalArgumentException("capacity must be positive: " + capacity);
    }
    this.capacity = capacity;
    limit = new AtomicLong(capacity);
  }

  /** Reserves all of these bytes, or none of them; returns whether it did. */
  boolean reserve(long bytes) {
    while (true) {
      long before = used.get();
      if (bytes > limit.get() - before) {
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
    return limit.get() - used.get();
  }

  /** What may be used now. */
  long limit() {
    return limit.get();
  }

  /** Lowers the limit to this, if it is higher. */
  void shrinkTo(long bytes) {
    limit.accumulateAndGet(Math.max(0, bytes), Math::min);
  }

  /** Raises the limit to this, at most to the capacity, if it is lower. */
  void growTo(long bytes) {
    limit.accumulateAndGet(Math.min(capacity, bytes), Math::max);
  }

  /** Whether less than the capacity may be used. */
  boolean squeezed() {
    return limit.get() < capacity;
  }
}
