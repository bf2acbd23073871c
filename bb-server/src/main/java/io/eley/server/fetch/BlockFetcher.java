package io.eley.server.fetch;

import io.eley.api.BlockId;
import io.eley.api.ReadCause;
import io.eley.api.error.EleyException;
import io.eley.api.origin.Origin;
import io.eley.server.store.BlockStore;
import io.eley.server.store.StoredBlock;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Fetches blocks from the origin into the store. */
@SuppressWarnings("DoNotCallSuggester") // bodies follow
public final class BlockFetcher implements AutoCloseable {
  private BlockFetcher() {}

  /** Starts the fetcher threads. */
  public static BlockFetcher start(
      FetchOptions options,
      Origin origin,
      BlockStore store,
      PermitGate gate,
      FetchListener listener) {
    throw new UnsupportedOperationException();
  }

  /** Prefetch these, in this order, after those ordered before. */
  public void order(List<BlockId> blocks) {
    throw new UnsupportedOperationException();
  }

  /**
   * The block, pinned: complete, or arriving from {@code offset} on. Does not wait.
   *
   * @throws EleyException NO_SPACE; MALFORMED when the file has no such block
   */
  public StoredBlock demand(BlockId block, int offset, ReadCause cause) throws EleyException {
    throw new UnsupportedOperationException();
  }

  /** Nobody plans to read these any more. */
  public void cancel(Collection<BlockId> blocks) {
    throw new UnsupportedOperationException();
  }

  /** Bytes read from the origin, by cause. */
  public Map<ReadCause, Long> originBytes() {
    throw new UnsupportedOperationException();
  }

  /** Fetches that wait for a permit or a fetcher. */
  public int queued() {
    throw new UnsupportedOperationException();
  }

  /** Origin calls that have passed their deadline and not come back. */
  public int hungCalls() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
