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
 * A read that verifies checksums: whole chunks around the wanted range, each held against the
 * node's checksum.
 */
final class VerifiedRead {
  private VerifiedRead() {}

  /**
   * Reads and checks.
   *
   * @param wanted range within the block
   * @return bytes put into the target
   * @throws EleyException {@code DAMAGED} when a chunk does not match: a retry reads it again
   */
  static int read(
      BbFile file,
      NodePool pool,
      BlockId block,
      BlockGeometry geometry,
      ByteRange wanted,
      ByteBuffer target)
      throws EleyException {
    int chunk = geometry.chunkSize();
    int begin = (int) (wanted.offset() / chunk * chunk);
    int end = (int) Math.min(geometry.length(block), (wanted.end() + chunk - 1) / chunk * chunk);
    var whole = ByteBuffer.allocate(end - begin);
    BlockReply reply =
        file.remote(pool, new ReadBlock(block, begin, end - begin, ReadCause.DEMAND, true), whole);
    check(block, chunk, begin, whole, reply);
    target.put(whole.slice((int) wanted.offset() - begin, (int) wanted.length()));
    return (int) wanted.length();
  }

  private static void check(BlockId block, int chunk, int begin, ByteBuffer whole, BlockReply reply)
      throws EleyException {
    int at = 0;
    for (int expected : reply.checksums()) {
      int length = Math.min(chunk, whole.capacity() - at);
      var crc = new CRC32C();
      crc.update(whole.slice(at, Math.max(0, length)));
      if ((int) crc.getValue() != expected) {
        throw new EleyException(
            ErrorCode.DAMAGED, "checksum of " + block + " at " + (begin + at) + " does not match");
      }
      at += length;
    }
    if (at != whole.capacity()) {
      throw new EleyException(
          ErrorCode.DAMAGED, "checksums of " + block + " are missing from " + (begin + at) + " on");
    }
  }
}
