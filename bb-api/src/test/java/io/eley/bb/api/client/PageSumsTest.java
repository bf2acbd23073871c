package io.eley.bb.api.client;

import static io.eley.bb.api.client.Failures.failsWith;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** A read of a part of a block is compared with the checksums of that part. */
class PageSumsTest {
  private static final int PAGE = 64;
  private static final int FIRST = 4;
  private final byte[] pages = new byte[3 * PAGE + 7];
  private final PageSums sums;

  PageSumsTest() {
    new Random(1).nextBytes(pages);
    var block = new BlockId(new FileVersion("/f", 4096, 1), 0);
    sums = new PageSums(block, PAGE, FIRST, crcs());
  }

  private List<Integer> crcs() {
    var all = new ArrayList<Integer>();
    for (int at = 0; at < pages.length; at += PAGE) {
      var crc = new CRC32C();
      crc.update(pages, at, Math.min(PAGE, pages.length - at));
      all.add((int) crc.getValue());
    }
    return all;
  }

  private ByteBuffer from(int page) {
    int begin = page * PAGE;
    return ByteBuffer.allocate(pages.length - begin).put(pages, begin, pages.length - begin);
  }

  @Test
  void eachPageIsComparedWithItsOwnChecksum() throws Exception {
    for (int page = 0; page < 4; page++) {
      sums.check((FIRST + page) * PAGE, from(page));
    }
    failsWith(ErrorCode.DAMAGED, () -> sums.check((FIRST + 1) * PAGE, from(0)))
        .hasMessageContaining("at " + (FIRST + 1) * PAGE + " does not match");
  }

  @Test
  void aByteOfTheLastPageIsFoundByItsPlace() {
    ByteBuffer damaged = from(1);
    damaged.put(damaged.capacity() - 1, (byte) ~damaged.get(damaged.capacity() - 1));
    failsWith(ErrorCode.DAMAGED, () -> sums.check((FIRST + 1) * PAGE, damaged))
        .hasMessageContaining("at " + (FIRST + 3) * PAGE + " does not match");
  }

  @Test
  void aPageWithoutAChecksumIsNotTakenForWhole() {
    failsWith(ErrorCode.DAMAGED, () -> sums.check((FIRST + 2) * PAGE, from(1)))
        .hasMessageContaining("at " + (FIRST + 2) * PAGE + " does not match");
    failsWith(ErrorCode.DAMAGED, () -> sums.check((FIRST + 4) * PAGE, from(3)))
        .hasMessageContaining("missing from " + (FIRST + 4) * PAGE + " on");
  }
}
