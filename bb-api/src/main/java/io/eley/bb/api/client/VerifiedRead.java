package io.eley.bb.api.client;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A read that verifies checksums: the pages around the wanted range, each held against the node's
 * checksum. A long read ends at a page's end, so that the next one of a stream begins at a page's
 * start and goes straight into its target, with no byte too many.
 */
final class VerifiedRead {
  /** A read of this many pages or more ends at a page's end. */
  private static final int LONG = 4;

  private VerifiedRead() {}

  /**
   * Reads and checks.
   *
   * @param wanted range within the block
   * @return bytes put into the target: those that were wanted, or a little less
   * @throws EleyException {@code DAMAGED} when a page does not match; the node knows it then, and a
   *     retry gets the block anew
   */
  static int read(
      BbFile file,
      NodePool pool,
      BlockId block,
      BlockGeometry geometry,
      ByteRange wanted,
      ByteBuffer target)
      throws EleyException {
    int page = geometry.pageSize();
    int blockLength = geometry.length(block);
    int from = (int) wanted.offset();
    int to = (int) wanted.end();
    if (to - from >= LONG * page && to != blockLength) {
      to = to / page * page;
    }
    int begin = from / page * page;
    int end = Math.min(blockLength, (to + page - 1) / page * page);
    boolean straight = begin == from && end == to;
    ByteBuffer pages =
        straight ? target.slice(target.position(), end - begin) : ByteBuffer.allocate(end - begin);
    BlockReply reply =
        file.remote(pool, new ReadBlock(block, begin, end - begin, ReadCause.DEMAND, true), pages);
    check(block, page, begin, pages, reply);
    if (straight) {
      target.position(target.position() + end - begin);
    } else {
      target.put(pages.slice(from - begin, to - from));
    }
    return to - from;
  }

  private static void check(BlockId block, int page, int begin, ByteBuffer pages, BlockReply reply)
      throws EleyException {
    int at = 0;
    var crc = new CRC32C();
    for (int expected : reply.checksums()) {
      int length = Math.min(page, pages.capacity() - at);
      crc.reset();
      crc.update(pages.slice(at, Math.max(0, length)));
      if ((int) crc.getValue() != expected) {
        throw new EleyException(
            ErrorCode.DAMAGED, "checksum of " + block + " at " + (begin + at) + " does not match");
      }
      at += length;
    }
    if (at != pages.capacity()) {
      throw new EleyException(
          ErrorCode.DAMAGED, "checksums of " + block + " are missing from " + (begin + at) + " on");
    }
  }
}
