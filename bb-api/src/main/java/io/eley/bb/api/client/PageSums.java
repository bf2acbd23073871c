package io.eley.bb.api.client;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * CRC32C of consecutive pages of a block.
 *
 * @param page bytes in a page
 * @param first the page that the first checksum is of
 */
record PageSums(BlockId block, int page, int first, List<Integer> sums) {
  PageSums {
    sums = List.copyOf(sums);
  }

  /**
   * Checks whole pages.
   *
   * @param begin of the first of them, within the block
   * @param pages all of the buffer, whatever its position
   * @throws EleyException {@code DAMAGED}
   */
  void check(int begin, ByteBuffer pages) throws EleyException {
    var crc = new CRC32C();
    for (int at = 0; at < pages.capacity(); at += page) {
      int index = (begin + at) / page - first;
      if (index >= sums.size()) {
        throw damaged("checksums of " + block + " are missing from " + (begin + at) + " on");
      }
      crc.reset();
      crc.update(pages.slice(at, Math.min(page, pages.capacity() - at)));
      if ((int) crc.getValue() != sums.get(index)) {
        throw damaged("checksum of " + block + " at " + (begin + at) + " does not match");
      }
    }
  }

  static EleyException damaged(String what) {
    return new EleyException(ErrorCode.DAMAGED, what);
  }
}
