package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockId;
import java.util.Arrays;
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
 * <p>An application keeps as many bytes as it has in RAM already, though for its most urgent
 * blocks. Taking them away for one that has just come would make the origin send the same bytes
 * twice; the newcomer is next in line for whatever is freed instead, since it has been given least.
 * With room for 8 blocks of which one application has 6, a newcomer gets 2 at once and 4 as soon as
 * the first has consumed 2.
 */
final class WaterFilling {
  private final long capacityBytes;
  private final List<List<BlockId>> wishes;
  private final ToIntFunction<BlockId> size;
  private final Set<BlockId> given = new LinkedHashSet<>();
  private final int[] next;
  private final long[] charged;
  private long usedBytes;

  private WaterFilling(
      long capacityBytes, List<List<BlockId>> wishes, ToIntFunction<BlockId> size) {
    this.capacityBytes = capacityBytes;
    this.wishes = wishes;
    this.size = size;
    this.next = new int[wishes.size()];
    this.charged = new long[wishes.size()];
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
    var had = wishes.stream().map(w -> w.stream().filter(present::contains).toList()).toList();
    var before = new WaterFilling(capacityBytes, had, size);
    before.pour(unlimited(wishes.size()));
    var filling = new WaterFilling(capacityBytes, wishes, size);
    filling.pour(before.charged);
    filling.pour(unlimited(wishes.size()));
    return filling.given;
  }

  private static long[] unlimited(int applications) {
    long[] limits = new long[applications];
    Arrays.fill(limits, Long.MAX_VALUE);
    return limits;
  }

  /**
   * Goes on until nobody can be given anything more.
   *
   * @param limits what each application may be charged at most
   */
  private void pour(long[] limits) {
    boolean[] done = new boolean[next.length];
    for (int i = poorest(done); i >= 0; i = poorest(done)) {
      // In order or not at all: a later, smaller block must not take an urgent one's room.
      done[i] = !take(i, limits[i]);
    }
  }

  private int poorest(boolean[] done) {
    int poorest = -1;
    for (int i = 0; i < next.length; i++) {
      boolean hungry = !done[i] && next[i] < wishes.get(i).size();
      if (hungry && (poorest < 0 || charged[i] < charged[poorest])) {
        poorest = i;
      }
    }
    return poorest;
  }

  private boolean take(int application, long limit) {
    BlockId block = wishes.get(application).get(next[application]);
    if (!given.contains(block)) {
      int bytes = size.applyAsInt(block);
      if (bytes > capacityBytes - usedBytes || bytes > limit - charged[application]) {
        return false;
      }
      given.add(block);
      usedBytes += bytes;
      charged[application] += bytes;
    }
    next[application]++;
    return true;
  }
}
