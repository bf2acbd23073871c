package io.eley.bb.server.store;

import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the file system takes, against what the {@link CapacityLedger} allows. Others may fill a
 * RAM-disk, too; then the budget shrinks to what is there, so that nothing is read from the origin
 * that could not be written, and grows again when there is room.
 *
 * <p>Safe for several threads; each question is one call to the file system, without any lock held.
 */
final class Room {
  private static final Logger LOG = LoggerFactory.getLogger(Room.class);

  private final String place;
  private final LongSupplier usableBytes;
  private final CapacityLedger ledger;

  /**
   * Asks nothing yet.
   *
   * @param place of the blocks, for the log
   * @param usableBytes what the file system takes now
   */
  Room(String place, LongSupplier usableBytes, CapacityLedger ledger) {
    this.place = place;
    this.usableBytes = usableBytes;
    this.ledger = ledger;
  }

  /**
   * Whether the file system takes this many bytes more, asked before they are read from the origin.
   * When not, the budget shrinks to what is there already.
   *
   * @param entry the block that they are of
   */
  boolean hasRoom(Entry entry, long bytes) {
    if (usableBytes.getAsLong() >= bytes) {
      return true;
    }
    squeeze(entry);
    return false;
  }

  /** Shrinks the budget to what is there without this block. */
  void squeeze(Entry entry) {
    squeeze(entry.footprint);
  }

  /** Shrinks the budget to what is there without so many bytes that are reserved. */
  void squeeze(long reservedBytes) {
    boolean before = ledger.squeezed();
    ledger.shrinkTo(ledger.used() - reservedBytes);
    if (!before && ledger.squeezed()) {
      LOG.warn(
          "others fill the RAM-disk {}: {} of {} bytes may be used until there is room again",
          place,
          ledger.limit(),
          ledger.capacity());
    }
  }

  /**
   * Lets the budget grow again when there is room for a block at least.
   *
   * @param unwritten bytes that are reserved and will be taken from the file system soon; asked
   *     only while the budget is smaller than the capacity
   */
  void check(LongSupplier unwritten, long blockBytes) {
    if (!ledger.squeezed()) {
      return;
    }
    long room = usableBytes.getAsLong() - unwritten.getAsLong();
    if (room < blockBytes) {
      return;
    }
    // At most the capacity first: a file system that does not say has all room there is.
    ledger.growTo(ledger.used() + Math.min(room, ledger.capacity()));
    if (!ledger.squeezed()) {
      LOG.info("the RAM-disk has room again: {} bytes may be used", ledger.limit());
    }
  }
}
