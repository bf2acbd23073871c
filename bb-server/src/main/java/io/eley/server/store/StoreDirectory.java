package io.eley.server.store;

import io.eley.api.NodeId;
import io.eley.api.error.EleyException;
import java.nio.file.Path;

/**
 * The store's directory, locked by this process; knows the node's name before geometry is known.
 */
@SuppressWarnings("DoNotCallSuggester") // bodies follow
public final class StoreDirectory implements AutoCloseable {
  private StoreDirectory() {}

  /** Makes the directory when missing and locks it. UNAVAILABLE when another process has it. */
  public static StoreDirectory open(Path directory) throws EleyException {
    throw new UnsupportedOperationException();
  }

  /** The node's name, made on first use and kept in the directory. */
  public NodeId nodeId() {
    throw new UnsupportedOperationException();
  }

  /** NO_SPACE, in one line, when the file system has no room for that many bytes of blocks. */
  public void requireRoom(long capacityBytes) throws EleyException {
    throw new UnsupportedOperationException();
  }

  /** Unlocks the directory. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
