package io.eley.bb.server.store;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Which blocks are evicted so that a new one fits, decided before anything is changed.
 *
 * <p>A block of 16 MiB takes milliseconds to unlink, and a block may be made on an event loop. So
 * the space of evicted blocks is handed over at once, in the ledger only, and their files are
 * unlinked before the first byte of the new block is written: the RAM-disk never holds more than
 * the ledger says. What they give beyond the need is given back after they are unlinked.
 *
 * <p>For use under the store's lock. The budget is not under it: it may shrink between the plan and
 * the hand-over, which then changes nothing.
 *
 * @param stale older versions of the new block's file, whatever their state
 * @param evicted further blocks whose space is needed
 * @param handedOver bytes that pass from those who leave to the new block
 */
record SpacePlan(List<Entry> stale, List<Entry> evicted, long handedOver) {
  /**
   * What a block wants.
   *
   * @param footprint bytes of RAM-disk
   * @param heap bytes of heap; 0 when its entry is there
   * @param cause of reading it: for a prefetch nothing leaves that is planned, too
   */
  record Need(BlockId block, long footprint, long heap, ReadCause cause) {}

  /**
   * Makes a plan.
   *
   * @throws EleyException {@code NO_SPACE} when all that may leave is not enough
   */
  static SpacePlan make(Need need, BlockIndex index, CapacityLedger ledger) throws EleyException {
    List<Entry> stale =
        index.otherVersions(need.block.file()).stream()
            .filter(e -> !need.block.file().olderThan(e.id.file()))
            .toList();
    return make(
        "block " + need.block,
        new Wanted(need.footprint, need.heap),
        stale,
        need.cause == ReadCause.PREFETCH,
        new Account(index, ledger));
  }

  /**
   * Makes a plan for bytes that are no block's.
   *
   * @throws EleyException {@code NO_SPACE} when all that may leave is not enough
   */
  static SpacePlan make(long bytes, BlockIndex index, CapacityLedger ledger) throws EleyException {
    var account = new Account(index, ledger);
    return make("intermediate data", new Wanted(bytes, 0), List.of(), false, account);
  }

  private record Wanted(long bytes, long heap) {}

  private record Account(BlockIndex index, CapacityLedger ledger) {}

  private static SpacePlan make(
      String what, Wanted wanted, List<Entry> stale, boolean sparing, Account account)
      throws EleyException {
    CapacityLedger ledger = account.ledger;
    long needed = Math.max(0, wanted.bytes - ledger.free());
    long missing = needed - givenBy(stale);
    long missingHeap = account.index.heapMissing(wanted.heap) - heapOf(stale);
    List<Entry> evicted =
        account.index.victims(missing, missingHeap, new LinkedHashSet<>(stale), sparing);
    if (heapOf(evicted) < missingHeap) {
      throw new EleyException(
          ErrorCode.NO_SPACE,
          "no heap for "
              + what
              + ": this node knows as many blocks as its heap has room for (eley.node.heap)");
    }
    if (givenBy(evicted) < missing) {
      throw new EleyException(
          ErrorCode.NO_SPACE,
          "no room for "
              + what
              + ": "
              + ledger.used()
              + " of "
              + ledger.capacity()
              + " bytes are used and what could be evicted is not enough");
    }
    return new SpacePlan(stale, evicted, needed);
  }

  /**
   * Moves the space in the ledger: afterwards the new block's footprint is reserved.
   *
   * @throws EleyException {@code NO_SPACE}, and nothing is changed, when others have filled the
   *     RAM-disk since the plan was made
   */
  void handOver(long footprint, CapacityLedger ledger) throws EleyException {
    // First: those who leave owe what they have until it is certain that they do.
    if (!ledger.reserve(footprint - handedOver)) {
      throw new EleyException(
          ErrorCode.NO_SPACE,
          "others fill the RAM-disk: "
              + ledger.limit()
              + " bytes may be used, and "
              + ledger.used()
              + " are");
    }
    long left = handedOver;
    for (Entry entry : leaving()) {
      if (entry.pins == 0) {
        long taken = Math.min(left, entry.owed);
        entry.owed -= taken;
        left -= taken;
      }
    }
    if (left != 0) {
      throw new IllegalStateException("space was planned that is not there");
    }
  }

  List<Entry> leaving() {
    var all = new ArrayList<Entry>(stale);
    all.addAll(evicted);
    return all;
  }

  /** Whoever holds an entry that has left is done with it soon. */
  private static long heapOf(List<Entry> entries) {
    return entries.stream().mapToLong(Entry::heap).sum();
  }

  private static long givenBy(List<Entry> entries) {
    return entries.stream().filter(e -> e.pins == 0).mapToLong(e -> e.footprint).sum();
  }
}
