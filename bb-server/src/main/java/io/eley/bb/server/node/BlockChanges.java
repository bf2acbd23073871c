package io.eley.bb.server.node;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.NodeMessage.BlocksChanged;
import io.eley.bb.api.wire.NodeMessage.FailedFetch;
import io.eley.bb.server.fetch.FetchListener;
import io.eley.bb.server.store.DropReason;
import io.eley.bb.server.store.StoreListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Changes of blocks that have not been reported yet, and how long reads of the origin took. Of
 * several changes to a block only the last is kept, so what waits is bounded by the blocks there
 * are. Nothing is kept while the node is not registered: a new registration reports the whole
 * inventory anyway.
 *
 * <p>Called by store and fetcher on any thread, event loops included; holds its lock for a few map
 * operations only.
 */
final class BlockChanges implements StoreListener, FetchListener {
  /** Well below {@link FrameHeader#MAX_BODY}, so that a permit never queues behind a megabyte. */
  private static final int BATCH_BYTES = 64 << 10;

  private static final Duration READS = ReadTimes.APART;

  private final Map<BlockId, Change> pending = new LinkedHashMap<>();
  private final ReadTimes reads = new ReadTimes();
  private final Semaphore signal = new Semaphore(0);
  private boolean kept;

  private enum Kind {
    ARRIVED,
    PART_ARRIVED,
    DROPPED,
    YIELDED,
    FAILED
  }

  private record Change(Kind kind, @Nullable ErrorCode code) {}

  /** Drops the changes that wait and keeps those that come from now on. */
  synchronized void keep() {
    pending.clear();
    kept = true;
  }

  /** Drops all changes until {@link #keep}. */
  synchronized void discard() {
    reads.discard();
    pending.clear();
    kept = false;
  }

  @Override
  public void committed(BlockId block) {
    add(block, new Change(Kind.ARRIVED, null));
  }

  @Override
  public void partArrived(BlockId block) {
    add(block, new Change(Kind.PART_ARRIVED, null));
  }

  @Override
  public void dropped(BlockId block, DropReason reason) {
    add(block, new Change(reason == DropReason.YIELDED ? Kind.YIELDED : Kind.DROPPED, null));
  }

  @Override
  public void alreadyThere(BlockId block) {
    add(block, new Change(Kind.ARRIVED, null));
  }

  @Override
  public void partAlreadyThere(BlockId block) {
    partArrived(block);
  }

  @Override
  public void failed(BlockId block, EleyException error) {
    add(block, new Change(Kind.FAILED, error.code()));
  }

  @Override
  public void chunkRead(long endedAt, long tookNanos, int bytes, double underWay) {
    reads.add(endedAt, tookNanos, bytes, underWay);
    wake();
  }

  /** How long reads took that are to be reported now. */
  List<ReadTime> takeReads() {
    return reads.take(System.nanoTime());
  }

  /** Reports the inventory as arrived, but for blocks of which something newer waits. */
  void addInventory(Collection<BlockId> blocks) {
    synchronized (this) {
      blocks.forEach(b -> pending.putIfAbsent(b, new Change(Kind.ARRIVED, null)));
    }
    wake();
  }

  private void add(BlockId block, Change change) {
    boolean first;
    synchronized (this) {
      if (!kept) {
        return;
      }
      first = pending.isEmpty();
      // Removed first, so that it goes to the end: the order of changes is kept.
      pending.remove(block);
      pending.put(block, change);
    }
    if (first) {
      wake();
    }
  }

  /** Ends the present call of {@link #await}, or the next one. */
  void wake() {
    signal.release();
  }

  /** Waits for something to report or {@link #wake}; several count as one. */
  void await(Duration atMost) throws InterruptedException {
    Duration most = reads.pending() && READS.compareTo(atMost) < 0 ? READS : atMost;
    if (signal.tryAcquire(most.toNanos(), TimeUnit.NANOSECONDS)) {
      signal.drainPermits();
    }
  }

  /** The next batch that fits a frame, or empty. */
  synchronized Optional<BlocksChanged> take(NodeId node) {
    if (pending.isEmpty()) {
      return Optional.empty();
    }
    var arrived = new ArrayList<BlockId>();
    var parts = new ArrayList<BlockId>();
    var dropped = new ArrayList<BlockId>();
    var yielded = new ArrayList<BlockId>();
    var failed = new ArrayList<FailedFetch>();
    int bytes = 0;
    var next = pending.entrySet().iterator();
    while (next.hasNext() && bytes < BATCH_BYTES) {
      var entry = next.next();
      BlockId block = entry.getKey();
      switch (entry.getValue().kind()) {
        case ARRIVED -> arrived.add(block);
        case PART_ARRIVED -> parts.add(block);
        case DROPPED -> dropped.add(block);
        case YIELDED -> {
          dropped.add(block);
          yielded.add(block);
        }
        case FAILED -> failed.add(new FailedFetch(block, codeOf(entry.getValue())));
      }
      bytes += 32 + 3 * block.file().path().length();
      next.remove();
    }
    return Optional.of(new BlocksChanged(node, arrived, parts, dropped, yielded, failed));
  }

  private static ErrorCode codeOf(Change change) {
    return change.code() == null ? ErrorCode.INTERNAL : change.code();
  }
}
