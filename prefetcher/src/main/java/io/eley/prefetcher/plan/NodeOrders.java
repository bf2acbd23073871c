package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.NodeId;
import java.util.List;

/**
 * The orders for one node.
 *
 * @param node that gets them
 * @param fetch blocks to fetch, the most urgent first
 * @param free blocks nobody plans to read any more, sent before {@code fetch}
 */
public record NodeOrders(NodeId node, List<BlockId> fetch, List<BlockId> free) {
  public NodeOrders {
    fetch = List.copyOf(fetch);
    free = List.copyOf(free);
  }

  /** Whether there is nothing to send. */
  public boolean isEmpty() {
    return fetch.isEmpty() && free.isEmpty();
  }
}
