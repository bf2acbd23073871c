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
  /** Opens it, on the first view. */
  @FunctionalInterface
  interface Opener {
    /** Blocks; throws what makes the node of no use: no room, no such origin. */
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
