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
    /** Holds some of its pages and has no writer; another one may go on. */
    PARTIAL,
    /** Complete, found by those who ask, found again after a restart. */
    COMMITTED,
    /** Not in the index any more; lives on for those who hold a pin. */
    GONE
  }

  /**
   * Heap that an entry takes beside what grows with its path and its pages, in bytes: measured with
   * 20,000 files of 200 bytes, after a restart, some 1,200.
   */
  private static final long HEAP = 1_200;

  /** A checksum and a bit. */
  private static final long HEAP_OF_A_PAGE = 5;

  final BlockId id;
  final Arrivals arrivals;
  final BlockFile file;

  volatile State state;

  /** Readers, the writer, and whoever still has to unlink the file. */
  int pins;

  /** Consumed: the first to evict. */
  boolean freed;

  /** A plan has ordered it and not freed it since: it leaves for what a task waits for only. */
  boolean planned;

  /** Whether somebody who ordered a part of it believes that it is here. */
  boolean reported;

  /** Bytes that are reserved for it: of a partial one those it holds. */
  long footprint;

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

  /**
   * Heap that the entry of a block takes, about, in bytes. Paths are counted for each block, though
   * blocks of a file that came by one message share theirs.
   *
   * @param pages of the block
   */
  static long heapOf(BlockId block, int pages) {
    return HEAP + block.file().path().length() + HEAP_OF_A_PAGE * pages;
  }

  /** Heap that it takes, about, in bytes. */
  long heap() {
    return heapOf(id, arrivals.pageCount());
  }

  /** Whether nobody fills it: it can be evicted once nobody reads it. */
  boolean rests() {
    return state == State.COMMITTED || state == State.PARTIAL;
  }
}
