package io.eley.prefetch.plan;

import io.eley.api.BlockId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Shares one node's RAM among applications, max-min fairly, block by block: whoever has been given
 * least takes its next block, until all have what they want or the RAM is full.
 *
 * <p>With room for 10 blocks and wishes of 2, 8 and 8 blocks the applications get 2, 4 and 4: the
 * modest one all it wants, the others equal parts of the rest. With blocks of one size two hungry
 * applications differ by at most one block. A block that several want is counted once, for the one
 * that took it first.
 *
 * <p>Blocks that are in RAM already are given first. Taking them away for an application that has
 * just come would make the origin send the same bytes twice; the newcomer is next in line for
 * whatever is freed instead, since it has been given least.
 */
final class WaterFilling {
  private final long capacityBytes;
  private final ToIntFunction<BlockId> size;
  private final Set<BlockId> given = new LinkedHashSet<>();
  private long usedBytes;

  private WaterFilling(long capacityBytes, ToIntFunction<BlockId> size) {
    this.capacityBytes = capacityBytes;
    this.size = size;
  }

  /**
   * The blocks that belong into the RAM.
   *
   * @param wishes of each application, the most urgent first
   * @param present what is in RAM already
   * @return in the order in which they should be fetched; together at most {@code capacityBytes}
   */
  static Set<BlockId> fill(
      long capacityBytes,
      List<List<BlockId>> wishes,
      Set<BlockId> present,
      ToIntFunction<BlockId> size) {
    var filling = new WaterFilling(capacityBytes, size);
    long[] charged = new long[wishes.size()];
    filling.pour(
        wishes.stream().map(w -> w.stream().filter(present::contains).toList()).toList(), charged);
    filling.pour(wishes, charged);
    return filling.given;
  }

  private void pour(List<List<BlockId>> wishes, long[] charged) {
    var left = new ArrayList<Iterator<BlockId>>();
    wishes.forEach(w -> left.add(w.iterator()));
    for (int next = poorest(left, charged); next >= 0; next = poorest(left, charged)) {
      if (!take(left.get(next), next, charged)) {
        // In order or not at all: a later, smaller block must not take an urgent one's room.
        left.set(next, List.<BlockId>of().iterator());
      }
    }
  }

  private static int poorest(List<Iterator<BlockId>> left, long[] charged) {
    int poorest = -1;
    for (int i = 0; i < charged.length; i++) {
      if (left.get(i).hasNext() && (poorest < 0 || charged[i] < charged[poorest])) {
        poorest = i;
      }
    }
    return poorest;
  }

  private boolean take(Iterator<BlockId> wishes, int application, long[] charged) {
    BlockId block = wishes.next();
    if (given.contains(block)) {
      return true;
    }
    int bytes = size.applyAsInt(block);
    if (bytes > capacityBytes - usedBytes) {
      return false;
    }
    given.add(block);
    usedBytes += bytes;
    charged[application] += bytes;
    return true;
  }
}
