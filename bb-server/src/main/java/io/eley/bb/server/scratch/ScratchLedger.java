package io.eley.bb.server.scratch;

import io.eley.bb.api.wire.NodeCounters;
import java.util.Optional;

/**
 * The room that outputs have on a node, in both tiers, and what was taken and refused. Bytes are
 * reserved before the first of them is written and given back after their file is deleted.
 *
 * <p>Safe for several threads. Reserving may delete input's files, outside of the lock.
 */
final class ScratchLedger {
  private final TierRule rule;
  private final ScratchRoom room;

  // Guarded by this.
  private long ramBytes;
  private long overflowBytes;
  private long taken;
  private long overflowed;
  private long refused;
  private long late;

  /**
   * @param room of the RAM, which input shares
   */
  ScratchLedger(TierRule rule, ScratchRoom room) {
    this.rule = rule;
    this.room = room;
  }

  /** Reserves all of these bytes in one tier; empty, and counted, when none has room. */
  Optional<Tier> reserve(long bytes) {
    for (Tier tier : candidates(bytes)) {
      if (reserve(tier, bytes)) {
        return Optional.of(tier);
      }
    }
    noteRefused();
    return Optional.empty();
  }

  private synchronized Iterable<Tier> candidates(long bytes) {
    return rule.candidates(ramBytes, overflowBytes, bytes);
  }

  private boolean reserve(Tier tier, long bytes) {
    synchronized (this) {
      // Once more: somebody else may have taken it.
      if (!rule.candidates(ramBytes, overflowBytes, bytes).contains(tier)) {
        return false;
      }
      add(tier, bytes);
    }
    // The share has room, and yet input may not yield: it is being read.
    if (tier == Tier.OVERFLOW || room.reserve(bytes)) {
      return true;
    }
    synchronized (this) {
      add(tier, -bytes);
    }
    return false;
  }

  /** Gives reserved bytes back, after their files are deleted. */
  void release(Tier tier, long bytes) {
    if (tier == Tier.RAM) {
      room.release(bytes);
    }
    synchronized (this) {
      add(tier, -bytes);
    }
  }

  private void add(Tier tier, long bytes) {
    if (tier == Tier.RAM) {
      ramBytes += bytes;
    } else {
      overflowBytes += bytes;
    }
  }

  synchronized void noteTaken(Tier tier) {
    taken++;
    overflowed += tier == Tier.OVERFLOW ? 1 : 0;
  }

  synchronized void noteRefused() {
    refused++;
  }

  /** Notes that a tier did not take what was reserved in it, since others have filled it. */
  void noteRefused(Tier tier, long bytes) {
    if (tier == Tier.RAM) {
      room.refuse(bytes); // else the next output, too, would be sent in vain
    }
    noteRefused();
  }

  synchronized void noteLate() {
    late++;
  }

  synchronized NodeCounters.Scratch counters() {
    return new NodeCounters.Scratch(
        ramBytes,
        taken,
        refused,
        late,
        new NodeCounters.Overflow(overflowBytes, rule.overflowBytes(), overflowed));
  }
}
