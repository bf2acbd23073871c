package io.eley.bb.server.store;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A pin on a block, complete or still arriving: while it is held the block is not evicted, and even
 * one that is dropped stays readable and keeps its space. So close it soon; a pin that is forgotten
 * is RAM that is lost until the process ends.
 *
 * <p>Safe for several threads. Nothing here blocks but for opening one RAM-disk file.
 */
public final class StoredBlock implements AutoCloseable {
  private final BlockStore store;
  private final Entry entry;
  private @Nullable FileChannel channel;
  private boolean closed;

  /** A pin that the caller has counted already. */
  StoredBlock(BlockStore store, Entry entry) {
    this.store = store;
    this.entry = entry;
  }

  public BlockId id() {
    return entry.id;
  }

  /** Bytes in the block, 1 or more. */
  public int length() {
    return entry.arrivals.length();
  }

  /** Whether all bytes have arrived and the block is committed. */
  public boolean complete() {
    return entry.state == Entry.State.COMMITTED;
  }

  /**
   * Whether these bytes have arrived.
   *
   * @param offset first byte within the block
   * @param length bytes, at least 1
   * @throws IllegalArgumentException when that is not a range of the block
   */
  public boolean arrived(int offset, int length) {
    return entry.arrivals.covers(offset, length);
  }

  /**
   * A future that completes when these bytes have arrived, at once when they have. It completes on
   * the writer's thread, so what hangs on it must not block: hop to a thread of your own. It fails
   * with the EleyException that the writer was aborted with.
   *
   * @param offset first byte within the block
   * @param length bytes, at least 1
   * @throws IllegalArgumentException when that is not a range of the block
   */
  public CompletableFuture<Void> whenArrived(int offset, int length) {
    return entry.arrivals.when(offset, length);
  }

  /**
   * The file to read from, by position only. Byte <i>i</i> of the block is byte <i>i</i> of the
   * file; bytes that have not arrived read as zeros or as the file's end, so ask {@link #arrived}
   * first. The channel is shared and belongs to the store: never close it, never interrupt a thread
   * that reads from it (that closes it for all). It is valid until this pin is closed.
   *
   * @throws EleyException {@code DAMAGED} when somebody has taken the file away
   * @throws IllegalStateException when the pin is closed
   */
  public synchronized FileChannel channel() throws EleyException {
    if (closed) {
      throw new IllegalStateException("the pin is closed: " + id());
    }
    if (channel == null) {
      try {
        channel = entry.file.enter();
      } catch (FileOpener.NotOpenedException e) {
        throw BlockStore.notOpened(id(), e);
      } catch (IOException e) {
        throw new EleyException(
            ErrorCode.DAMAGED, "cannot open block " + id() + ": " + StoreDirectory.words(e), e);
      }
    }
    return channel;
  }

  /** The file now; its name changes when the block is committed. */
  public Path file() {
    return entry.file.path();
  }

  /**
   * CRC32C (RFC 3720, appendix B.4) of each page of a range that has arrived.
   *
   * @param offset a page's first byte within the block
   * @param length up to a page's or the block's end
   * @throws IllegalArgumentException when the range does not begin and end with pages
   * @throws IllegalStateException when it has not arrived
   */
  public List<Integer> checksums(int offset, int length) {
    return entry.arrivals.checksums(offset, length);
  }

  /** Unpins; further calls do nothing. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      if (channel != null) {
        leave();
      }
    }
    store.unpin(entry);
  }

  private void leave() {
    try {
      entry.file.leave();
    } catch (IOException e) {
      BlockStore.logUnclosed(entry, e);
    }
  }
}
