package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.Split;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A split and what its task reads.
 *
 * @param split the split
 * @param blocks in reading order, each once
 * @param pages of each block; empty when all are needed whole, which takes no memory
 */
record PlannedSplit(Split split, List<BlockId> blocks, List<PageSet> pages) {
  /** Passes on each block with its pages. */
  void forEach(BiConsumer<BlockId, PageSet> each) {
    for (int i = 0; i < blocks.size(); i++) {
      each.accept(blocks.get(i), pages.isEmpty() ? PageSet.ALL : pages.get(i));
    }
  }
}
