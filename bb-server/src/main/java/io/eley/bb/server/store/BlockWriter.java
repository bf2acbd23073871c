package io.eley.bb.server.store;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.BitSet;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Fills one block, a run of pages at a time in any order, and commits it, leaves it as a part, or
 * aborts it. Its space is reserved from the beginning; the files of blocks that were evicted for it
 * are unlinked before its first byte is written, so that making a writer does no I/O.
 *
 * <p>For one thread at a time; another may go on where it left off when the hand-over is
 * synchronised. Blocks for RAM-disk I/O only. Never interrupt the thread that writes: its file
 * would be closed. Every writer must be committed, suspended or aborted.
 */
public final class BlockWriter {
  private final BlockStore store;
  private final Entry entry;
  private List<Entry> toUnlink;
  private @Nullable FileChannel out;
  private boolean over;

  /**
   * The store has pinned the entry for this writer.
   *
   * @param toUnlink entries that had to leave; the writer holds a pin on each
   */
  BlockWriter(BlockStore store, Entry entry, List<Entry> toUnlink) {
    this.store = store;
    this.entry = entry;
    this.toUnlink = toUnlink;
  }

  /** Pins the block that is arriving. */
  public StoredBlock pin() {
    return store.pin(entry);
  }

  /** The pages that have been written; a copy. */
  public BitSet written() {
    return entry.arrivals.pages();
  }

  /** Whether all pages have been written. */
  public boolean full() {
    return missing() == 0;
  }

  /** Number of pages that have not been written. */
  public int missing() {
    return entry.arrivals.missing();
  }

  /**
   * Checks that so many bytes will find room and a file, before it is read from the origin: bytes
   * that are read and then refused are read again by who needs them.
   *
   * @throws EleyException {@code NO_SPACE}, {@code UNAVAILABLE}; abort then
   */
  public void requireRoom(int bytes) throws EleyException {
    unlinkDebts();
    long footer = entry.footprint - entry.arrivals.length();
    if (!store.room().hasRoom(entry, bytes + footer)) {
      throw new EleyException(
          ErrorCode.NO_SPACE, "others fill the RAM-disk: no room for block " + entry.id);
    }
    try {
      out();
    } catch (IOException e) {
      throw refused(e);
    }
  }

  /** Bytes in the block. */
  public int length() {
    return entry.arrivals.length();
  }

  /**
   * Writes whole pages and notifies those who wait for them. Consumes the buffer.
   *
   * @param offset of the first page within the block
   * @throws EleyException why the block was dropped meanwhile ({@code STALE_VERSION}, {@code
   *     UNAVAILABLE}), {@code NO_SPACE} when the RAM-disk refuses the bytes, or {@code UNAVAILABLE}
   *     when the file cannot be made now; abort then
   * @throws IllegalArgumentException when the buffer does not hold whole pages of the block
   * @throws IllegalStateException when a page was written before, or the writer is over
   */
  public void write(int offset, ByteBuffer bytes) throws EleyException {
    requireLive();
    int page = store.geometry().pageSize();
    int end = offset + bytes.remaining();
    boolean whole = offset % page == 0 && (end % page == 0 || end == length());
    if (!whole || !bytes.hasRemaining() || end > length()) {
      throw new IllegalArgumentException(
          "not pages of " + entry.id + ": " + bytes.remaining() + " bytes at " + offset);
    }
    int[] sums = checksums(bytes.duplicate(), page);
    int again = written().nextSetBit(offset / page);
    if (again >= 0 && again < offset / page + sums.length) {
      throw new IllegalStateException("page " + again + " was written before: " + entry.id);
    }
    try {
      put(bytes, offset);
    } catch (IOException e) {
      throw refused(e);
    }
    entry.arrivals.mark(offset / page, sums);
  }

  private static int[] checksums(ByteBuffer pages, int page) {
    var sums = new int[(pages.remaining() + page - 1) / page];
    for (int i = 0; i < sums.length; i++) {
      var crc = new CRC32C();
      crc.update(
          pages.slice(pages.position() + i * page, Math.min(page, pages.remaining() - i * page)));
      sums[i] = (int) crc.getValue();
    }
    return sums;
  }

  /**
   * Makes the block permanent: from now on it is found by all who ask, and again after a restart.
   *
   * @throws EleyException as {@link #write}; the writer is over then too
   * @throws IllegalStateException when a page is missing, or the writer is over
   */
  public void commit() throws EleyException {
    try {
      requireLive();
      if (!full()) {
        throw new IllegalStateException("a page is missing: " + entry.id);
      }
      var sums = entry.arrivals.checksums(0, entry.arrivals.length());
      put(new BlockFooter(entry.id, store.geometry(), sums).encode(), entry.arrivals.length());
      closeOut();
      // Nothing is synced: a RAM-disk survives the process, and nothing survives the machine.
      entry.file.moveTo(store.committedPath(entry));
      store.noteCommitted(entry);
    } catch (IOException e) {
      EleyException error = e instanceof EleyException ours ? ours : refused(e);
      abort(error);
      throw error;
    }
    end();
  }

  /**
   * Leaves the block as it is, a part of its bytes: it can be acquired, evicted, and filled further
   * by another writer, and what it does not hold takes no space any more.
   *
   * @param ordered whether to report that what was ordered of it is here
   * @throws EleyException as {@link #write}; the writer is over then too
   */
  public void suspend(boolean ordered) throws EleyException {
    try {
      requireLive();
      unlinkDebts();
      closeOut();
      store.noteSuspended(entry, ordered);
    } catch (IOException e) {
      EleyException error = e instanceof EleyException ours ? ours : refused(e);
      abort(error);
      throw error;
    }
    end();
  }

  /**
   * Aborts the block: those who wait for it get the error. Does nothing when the writer is over.
   */
  public void abort(EleyException error) {
    if (over) {
      return;
    }
    closeOutQuietly();
    store.abandon(entry, error);
    end();
  }

  private void end() {
    over = true;
    unlinkDebts();
    store.unpin(entry);
  }

  private void put(ByteBuffer bytes, long position) throws IOException {
    FileChannel file = out();
    long at = position;
    while (bytes.hasRemaining()) {
      at += file.write(bytes, at);
    }
  }

  private FileChannel out() throws IOException {
    if (out == null) {
      unlinkDebts();
      out = entry.file.openToWrite();
    }
    return out;
  }

  private void unlinkDebts() {
    List<Entry> leaving = toUnlink;
    toUnlink = List.of();
    leaving.forEach(store::unlinkAndUnpin);
  }

  private void closeOut() throws IOException {
    if (out != null) {
      out.close();
    }
  }

  private void closeOutQuietly() {
    try {
      closeOut();
    } catch (IOException e) {
      BlockStore.logUnclosed(entry, e);
    }
  }

  private void requireLive() throws EleyException {
    if (over) {
      throw new IllegalStateException("the writer is over: " + entry.id);
    }
    EleyException dropped = entry.arrivals.failure();
    if (dropped != null) {
      throw dropped;
    }
  }

  /**
   * Once a file is open, a full RAM-disk is the one ordinary reason, and Java tells it from others
   * by text only. A file that cannot be made leaves the budget alone: a descriptor may be missing.
   */
  private EleyException refused(IOException e) {
    EleyException dropped = entry.arrivals.failure();
    if (dropped != null) {
      return dropped;
    }
    if (e instanceof FileOpener.NotOpenedException) {
      return BlockStore.notOpened(entry.id, e);
    }
    store.room().squeeze(entry);
    return new EleyException(
        ErrorCode.NO_SPACE,
        "the RAM-disk refused block " + entry.id + ": " + StoreDirectory.words(e),
        e);
  }
}
