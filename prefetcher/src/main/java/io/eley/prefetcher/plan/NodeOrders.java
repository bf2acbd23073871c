package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.NodeId;
import java.util.List;

/**
 * The orders for one node.
 *
 * @param node that gets them
 * @param fetch parts of blocks to fetch, the most urgent first; of a block that is there or ordered
 *     already the part holds those pages, too
 * @param free blocks nobody plans to read any more, sent before {@code fetch}
 */
public record NodeOrders(NodeId node, List<BlockPart> fetch, List<BlockId> free) {
  public NodeOrders {
    fetch = List.copyOf(fetch);
    free = List.copyOf(free);
  }

  /** Whether there is nothing to send. */
  public boolean isEmpty() {
    return fetch.isEmpty() && free.isEmpty();
  }
}
