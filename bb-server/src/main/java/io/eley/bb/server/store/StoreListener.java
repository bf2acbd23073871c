package io.eley.bb.server.store;

import io.eley.bb.api.BlockId;

/**
 * Is notified when blocks are committed or dropped. For one block the calls come in the order in
 * which things happened, never two calls at the same time. They come on the thread that caused them
 * or on another thread that is leaving the store, with no lock of the store held; an implementation
 * must not block, because that thread may be an event loop.
 *
 * <p>Blocks found on start are not reported; see {@link BlockStore#inventory()}. A block that was
 * never committed, and of which nothing was ordered, is not reported either.
 */
public interface StoreListener {
  /** A listener that does nothing. */
  StoreListener NONE =
      new StoreListener() {
        @Override
        public void committed(BlockId block) {}

        @Override
        public void dropped(BlockId block, DropReason reason) {}
      };

  /** The block is complete and will be found after a restart. */
  void committed(BlockId block);

  /** What was ordered of the block is here. */
  default void partArrived(BlockId block) {}

  /** The block is gone for those who ask from now on. */
  void dropped(BlockId block, DropReason reason);
}
