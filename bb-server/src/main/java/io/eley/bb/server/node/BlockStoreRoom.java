package io.eley.bb.server.node;

import io.eley.bb.server.scratch.ScratchRoom;
import io.eley.bb.server.store.BlockStore;

/**
 * The room of a node's RAM-disk, whose blocks and intermediate data share one budget. Safe for
 * several threads, as the store is.
 *
 * @param store keeps the budget; its blocks yield
 */
public record BlockStoreRoom(BlockStore store) implements ScratchRoom {
  @Override
  public boolean reserve(long bytes) {
    return store.reserveScratch(bytes);
  }

  @Override
  public void release(long bytes) {
    store.releaseScratch(bytes);
  }

  @Override
  public void refuse(long bytes) {
    store.refuseScratch(bytes);
  }
}
