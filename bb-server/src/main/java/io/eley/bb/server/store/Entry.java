package io.eley.bb.server.store;

import io.eley.bb.api.BlockId;

/**
 * One block of the store. The fields that are not final belong to the store's lock; {@link #state}
 * may be read without it.
 */
final class Entry {
  enum State {
    /** Has a writer. */
    ARRIVING,
    /** Complete, found by those who ask, found again after a restart. */
    COMMITTED,
    /** Not in the index any more; lives on for those who hold a pin. */
    GONE
  }

  final BlockId id;
  final long footprint;
  final Arrivals arrivals;
  final BlockFile file;

  volatile State state;

  /** Readers, the writer, and whoever still has to unlink the file. */
  int pins;

  /** Consumed: the first to evict. */
  boolean freed;

  /** Bytes to give back to the ledger when the last pin of a block that is gone is closed. */
  long owed;

  Entry(BlockId id, long footprint, Arrivals arrivals, BlockFile file, State state) {
    this.id = id;
    this.footprint = footprint;
    this.owed = footprint;
    this.arrivals = arrivals;
    this.file = file;
    this.state = state;
  }
}
