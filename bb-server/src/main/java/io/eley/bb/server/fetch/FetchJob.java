package io.eley.bb.server.fetch;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.GuardedFile;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.BlockWriter;
import io.eley.bb.server.store.StoredBlock;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fetch of one block, from the moment it is ordered or demanded until what is wanted of it is
 * there or it is given up. It goes from fetcher thread to fetcher thread between chunks.
 */
final class FetchJob {
  /** Runs of pages that are read at once, where the origin can. */
  private static final int RUNS_AT_ONCE = 8;

  final BlockId id;
  final WantedPages wanted;

  // Guarded by the queue's lock.
  ReadCause cause;
  long place;
  boolean running;
  boolean cancelled;

  /** Whether a fetcher thread has run it, so that there may be something to clean up. */
  boolean begun;

  // Owned by the thread that runs the job; the queue's lock hands it over.
  @Nullable GuardedFile file;

  /** When the file's version was looked at last, by the fetcher's clock in nanoseconds. */
  long lookedAt;

  // Guarded by this.
  private @Nullable BlockWriter writer;
  private boolean over;

  FetchJob(BlockId id, ReadCause cause, WantedPages wanted) {
    this.id = id;
    this.cause = cause;
    this.wanted = wanted;
  }

  /** Whether one call may open the file, read all of the block and close it. */
  boolean small() {
    return !begun && wanted.oneChunk();
  }

  /** Bytes of the next origin call; opening the file alone reads none. */
  int nextBytes() {
    return file == null && !small() ? 0 : wanted.nextBytes(there(), runsAtOnce());
  }

  private int runsAtOnce() {
    return file != null && file.readsAtOnce() ? RUNS_AT_ONCE : 1;
  }

  /** What to read now, several pieces where the origin reads them at once; empty when all is. */
  List<WantedPages.Piece> nextPieces(BitSet there) {
    return wanted.next(there, runsAtOnce());
  }

  /** Whether all that is wanted by now is there. */
  boolean satisfied() {
    return wanted.satisfied(there());
  }

  private synchronized BitSet there() {
    return writer == null ? new BitSet() : writer.written();
  }

  /**
   * The writer; the first call reserves the space. Does no I/O.
   *
   * @param why the space is wanted now, which says what leaves for it
   * @return empty when the job is over, or when the store has the block from another job
   * @throws EleyException {@code NO_SPACE} and what else {@link BlockStore#tryCreate} throws
   */
  synchronized Optional<BlockWriter> writer(BlockStore store, ReadCause why) throws EleyException {
    if (over) {
      return Optional.empty();
    }
    if (writer == null) {
      writer = store.tryCreate(id, why, wanted.ordered()).orElse(null);
    }
    return Optional.ofNullable(writer);
  }

  /** As {@link #writer}, and pins the block that arrives. */
  synchronized Optional<StoredBlock> pin(BlockStore store, ReadCause why) throws EleyException {
    return writer(store, why).map(BlockWriter::pin);
  }

  /** Whether the store has the whole block from another job; keeps it when it was ordered. */
  synchronized boolean foundWhole(BlockStore store) {
    return wanted.ordered() ? store.retain(id) : store.committed(id);
  }

  /** Notes that the order for it is taken back: nobody will free it, or is told that it is here. */
  synchronized void disown() {
    wanted.disown();
  }

  /** Commits the block when all of it is there, or leaves it as a part; the job is over. */
  synchronized void finish() throws EleyException {
    if (writer == null || over) {
      return;
    }
    over = true;
    if (writer.full()) {
      writer.commit();
    } else {
      writer.suspend(wanted.ordered());
    }
  }

  /**
   * Gives the job up unless it has a writer, on which somebody may wait already.
   *
   * @return whether it did; whoever shares the job finds it over then, and makes a new one
   */
  synchronized boolean giveUp() {
    if (writer != null) {
      return false;
    }
    over = true;
    return true;
  }

  /** Gives the block up; the job is over. */
  synchronized void abort(EleyException error) {
    over = true;
    if (writer != null) {
      writer.abort(error);
    }
  }
}
