package io.eley.bb.api;

import java.util.Collection;
import java.util.List;

/**
 * Some pages of one block, or all of them.
 *
 * @param block the block
 * @param pages of it
 */
public record BlockPart(BlockId block, PageSet pages) {
  /** All of a block. */
  public static BlockPart whole(BlockId block) {
    return new BlockPart(block, PageSet.ALL);
  }

  /** All of each block. */
  public static List<BlockPart> whole(Collection<BlockId> blocks) {
    return blocks.stream().map(BlockPart::whole).toList();
  }

  /** The same with these pages, too. */
  public BlockPart with(PageSet more) {
    return pages.containsAll(more) ? this : new BlockPart(block, pages.union(more));
  }
}
