package io.eley.bb.api.client;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An open file of a node on this machine, its lease, and the number of its users; being kept for
 * the next reads counts as one use. The last user closes it and gives the lease back. Safe for
 * several threads.
 */
final class LeasedFile {
  /**
   * What has just been read, as much as this, is in the processor's cache when it is checked; a few
   * pages, whatever the geometry.
   */
  private static final int STEP = 64 << 10;

  private final BlockId block;
  private final int blockSize;
  private final Bytes bytesOf;
  private final Connection connection;
  private final BlockMessage.LocalBlock leased;
  private final AtomicLong bytesRead = new AtomicLong();
  private final BitSet checked = new BitSet();
  private int users = 1;

  /**
   * One that its maker uses.
   *
   * @param blockSize by which the block's index counts
   */
  LeasedFile(
      BlockId block,
      int blockSize,
      Bytes bytes,
      Connection connection,
      BlockMessage.LocalBlock leased) {
    this.block = block;
    this.blockSize = blockSize;
    this.bytesOf = bytes;
    this.connection = connection;
    this.leased = leased;
  }

  /** Where the block's bytes are. */
  interface Bytes extends Closeable {
    /** As {@link FileChannel#read(ByteBuffer, long)}; the position is within the block. */
    int read(ByteBuffer target, long position) throws IOException;
  }

  /** A file of a node. */
  record OfChannel(FileChannel channel) implements Bytes {
    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return channel.read(target, position);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /** Whether there is anything to hold its pages against. */
  boolean hasChecksums() {
    return !leased.checksums().isEmpty();
  }

  /**
   * Reads, unchecked.
   *
   * @return bytes read, -1 at the file's end
   */
  int read(int offset, ByteBuffer target) throws IOException {
    int count = bytesOf.read(target, offset);
    bytesRead.addAndGet(Math.max(0, count));
    return count;
  }

  /**
   * Fills the target; a page of which nothing was read with this lease before is held against its
   * checksum.
   *
   * @return bytes read
   * @throws EleyException {@code DAMAGED}
   */
  int readVerified(BlockGeometry geometry, int offset, ByteBuffer target) throws IOException {
    int page = geometry.pageSize();
    int blockLength = geometry.length(block);
    var sums = new PageSums(block, page, 0, leased.checksums());
    int end = offset + target.remaining();
    for (int at = offset; at < end; ) {
      int begin = at / page * page;
      int pageEnd = Math.min(blockLength, begin + page);
      if (begin < at || end < pageEnd) {
        int count = Math.min(end, pageEnd) - at;
        readPart(sums, new Part(begin, pageEnd, at - begin, count), target);
        at += count;
      } else {
        int whole = end == blockLength ? end - at : (end - at) / page * page;
        at += readPages(sums, at, target, Math.min(whole, STEP));
      }
    }
    bytesRead.addAndGet(end - offset);
    return end - offset;
  }

  /** A part of one page that is wanted. */
  private record Part(int begin, int end, int from, int count) {}

  private void readPart(PageSums sums, Part part, ByteBuffer target) throws IOException {
    int page = part.begin / sums.page();
    if (known(page, page + 1)) {
      readFully(part.begin + part.from, next(target, part.count));
      return;
    }
    var whole = ByteBuffer.allocate(part.end - part.begin);
    readFully(part.begin, whole);
    sums.check(part.begin, whole);
    note(page, page + 1);
    target.put(whole.slice(part.from, part.count));
  }

  private int readPages(PageSums sums, int begin, ByteBuffer target, int count) throws IOException {
    ByteBuffer pages = next(target, count);
    readFully(begin, pages);
    int first = begin / sums.page();
    int last = (begin + count - 1) / sums.page();
    if (!known(first, last + 1)) {
      sums.check(begin, pages);
      note(first, last + 1);
    }
    return count;
  }

  /** The next bytes of the target, which count as filled. */
  private static ByteBuffer next(ByteBuffer target, int count) {
    ByteBuffer next = target.slice(target.position(), count);
    target.position(target.position() + count);
    return next;
  }

  private void readFully(int offset, ByteBuffer target) throws IOException {
    ByteBuffer rest = target.duplicate();
    while (rest.hasRemaining()) {
      if (bytesOf.read(rest, (long) offset + rest.position()) < 0) {
        throw new EleyException(ErrorCode.DAMAGED, "the file of " + block + " is cut short");
      }
    }
  }

  /**
   * Holds pages against their checksums anew: what was right for a stream that is closed may have
   * been damaged when the next one reads it.
   */
  synchronized void checkAnew() {
    checked.clear();
  }

  private synchronized boolean known(int firstPage, int endPage) {
    return checked.nextClearBit(firstPage) >= endPage;
  }

  private synchronized void note(int firstPage, int endPage) {
    checked.set(firstPage, endPage);
  }

  /** Whether it is what a client means by the block that cuts files so. */
  boolean isOfSize(int size) {
    return blockSize == size;
  }

  /** Whether it was leased over this connection, and ends with it. */
  boolean isOver(Connection other) {
    return connection == other;
  }

  /** Takes part in its use; false when it is closed already. */
  synchronized boolean retain() {
    if (users == 0) {
      return false;
    }
    users++;
    return true;
  }

  /** Ends a use. */
  void release() {
    synchronized (this) {
      users--;
      if (users > 0) {
        return;
      }
    }
    try {
      bytesOf.close();
    } catch (IOException e) {
      // Closing a channel that was only read from loses no data.
    }
    giveBack(connection, leased.lease(), bytesRead.get());
  }

  static void giveBack(Connection connection, long lease, long bytes) {
    if (connection.isOpen()) {
      // Nobody waits for the answer: a lease that is not given back ends with the connection.
      var unused = connection.request(new BlockMessage.ReleaseLocal(lease, bytes));
    }
  }
}
