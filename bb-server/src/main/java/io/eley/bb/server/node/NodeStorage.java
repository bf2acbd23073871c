package io.eley.bb.server.node;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.server.fetch.BlockFetcher;
import io.eley.bb.server.store.BlockStore;

/**
 * What a node opens once it knows how files are cut and where the origin is.
 *
 * @param store owned
 * @param origin owned
 * @param fetcher owned
 */
record NodeStorage(BlockStore store, Origin origin, BlockFetcher fetcher) implements AutoCloseable {
  /** Opens the storage on the first view. */
  @FunctionalInterface
  interface Opener {
    /**
     * Opens the store and the origin. Blocks; throws an error with which the node cannot work, such
     * as no room or no such origin.
     */
    NodeStorage open(View view) throws EleyException;
  }

  BlockSource source() {
    return BlockSource.of(store, fetcher);
  }

  @Override
  public void close() {
    fetcher.close();
    origin.close();
    store.close();
  }
}
