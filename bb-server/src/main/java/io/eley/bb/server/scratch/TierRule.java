package io.eley.bb.server.scratch;

import java.util.ArrayList;
import java.util.List;

/**
 * Which tier an output goes to: RAM while scratch has not its share of it, the overflow behind
 * that. An output lies in one tier as a whole and stays there: to move one behind a service that
 * may be reading it would cost the disk's time twice.
 *
 * <p>Of 100 MiB of RAM with a share of 0.75 and an overflow of 200 MiB: outputs of 30 MiB go to
 * RAM, RAM, then six to the overflow, and the ninth nowhere; a tenth of 15 MiB finds the rest of
 * the RAM's share.
 *
 * @param ram what scratch may take of the RAM
 * @param overflowBytes size of the overflow; 0 when there is none
 */
public record TierRule(ScratchShare ram, long overflowBytes) {
  public TierRule {
    if (overflowBytes < 0) {
      throw new IllegalArgumentException("not the size of an overflow: " + overflowBytes);
    }
  }

  /** The tiers that may take so much more, the first by preference; none when both are full. */
  List<Tier> candidates(long ramUsed, long overflowUsed, long moreBytes) {
    var tiers = new ArrayList<Tier>();
    if (ram.allows(ramUsed, moreBytes)) {
      tiers.add(Tier.RAM);
    }
    if (overflowBytes > 0 && moreBytes <= overflowBytes - overflowUsed) {
      tiers.add(Tier.OVERFLOW);
    }
    return tiers;
  }
}
