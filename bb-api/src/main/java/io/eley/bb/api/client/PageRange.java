package io.eley.bb.api.client;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import java.nio.ByteBuffer;

/**
 * The whole pages around a range of a block that is to be verified. A long range is cut at a page's
 * end, so that the next read of a stream begins at a page's start and goes straight into its
 * target, with no byte too many.
 *
 * @param page bytes in a page
 * @param begin of the first page, within the block
 * @param end of the last page, within the block
 * @param from first byte that is wanted
 * @param to end of what is wanted, perhaps less than was asked for
 */
record PageRange(int page, int begin, int end, int from, int to) {
  /** A range of this many bytes or more, many pages, ends at a page's end. */
  private static final int LONG = 256 << 10;

  /** The checksums of more pages than this would not fit into a message. */
  private static final int MOST = 64 << 10;

  static PageRange of(BlockId block, BlockGeometry geometry, int offset, int length) {
    int page = geometry.pageSize();
    int blockLength = geometry.length(block);
    int to = (int) Math.min(offset + length, ((long) offset / page + MOST) * page);
    if (to - offset >= LONG && to != blockLength) {
      to = to / page * page;
    }
    int end = (int) Math.min(blockLength, ((long) to + page - 1) / page * page);
    return new PageRange(page, offset / page * page, end, offset, to);
  }

  int length() {
    return end - begin;
  }

  /** Where the pages may go: the target itself where nothing else is around what is wanted. */
  ByteBuffer buffer(ByteBuffer target) {
    return straight() ? target.slice(target.position(), length()) : ByteBuffer.allocate(length());
  }

  /**
   * Puts what is wanted into the target, if it is not there already; its position does not move.
   *
   * @param pages from {@link #buffer}, filled; the position is ignored
   * @return the bytes that were wanted
   */
  int deliver(ByteBuffer pages, ByteBuffer target) {
    if (!straight()) {
      target.put(target.position(), pages, from - begin, to - from);
    }
    return to - from;
  }

  private boolean straight() {
    return begin == from && end == to;
  }
}
