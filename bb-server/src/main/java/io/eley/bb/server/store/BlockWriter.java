package io.eley.bb.server.store;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Fills one block, chunk by chunk in any order, and commits or aborts it. Its space is reserved
 * from the beginning; the files of blocks that were evicted for it are unlinked before its first
 * byte is written, so that making a writer does no I/O.
 *
 * <p>For one thread at a time; another may go on where it left off when the hand-over is
 * synchronised. Blocks for RAM-disk I/O only. Never interrupt the thread that writes: its file
 * would be closed. Every writer must be committed or aborted.
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

  /** Whether a chunk has been written. */
  public boolean has(int chunk) {
    return entry.arrivals.has(chunk);
  }

  /** Whether all chunks have been written. */
  public boolean full() {
    return missing() == 0;
  }

  /** Number of chunks that have not been written. */
  public int missing() {
    return entry.arrivals.missing();
  }

  /**
   * Checks that a chunk will find room and a file, before it is read from the origin: bytes that
   * are read and then refused are read again by who needs them.
   *
   * @throws EleyException {@code NO_SPACE}, {@code UNAVAILABLE}; abort then
   */
  public void requireRoom(int chunk) throws EleyException {
    unlinkDebts();
    long footer = entry.footprint - entry.arrivals.length();
    if (!store.room().hasRoom(entry, chunkLength(chunk) + footer)) {
      throw new EleyException(
          ErrorCode.NO_SPACE, "others fill the RAM-disk: no room for block " + entry.id);
    }
    try {
      out();
    } catch (IOException e) {
      throw refused(e);
    }
  }

  /** Bytes in a chunk; the block's last may be shorter than the others. */
  public int chunkLength(int chunk) {
    return entry.arrivals.chunkLength(chunk);
  }

  /**
   * Writes a whole chunk and notifies those who wait for it. Consumes the buffer.
   *
   * @throws EleyException why the block was dropped meanwhile ({@code STALE_VERSION}, {@code
   *     UNAVAILABLE}), {@code NO_SPACE} when the RAM-disk refuses the bytes, or {@code UNAVAILABLE}
   *     when the file cannot be made now; abort then
   * @throws IllegalArgumentException when the buffer does not hold exactly the chunk
   * @throws IllegalStateException when the chunk was written before, or the writer is over
   */
  public void write(int chunk, ByteBuffer bytes) throws EleyException {
    requireLive();
    if (bytes.remaining() != chunkLength(chunk)) {
      throw new IllegalArgumentException(
          "chunk " + chunk + " of " + entry.id + " is not of " + bytes.remaining() + " bytes");
    }
    if (has(chunk)) {
      throw new IllegalStateException("chunk " + chunk + " was written before: " + entry.id);
    }
    int[] sums = checksums(bytes.duplicate(), store.geometry().pageSize());
    try {
      put(bytes, (long) chunk * store.geometry().chunkSize());
    } catch (IOException e) {
      throw refused(e);
    }
    entry.arrivals.mark(chunk, sums);
  }

  private static int[] checksums(ByteBuffer chunk, int page) {
    var sums = new int[(chunk.remaining() + page - 1) / page];
    for (int i = 0; i < sums.length; i++) {
      var crc = new CRC32C();
      crc.update(
          chunk.slice(chunk.position() + i * page, Math.min(page, chunk.remaining() - i * page)));
      sums[i] = (int) crc.getValue();
    }
    return sums;
  }

  /**
   * Makes the block permanent: from now on it is found by all who ask, and again after a restart.
   *
   * @throws EleyException as {@link #write}; the writer is over then too
   * @throws IllegalStateException when a chunk is missing, or the writer is over
   */
  public void commit() throws EleyException {
    try {
      requireLive();
      if (!full()) {
        throw new IllegalStateException("a chunk is missing: " + entry.id);
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
      out = entry.file.create();
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
