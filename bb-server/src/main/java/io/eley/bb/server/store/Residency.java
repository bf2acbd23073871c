package io.eley.bb.server.store;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks are here, in which state, pinned how often, and what leaves so that others fit. Does
 * no I/O: files of those who leave are their callers' to unlink. Not safe for several threads:
 * {@link BlockStore} holds its lock around each call.
 */
final class Residency {
  private final CapacityLedger ledger;
  private final StoreEvents events;
  private final BlockIndex index;

  /**
   * Bytes by state, kept rather than counted: they are asked for with each permit, and readers wait
   * for the lock meanwhile.
   */
  private final Map<Entry.State, Long> bytes = new EnumMap<>(Entry.State.class);

  private int committed;
  private long evicted;

  /**
   * Nothing is here.
   *
   * @param mostHeap bytes that entries may take, as {@link Entry#heap} counts
   * @param events get what listeners are told; the caller delivers them, without the lock
   */
  Residency(CapacityLedger ledger, long mostHeap, StoreEvents events) {
    this.ledger = ledger;
    this.index = new BlockIndex(mostHeap);
    this.events = events;
  }

  @Nullable Entry get(BlockId block) {
    return index.get(block);
  }

  /** All entries, in no order; a copy. */
  List<Entry> all() {
    return new ArrayList<>(index.entries());
  }

  int committedCount() {
    return committed;
  }

  long evictedCount() {
    return evicted;
  }

  /** Bytes of the blocks in a state, as they are reserved. */
  long bytes(Entry.State state) {
    return bytes.getOrDefault(state, 0L);
  }

  /** Takes an entry in. */
  private void add(Entry entry) {
    index.add(entry);
    bytes.merge(entry.state, entry.footprint, Long::sum);
  }

  private void change(Entry entry, Entry.State state, long footprint) {
    bytes.merge(entry.state, -entry.footprint, Long::sum);
    entry.state = state;
    entry.footprint = footprint;
    bytes.merge(state, footprint, Long::sum);
  }

  /** Takes in a block that was found by {@link Recovery}. */
  void adopt(Entry entry) {
    add(entry);
    index.noteUnpinned(entry);
    committed++;
  }

  /**
   * Makes room for a new block and takes it in, with its writer's pin.
   *
   * @param cause for which it is read
   * @return the entries whose files the writer has to unlink
   * @throws EleyException {@code NO_SPACE}
   */
  List<Entry> begin(Entry entry, ReadCause cause) throws EleyException {
    List<Entry> leaving =
        reserve(new SpacePlan.Need(entry.id, entry.footprint, entry.heap(), cause));
    add(entry);
    entry.pins = 1;
    return leaving;
  }

  /**
   * The same for what a partial block lacks.
   *
   * @param footprint of all of it
   */
  List<Entry> goOn(Entry entry, long footprint, ReadCause cause) throws EleyException {
    pin(entry);
    try {
      List<Entry> leaving =
          reserve(new SpacePlan.Need(entry.id, footprint - entry.footprint, 0, cause));
      change(entry, Entry.State.ARRIVING, footprint);
      entry.owed = footprint;
      return leaving;
    } catch (EleyException e) {
      entry.pins--;
      if (entry.pins == 0) {
        index.noteUnpinned(entry);
      }
      throw e;
    }
  }

  private List<Entry> reserve(SpacePlan.Need need) throws EleyException {
    var plan = SpacePlan.make(need, index, ledger);
    plan.handOver(need.footprint(), ledger);
    plan.stale().forEach(e -> detach(e, DropReason.OTHER_VERSION));
    plan.evicted().forEach(e -> detach(e, DropReason.EVICTED));
    return plan.leaving();
  }

  /**
   * Makes room for bytes that are no block's.
   *
   * @return the entries that left for them
   * @throws EleyException {@code NO_SPACE}
   */
  List<Entry> yieldTo(long bytes) throws EleyException {
    SpacePlan plan = SpacePlan.make(bytes, index, ledger);
    plan.handOver(bytes, ledger);
    List<Entry> leaving = plan.leaving();
    leaving.forEach(entry -> detach(entry, DropReason.YIELDED));
    return leaving;
  }

  /** Takes out all blocks of other versions of that path. */
  List<Entry> dropOtherVersions(FileVersion current) {
    List<Entry> stale = index.otherVersions(current);
    stale.forEach(entry -> detach(entry, DropReason.OTHER_VERSION));
    return stale;
  }

  /** Notes that the writer of an arriving block has renamed its file. */
  void commit(Entry entry) {
    change(entry, Entry.State.COMMITTED, entry.footprint);
    committed++;
    events.enqueue(listener -> listener.committed(entry.id));
  }

  /**
   * Notes that the writer of an arriving block leaves a part.
   *
   * @param kept bytes that the part takes
   * @param ordered whether somebody is told that it is here
   */
  void suspend(Entry entry, long kept, boolean ordered) {
    change(entry, Entry.State.PARTIAL, kept);
    entry.owed = kept;
    if (ordered) {
      entry.reported = true;
      events.enqueue(listener -> listener.partArrived(entry.id));
    }
  }

  /** Notes that a plan wants the block; returns whether it is committed. */
  boolean retain(BlockId block) {
    Entry entry = index.get(block);
    if (entry == null) {
      return false;
    }
    setFreed(entry, false);
    return entry.state == Entry.State.COMMITTED;
  }

  /** Notes that a plan wants the block; returns whether all of these pages are there. */
  boolean retain(BlockId block, BitSet pages) {
    Entry entry = index.get(block);
    if (entry == null) {
      return false;
    }
    setFreed(entry, false);
    boolean there = entry.rests() && entry.arrivals.covers(pages);
    entry.reported |= there;
    return there;
  }

  /** Marks blocks as consumed. */
  void free(Collection<BlockId> blocks) {
    for (BlockId block : blocks) {
      Entry entry = index.get(block);
      if (entry != null) {
        setFreed(entry, true);
      }
    }
  }

  /** Notes that no plan wants a block that one has ordered before. */
  void forgetPlans() {
    index.entries().forEach(entry -> entry.planned = false);
  }

  private void setFreed(Entry entry, boolean freed) {
    entry.freed = freed;
    entry.planned = !freed;
    if (entry.pins == 0) {
      index.notePinned(entry);
      index.noteUnpinned(entry);
    }
  }

  void pin(Entry entry) {
    if (entry.pins++ == 0) {
      index.notePinned(entry);
    }
  }

  /**
   * Takes a pin off.
   *
   * @return whether it was the last one
   */
  boolean unpin(Entry entry) {
    entry.pins--;
    return entry.pins == 0;
  }

  /** Notes that a block nobody holds may be evicted, and was used just now. */
  void noteUnpinned(Entry entry) {
    index.noteUnpinned(entry);
  }

  /** Takes a block out and pins it for whoever unlinks it. */
  void detach(Entry entry, DropReason reason) {
    if (entry.state == Entry.State.COMMITTED || entry.reported) {
      events.enqueue(listener -> listener.dropped(entry.id, reason));
    }
    boolean madeRoom = reason == DropReason.EVICTED || reason == DropReason.YIELDED;
    evicted += entry.rests() && madeRoom ? 1 : 0;
    forget(entry);
    entry.pins++;
  }

  /** Takes a block out and tells nobody. */
  void forget(Entry entry) {
    committed -= entry.state == Entry.State.COMMITTED ? 1 : 0;
    bytes.merge(entry.state, -entry.footprint, Long::sum);
    entry.state = Entry.State.GONE;
    index.remove(entry);
  }
}
