package io.eley.bb.server.fetch;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.error.EleyException;

/**
 * Is notified of results of fetches that {@link io.eley.bb.server.store.StoreListener} does not
 * report. Called on fetcher threads or on the thread that ordered, with no lock of the fetcher
 * held; must not block.
 */
public interface FetchListener {
  /** A listener that does nothing. */
  FetchListener NONE =
      new FetchListener() {
        @Override
        public void alreadyThere(BlockId block) {}

        @Override
        public void failed(BlockId block, EleyException error) {}
      };

  /** The block was ordered and is in the store already. */
  void alreadyThere(BlockId block);

  /** Pages of the block were ordered and are in the store already, be it whole or not. */
  default void partAlreadyThere(BlockId block) {
    alreadyThere(block);
  }

  /**
   * The block could not be fetched, whatever the cause of the fetch. Cancelled ones do not count.
   */
  void failed(BlockId block, EleyException error);

  /**
   * A chunk was read from the origin.
   *
   * @param endedAt when, nanoseconds of {@link System#nanoTime}
   * @param tookNanos how long it took
   * @param bytes of the chunk
   * @param underWay reads that were under way meanwhile, itself included, on average
   */
  default void chunkRead(long endedAt, long tookNanos, int bytes, double underWay) {}
}
