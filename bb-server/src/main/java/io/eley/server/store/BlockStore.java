package io.eley.server.store;

import io.eley.api.BlockGeometry;
import io.eley.api.BlockId;
import io.eley.api.FileVersion;
import io.eley.api.NodeId;
import io.eley.api.error.EleyException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The RAM-disk block store. */
@SuppressWarnings("DoNotCallSuggester") // bodies follow
public final class BlockStore implements AutoCloseable {
  private BlockStore() {}

  /** Opens the store in a directory of its own. */
  public static BlockStore open(StoreOptions options, StoreListener listener) throws EleyException {
    throw new UnsupportedOperationException();
  }

  /** Opens the store in a directory that is locked already; the store closes it. */
  public static BlockStore open(
      StoreDirectory directory, BlockGeometry geometry, long capacityBytes, StoreListener listener)
      throws EleyException {
    throw new UnsupportedOperationException();
  }

  public NodeId nodeId() {
    throw new UnsupportedOperationException();
  }

  public BlockGeometry geometry() {
    throw new UnsupportedOperationException();
  }

  /** Pins a block, committed or arriving. */
  public Optional<StoredBlock> acquire(BlockId block) {
    throw new UnsupportedOperationException();
  }

  /** Reserves and begins a block; NO_SPACE; UNAVAILABLE when it is there or arriving. */
  public BlockWriter create(BlockId block) throws EleyException {
    throw new UnsupportedOperationException();
  }

  /** As create, but empty when the block is there or arriving. */
  public Optional<BlockWriter> tryCreate(BlockId block) throws EleyException {
    throw new UnsupportedOperationException();
  }

  /** Whether the block is committed; if so it is not "consumed" any more. */
  public boolean retain(BlockId block) {
    throw new UnsupportedOperationException();
  }

  /** These blocks are the first to evict. */
  public void free(Collection<BlockId> blocks) {
    throw new UnsupportedOperationException();
  }

  /** Drops all blocks of other versions of that path. */
  public void dropOtherVersions(FileVersion current) {
    throw new UnsupportedOperationException();
  }

  /** Committed blocks. */
  public List<BlockId> inventory() {
    throw new UnsupportedOperationException();
  }

  public int blockCount() {
    throw new UnsupportedOperationException();
  }

  public long capacityBytes() {
    throw new UnsupportedOperationException();
  }

  public long usedBytes() {
    throw new UnsupportedOperationException();
  }

  public long evictedBlocks() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
