package io.eley.bb.server.node;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.server.fetch.BlockFetcher;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.StoredBlock;
import java.util.Optional;

/** Where a request finds its block: in the store, or on its way from the origin. Never blocks. */
interface BlockSource {
  BlockGeometry geometry();

  /** Looks at a block again that a reader has found damaged; drops it if it is. */
  void verifyAgain(BlockId block);

  /** The block if it is there or arriving, pinned. */
  Optional<StoredBlock> acquire(BlockId block) throws EleyException;

  /**
   * Pins the block; bytes that are not there arrive, and so many behind them.
   *
   * @see BlockFetcher#demand
   * @throws EleyException {@code NO_SPACE}, or what the fetcher says
   */
  StoredBlock demand(BlockId block, int offset, int length, int ahead, ReadCause cause)
      throws EleyException;

  /** A store and the fetcher that fills it. */
  static BlockSource of(BlockStore store, BlockFetcher fetcher) {
    return new BlockSource() {
      @Override
      public void verifyAgain(BlockId block) {
        store.verifyAgain(block);
      }

      @Override
      public BlockGeometry geometry() {
        return store.geometry();
      }

      @Override
      public Optional<StoredBlock> acquire(BlockId block) throws EleyException {
        return store.acquire(block);
      }

      @Override
      public StoredBlock demand(BlockId block, int offset, int length, int ahead, ReadCause cause)
          throws EleyException {
        return fetcher.demand(block, offset, length, ahead, cause);
      }
    };
  }
}
