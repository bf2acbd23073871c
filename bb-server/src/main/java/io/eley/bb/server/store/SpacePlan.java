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
   * Makes a plan.
   *
   * @param cause of reading the block: for a prefetch nothing leaves that is planned, too
   * @throws EleyException {@code NO_SPACE} when all that may leave is not enough
   */
  static SpacePlan make(
      BlockId id, long footprint, ReadCause cause, BlockIndex index, CapacityLedger ledger)
      throws EleyException {
    List<Entry> stale =
        index.otherVersions(id.file()).stream()
            .filter(e -> !id.file().olderThan(e.id.file()))
            .toList();
    var account = new Account(index, ledger);
    return make("block " + id, footprint, stale, cause == ReadCause.PREFETCH, account);
  }

  /**
   * Makes a plan for bytes that are no block's.
   *
   * @throws EleyException {@code NO_SPACE} when all that may leave is not enough
   */
  static SpacePlan make(long bytes, BlockIndex index, CapacityLedger ledger) throws EleyException {
    return make("intermediate data", bytes, List.of(), false, new Account(index, ledger));
  }

  private record Account(BlockIndex index, CapacityLedger ledger) {}

  private static SpacePlan make(
      String what, long footprint, List<Entry> stale, boolean sparing, Account account)
      throws EleyException {
    CapacityLedger ledger = account.ledger;
    long needed = Math.max(0, footprint - ledger.free());
    long missing = needed - givenBy(stale);
    List<Entry> evicted =
        missing > 0
            ? account.index.victims(missing, new LinkedHashSet<>(stale), sparing)
            : List.of();
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

  private static long givenBy(List<Entry> entries) {
    return entries.stream().filter(e -> e.pins == 0).mapToLong(e -> e.footprint).sum();
  }
}
