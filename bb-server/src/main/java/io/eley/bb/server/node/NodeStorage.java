package io.eley.bb.server.node;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.server.fetch.BlockFetcher;
import io.eley.bb.server.scratch.ScratchRequests;
import io.eley.bb.server.store.BlockStore;
import org.jspecify.annotations.Nullable;

/**
 * What a node opens once it knows how files are cut and where the origin is.
 *
 * @param store owned
 * @param origin owned
 * @param fetcher owned
 * @param scratch owned; null when the node takes no intermediate data
 */
record NodeStorage(
    BlockStore store, Origin origin, BlockFetcher fetcher, @Nullable ScratchRequests scratch)
    implements AutoCloseable {
  /** Opens the storage on the first view. */
  @FunctionalInterface
  interface Opener {
    /**
     * Opens the store and the origin. Blocks; throws an error with which the node cannot work, such
     * as no room or no such origin.
     */
    NodeStorage open(View view) throws EleyException;
  }

  NodeCounters.Scratch scratchCounters() {
    return scratch == null ? NodeCounters.Scratch.NONE : scratch.counters();
  }

  BlockSource source() {
    return BlockSource.of(store, fetcher);
  }

  @Override
  public void close() {
    if (scratch != null) {
      scratch.close();
    }
    fetcher.close();
    origin.close();
    store.close();
  }
}
