package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.PageSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Shares one node's RAM among applications, max-min fairly, block by block: whoever has been given
 * least takes its next block, until all have what they want or the RAM is full.
 *
 * <p>With room for 10 blocks and wishes of 2, 8 and 8 blocks the applications get 2, 4 and 4: the
 * modest one all it wants, the others equal parts of the rest. With blocks of one size two hungry
 * applications differ by at most one block. A part of a block takes the room of its pages. A page
 * that several want is counted once, for the one that took it first.
 *
 * <p>An application keeps as many bytes as it has in RAM already, though for its most urgent
 * blocks. Taking them away for one that has just come would make the origin send the same bytes
 * twice; the newcomer is next in line for whatever is freed instead, since it has been given least.
 * With room for 8 blocks of which one application has 6, a newcomer gets 2 at once and 4 as soon as
 * the first has consumed 2.
 */
final class WaterFilling {
  private final long capacityBytes;
  private final List<List<BlockPart>> wishes;
  private final ToIntFunction<BlockPart> size;
  private final Map<BlockId, PageSet> given = new LinkedHashMap<>();
  private final int[] next;
  private final long[] charged;
  private long usedBytes;

  private WaterFilling(
      long capacityBytes, List<List<BlockPart>> wishes, ToIntFunction<BlockPart> size) {
    this.capacityBytes = capacityBytes;
    this.wishes = wishes;
    this.size = size;
    this.next = new int[wishes.size()];
    this.charged = new long[wishes.size()];
  }

  /**
   * What belongs into the RAM.
   *
   * @param wishes of each application, the most urgent first, each block once and with all of it
   *     that is present
   * @param present what is in RAM already
   * @param size bytes of a part of a block
   * @return in the order in which it should be fetched; together at most {@code capacityBytes}
   */
  static Map<BlockId, PageSet> fill(
      long capacityBytes,
      List<List<BlockPart>> wishes,
      Map<BlockId, PageSet> present,
      ToIntFunction<BlockPart> size) {
    var had = wishes.stream().map(wish -> had(wish, present)).toList();
    var before = new WaterFilling(capacityBytes, had, size);
    before.pour(unlimited(wishes.size()));
    var filling = new WaterFilling(capacityBytes, wishes, size);
    filling.pour(before.charged);
    filling.pour(unlimited(wishes.size()));
    return filling.given;
  }

  private static List<BlockPart> had(List<BlockPart> wish, Map<BlockId, PageSet> present) {
    var had = new ArrayList<BlockPart>();
    for (BlockPart part : wish) {
      PageSet there = present.get(part.block());
      if (there != null) {
        had.add(there.equals(part.pages()) ? part : new BlockPart(part.block(), there));
      }
    }
    return had;
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
    BlockPart wish = wishes.get(application).get(next[application]);
    PageSet before = given.get(wish.block());
    if (before == null || !before.containsAll(wish.pages())) {
      BlockPart all = before == null ? wish : wish.with(before);
      int paid = before == null ? 0 : size.applyAsInt(new BlockPart(wish.block(), before));
      int bytes = size.applyAsInt(all) - paid;
      if (bytes > capacityBytes - usedBytes || bytes > limit - charged[application]) {
        return false;
      }
      given.put(all.block(), all.pages());
      usedBytes += bytes;
      charged[application] += bytes;
    }
    next[application]++;
    return true;
  }
}
