package io.eley.server.store;

import io.eley.api.BlockId;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A pin on a block, complete or still arriving. Not evicted until closed. */
@SuppressWarnings("DoNotCallSuggester") // bodies follow
public final class StoredBlock implements AutoCloseable {
  StoredBlock() {}

  public BlockId id() {
    throw new UnsupportedOperationException();
  }

  /** Bytes in the block. */
  public int length() {
    throw new UnsupportedOperationException();
  }

  /** Whether all bytes have arrived and the block is committed. */
  public boolean complete() {
    throw new UnsupportedOperationException();
  }

  /** Whether these bytes have arrived. */
  public boolean arrived(int offset, int length) {
    throw new UnsupportedOperationException();
  }

  /**
   * Completed when these bytes have arrived, on the writer's thread (never block there); fails with
   * the writer's EleyException.
   */
  public CompletableFuture<Void> whenArrived(int offset, int length) {
    throw new UnsupportedOperationException();
  }

  /** Read-only; owned by the store: never close it. Only after some bytes have arrived. */
  public FileChannel channel() throws io.eley.api.error.EleyException {
    throw new UnsupportedOperationException();
  }

  /** The file. */
  public Path file() {
    throw new UnsupportedOperationException();
  }

  /** CRC32C of the chunks that make up this range. */
  public List<Integer> checksums(int offset, int length) {
    throw new UnsupportedOperationException();
  }

  /** Unpins; further calls do nothing. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
