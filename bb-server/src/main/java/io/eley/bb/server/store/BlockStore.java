package io.eley.bb.server.store;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks that a node holds on its RAM-disk.
 *
 * <h2>The problem</h2>
 *
 * Event loops look up blocks for readers, thousands of times a second, while fetchers write new
 * ones into space that other blocks must leave first, and while readers still send from some of
 * those. RAM is bounded: what lies on the RAM-disk must never exceed the capacity, not even for a
 * moment, because Spark's executors live on the same machine. And a file that is unlinked frees its
 * RAM only when the last descriptor of it is closed.
 *
 * <h2>States of a block</h2>
 *
 * <pre>
 *            ┌──create── PARTIAL ──evicted, other version, damaged, close────────┐
 *            ▼               ▲                                                   ▼
 *  create ──► ARRIVING ──────┴suspend                                           GONE
 *                 │──────────commit──► COMMITTED ──evicted, …, damaged──────────►│
 *                 └──────────abort, other version, close────────────────────────►┘
 * </pre>
 *
 * All but GONE ones are in the index. A block that is ARRIVING has a file in {@code tmp/}, once its
 * first page is there, and is read as it arrives. A PARTIAL one holds what somebody wanted of it,
 * in a sparse file in {@code tmp/}, and only that takes space. COMMITTED ones have a file in {@code
 * blocks/} that ends in a {@link BlockFooter}. GONE ones are in no index, but live on for those who
 * hold them.
 *
 * <h2>Pins</h2>
 *
 * Each reader holds a pin, so does the writer, and so does whoever has taken a block out of the
 * index until its file is unlinked. A pinned block is never evicted; one that is dropped for
 * another reason stays readable. Whoever takes the last pin off a GONE block closes its channel and
 * then gives its space back to the {@link CapacityLedger}: unlink, close, release, in that order,
 * is what keeps the bound true.
 *
 * <h2>Locks</h2>
 *
 * One lock guards the index, the eviction queues, pins and states. It is held for memory operations
 * only, never during I/O, a callback or the completion of a future. Each {@link BlockFile} has a
 * monitor, held for calls on that one file, and each {@link Arrivals} one for its bitmap; the three
 * are never held together. {@link #tryCreate} does no I/O at all: see {@link SpacePlan}. The one
 * thing here that takes milliseconds is the first {@link #acquire} of a block after a restart,
 * which verifies it, under that block's own monitor.
 *
 * <h2>What may be lost</h2>
 *
 * When the process dies, blocks that are arriving or partial; their files are deleted on the next
 * start. When the machine dies, everything: it is a cache, and the origin has it all.
 *
 * <p>Safe for several threads.
 */
public final class BlockStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlockStore.class);

  /** A RAM-disk allocates whole pages. */
  private static final int PAGE = 4096;

  private final StoreDirectory directory;
  private final BlockGeometry geometry;
  private final CapacityLedger ledger;
  private final Room room;
  private final StoreEvents events;
  private final FileOpener opener;

  private final Object lock = new Object();
  // Guarded by the lock.
  private final Residency blocks;
  private int damaged;
  private boolean closed;

  private BlockStore(
      StoreDirectory directory,
      BlockGeometry geometry,
      CapacityLedger ledger,
      long mostHeap,
      FileOpener opener,
      StoreListener listener) {
    this.opener = opener;
    this.directory = directory;
    this.geometry = geometry;
    this.ledger = ledger;
    this.room = new Room(directory.root().toString(), directory::usableBytes, ledger);
    this.events = new StoreEvents(listener);
    this.blocks = new Residency(ledger, mostHeap, events);
  }

  /**
   * Opens a store and rebuilds its inventory from the files. Reads the footer of each, some 40 µs a
   * block.
   *
   * <p>Holds no more blocks than half of this JVM's heap has room for.
   *
   * @throws EleyException {@code UNAVAILABLE} when another process uses the directory, {@code
   *     NO_SPACE} when the file system has no room for the capacity, {@code ACCESS_DENIED} when it
   *     cannot be used; each in one line for the user
   */
  public static BlockStore open(StoreOptions options, StoreListener listener) throws EleyException {
    var directory = StoreDirectory.open(options.directory());
    try {
      return open(directory, options.geometry(), options.capacityBytes(), listener);
    } catch (EleyException | RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  /**
   * Opens a store in a directory that is locked already.
   *
   * @param directory belongs to the store from now on and is closed by it, unless this fails
   * @see #open(StoreOptions, StoreListener)
   */
  public static BlockStore open(
      StoreDirectory directory, BlockGeometry geometry, long capacityBytes, StoreListener listener)
      throws EleyException {
    var budget = Budget.inThisJvm(capacityBytes);
    return open(directory, geometry, budget, new FileOpener(), listener);
  }

  /** The same with a budget of somebody's choice, and another way to open files. */
  static BlockStore open(
      StoreDirectory directory,
      BlockGeometry geometry,
      Budget budget,
      FileOpener opener,
      StoreListener listener)
      throws EleyException {
    var ledger = new CapacityLedger(budget.bytes());
    var store = new BlockStore(directory, geometry, ledger, budget.heap(), opener, listener);
    try {
      new Recovery(directory, geometry, ledger, budget.heap()).run().forEach(store::adopt);
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED,
          "cannot use the RAM-disk directory " + directory.root() + ": " + StoreDirectory.words(e),
          e);
    }
    directory.requireRoom(budget.bytes());
    return store;
  }

  /** The node's name, kept in the directory. */
  public NodeId nodeId() {
    return directory.nodeId();
  }

  public BlockGeometry geometry() {
    return geometry;
  }

  /**
   * Pins a block, committed or arriving. The first time after a restart it reads the whole block to
   * verify it, which takes milliseconds; a damaged one is dropped and reported.
   *
   * @throws EleyException {@code UNAVAILABLE} when it has to be verified and cannot be opened now,
   *     for example for want of descriptors; it stays
   */
  public Optional<StoredBlock> acquire(BlockId block) throws EleyException {
    Entry entry;
    synchronized (lock) {
      entry = blocks.get(block);
      if (entry == null || closed) {
        return Optional.empty();
      }
      blocks.pin(entry);
    }
    try {
      entry.file.verifyOnce(entry.arrivals);
      return Optional.of(new StoredBlock(this, entry));
    } catch (FileOpener.NotOpenedException e) {
      unpin(entry);
      throw notOpened(block, e);
    } catch (IOException e) {
      dropDamaged(entry, e);
      unpin(entry);
      return Optional.empty();
    }
  }

  /**
   * Looks at a block again that a reader has found damaged; when it is, it is dropped and reported,
   * and the next reader has it fetched anew. Reads the whole block, as the first {@link #acquire}
   * after a restart does.
   */
  public void verifyAgain(BlockId block) {
    Entry entry;
    synchronized (lock) {
      entry = blocks.get(block);
      if (entry == null || !entry.rests()) {
        return;
      }
    }
    entry.file.suspect();
    try {
      acquire(block).ifPresent(StoredBlock::close);
    } catch (EleyException e) {
      LOG.debug("to be verified later: {}", e.getMessage());
    }
  }

  static EleyException notOpened(BlockId block, IOException why) {
    return new EleyException(
        ErrorCode.UNAVAILABLE, "cannot open block " + block + " now: " + why.getMessage(), why);
  }

  /** Damaged blocks that were found since the store was opened. */
  public int damagedBlocks() {
    synchronized (lock) {
      return damaged;
    }
  }

  /**
   * As {@link #tryCreate}.
   *
   * @throws EleyException also {@code UNAVAILABLE} when the block is there or arriving
   */
  public BlockWriter create(BlockId block) throws EleyException {
    return tryCreate(block)
        .orElseThrow(
            () ->
                new EleyException(
                    ErrorCode.UNAVAILABLE, "block " + block + " is there or arriving"));
  }

  /** As {@link #tryCreate(BlockId, ReadCause, boolean)} for a task, without a plan. */
  public Optional<BlockWriter> tryCreate(BlockId block) throws EleyException {
    return tryCreate(block, ReadCause.DEMAND, false);
  }

  /**
   * Reserves space for a block and lets it be acquired; nothing of it has arrived, or the part that
   * a former writer has left. Blocks of older versions of the same file are dropped. Does no I/O.
   *
   * @param cause for which it is read: a {@code PREFETCH} evicts nothing that is planned, since the
   *     plan would order that again and have the origin send both in turns
   * @param planned whether a plan has ordered it: until it is freed no prefetch evicts it
   * @return the one writer, or empty when the block is there or arriving
   * @throws EleyException {@code NO_SPACE} when nothing more can be evicted; {@code MALFORMED} when
   *     the file has no such block; {@code UNAVAILABLE} when the store is closed
   */
  public Optional<BlockWriter> tryCreate(BlockId block, ReadCause cause, boolean planned)
      throws EleyException {
    Entry entry = newEntry(block);
    List<Entry> leaving;
    synchronized (lock) {
      if (closed) {
        throw closing();
      }
      Entry known = blocks.get(block);
      if (known != null && known.state != Entry.State.PARTIAL) {
        return Optional.empty();
      }
      if (known == null) {
        leaving = blocks.begin(entry, cause);
      } else {
        leaving = blocks.goOn(known, entry.footprint, cause);
        entry = known;
      }
      entry.planned |= planned;
    }
    leaving.forEach(BlockStore::failStale);
    events.deliver();
    return Optional.of(new BlockWriter(this, entry, leaving));
  }

  /**
   * Reserves room for intermediate data, for which blocks leave as for another block; deletes their
   * files.
   *
   * @return whether it did: false when what may leave is not enough
   */
  public boolean reserveScratch(long bytes) {
    List<Entry> leaving;
    synchronized (lock) {
      if (closed) {
        return false;
      }
      try {
        leaving = blocks.yieldTo(bytes);
      } catch (EleyException e) {
        return false;
      }
    }
    // Before the first byte is written: the RAM-disk never holds more than the ledger says.
    leaving.forEach(this::unlinkAndUnpin);
    events.deliver();
    return true;
  }

  /** Gives back what was reserved for intermediate data, once it is deleted. */
  public void releaseScratch(long bytes) {
    ledger.release(bytes);
  }

  /**
   * Notes that the RAM-disk did not take what was reserved for intermediate data: others fill it.
   * Less may be used until there is room again.
   */
  public void refuseScratch(long bytes) {
    room.squeeze(bytes);
  }

  /** Whether the block is committed. */
  public boolean committed(BlockId block) {
    synchronized (lock) {
      Entry entry = blocks.get(block);
      return entry != null && entry.state == Entry.State.COMMITTED;
    }
  }

  /**
   * Notes that a plan wants a block that is committed or arriving: it is not consumed, and no
   * prefetch evicts it; returns whether it is committed.
   */
  public boolean retain(BlockId block) {
    synchronized (lock) {
      return blocks.retain(block);
    }
  }

  /**
   * As {@link #retain} for a part; returns whether all of it is there, and reports it when it is
   * dropped then.
   *
   * @param pages of the block
   */
  public boolean retain(BlockId block, BitSet pages) {
    synchronized (lock) {
      return blocks.retain(block, pages);
    }
  }

  /**
   * Marks blocks as consumed and as planned no more: they are the first to evict, those freed first
   * before the others.
   */
  public void free(Collection<BlockId> consumed) {
    synchronized (lock) {
      blocks.free(consumed);
    }
  }

  /** Notes that nobody will free what is planned: each block may leave for any other. */
  public void forgetPlans() {
    synchronized (lock) {
      blocks.forgetPlans();
    }
  }

  /** Drops all blocks of other versions of that path, older or newer, pinned or arriving. */
  public void dropOtherVersions(FileVersion current) {
    List<Entry> stale;
    synchronized (lock) {
      stale = blocks.dropOtherVersions(current);
    }
    stale.forEach(BlockStore::failStale);
    stale.forEach(this::unlinkAndUnpin);
    events.deliver();
  }

  /** The committed blocks, in no order. */
  public List<BlockId> inventory() {
    synchronized (lock) {
      return blocks.all().stream()
          .filter(entry -> entry.state == Entry.State.COMMITTED)
          .map(entry -> entry.id)
          .toList();
    }
  }

  /** Number of committed blocks. */
  public int blockCount() {
    synchronized (lock) {
      return blocks.committedCount();
    }
  }

  public long capacityBytes() {
    return ledger.capacity();
  }

  /** Bytes that may be used now: the capacity, or less while others fill the RAM-disk. */
  public long limitBytes() {
    return ledger.limit();
  }

  /** Whether others fill the RAM-disk, so that less than the capacity may be used. */
  public boolean squeezed() {
    return ledger.squeezed();
  }

  /**
   * Looks whether there is room again after others had filled the RAM-disk. One call to the file
   * system when there was not, and none otherwise; call it now and then.
   *
   * @param scratchBytes what is reserved for intermediate data and not written yet, at most; as it
   *     was before this call
   */
  public void checkRoom(long scratchBytes) {
    room.check(() -> scratchBytes + unwritten(), geometry.blockSize());
  }

  /** Bytes that are reserved and will be taken from the file system soon, at most. */
  private long unwritten() {
    synchronized (lock) {
      return blocks.bytes(Entry.State.ARRIVING);
    }
  }

  /** What the file system takes. */
  Room room() {
    return room;
  }

  /** Bytes of all block files and reservations, footers and page rounding included. */
  public long usedBytes() {
    return ledger.used();
  }

  /** Bytes of blocks that hold a part and have no writer; among {@link #usedBytes}. */
  public long partialBytes() {
    synchronized (lock) {
      return blocks.bytes(Entry.State.PARTIAL);
    }
  }

  /** Blocks that were evicted since the store was opened. */
  public long evictedBlocks() {
    synchronized (lock) {
      return blocks.evictedCount();
    }
  }

  /**
   * Bytes of RAM that a block takes: its own, its footer's, rounded up to pages. For sizing.
   *
   * @throws IllegalArgumentException when the file has no such block
   */
  public long footprintBytes(BlockId block) {
    return geometry.footprint(BlockPart.whole(block));
  }

  /**
   * Releases the directory; committed blocks stay in it. Blocks that are arriving fail with {@code
   * UNAVAILABLE}. Pins that are held stay readable until they are closed.
   */
  @Override
  public void close() {
    List<Entry> all;
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      all = blocks.all();
      all.forEach(blocks::pin);
      all.stream().filter(e -> e.state != Entry.State.COMMITTED).forEach(blocks::forget);
    }
    for (Entry entry : all) {
      if (entry.state == Entry.State.GONE) {
        entry.arrivals.fail(closing());
        unlink(entry);
      }
      unpin(entry);
    }
    directory.close();
  }

  static long footprint(long fileBytes) {
    return (fileBytes + PAGE - 1) / PAGE * PAGE;
  }

  static void logUnclosed(Entry entry, IOException e) {
    LOG.warn("cannot close the file of block {}: {}", entry.id, StoreDirectory.words(e));
  }

  /** Adds a pin to a block that has one already. */
  StoredBlock pin(Entry entry) {
    synchronized (lock) {
      blocks.pin(entry);
    }
    return new StoredBlock(this, entry);
  }

  void unpin(Entry entry) {
    synchronized (lock) {
      if (!blocks.unpin(entry)) {
        return;
      }
      if (entry.rests() && !closed) {
        blocks.noteUnpinned(entry);
        return;
      }
    }
    try {
      entry.file.retire();
    } catch (IOException e) {
      logUnclosed(entry, e);
    }
    if (entry.state == Entry.State.GONE) {
      ledger.release(entry.owed);
    }
  }

  Path committedPath(Entry entry) {
    return directory.committed(entry.file.path());
  }

  /** Notes that the writer has renamed the file. */
  void noteCommitted(Entry entry) throws EleyException {
    synchronized (lock) {
      if (entry.state != Entry.State.ARRIVING) {
        throw staleVersion(entry);
      }
      blocks.commit(entry);
    }
    events.deliver();
  }

  /** Notes that the writer leaves a part: what is missing takes no space any more. */
  void noteSuspended(Entry entry, boolean ordered) throws EleyException {
    long unused;
    synchronized (lock) {
      if (entry.state != Entry.State.ARRIVING) {
        throw staleVersion(entry);
      }
      long kept = footprint(entry.arrivals.bytes());
      unused = entry.footprint - kept;
      blocks.suspend(entry, kept, ordered);
    }
    ledger.release(unused);
    events.deliver();
  }

  /** Drops a block whose writer has given up. */
  void abandon(Entry entry, EleyException error) {
    synchronized (lock) {
      if (entry.state == Entry.State.ARRIVING) {
        blocks.forget(entry);
      }
    }
    entry.arrivals.fail(error);
    unlink(entry);
  }

  /** Ends what {@link Residency#detach} began. */
  void unlinkAndUnpin(Entry entry) {
    unlink(entry);
    unpin(entry);
  }

  private Entry newEntry(BlockId block) throws EleyException {
    try {
      var arrivals = new Arrivals(geometry, geometry.length(block));
      var file = new BlockFile(directory.nextTemporary(), opener, true);
      return new Entry(block, footprintBytes(block), arrivals, file, Entry.State.ARRIVING);
    } catch (IllegalArgumentException e) {
      throw new EleyException(ErrorCode.MALFORMED, e.getMessage() + "", e);
    }
  }

  private void adopt(Recovery.Found found) {
    var file = new BlockFile(found.file(), opener, false);
    var arrivals = Arrivals.complete(found.footer());
    var entry = new Entry(found.id(), found.footprint(), arrivals, file, Entry.State.COMMITTED);
    synchronized (lock) {
      blocks.adopt(entry);
    }
  }

  private void dropDamaged(Entry entry, IOException damage) {
    synchronized (lock) {
      if (!entry.rests()) {
        return;
      }
      blocks.detach(entry, DropReason.DAMAGED);
      damaged++;
    }
    LOG.warn("dropped the damaged block {}: {}", entry.id, StoreDirectory.words(damage));
    unlinkAndUnpin(entry);
    events.deliver();
  }

  /** Fails the writer and those who wait for its chunks; nobody waits for a complete block. */
  private static void failStale(Entry entry) {
    entry.arrivals.fail(staleVersion(entry));
  }

  private static void unlink(Entry entry) {
    try {
      entry.file.unlink();
    } catch (IOException e) {
      LOG.warn("cannot delete the file of block {}: {}", entry.id, StoreDirectory.words(e));
    }
  }

  private static EleyException staleVersion(Entry entry) {
    return new EleyException(
        ErrorCode.STALE_VERSION, "there is a newer version of the file of block " + entry.id);
  }

  private static EleyException closing() {
    return new EleyException(ErrorCode.UNAVAILABLE, "the node is stopping");
  }
}
