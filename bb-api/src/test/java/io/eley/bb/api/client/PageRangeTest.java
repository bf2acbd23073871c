package io.eley.bb.api.client;

import static io.eley.bb.api.client.Failures.failsWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Which pages are read around what is wanted, and what is made of them. */
class PageRangeTest {
  private static final BlockGeometry GEOMETRY = BlockGeometry.DEFAULT;
  private static final int PAGE = 16 << 10;
  private static final int LONG = 256 << 10;
  private static final int REST = 20 * PAGE + 77;
  private static final FileVersion FILE =
      new FileVersion("/f", GEOMETRY.blockSize() + (long) REST, 1);
  private static final BlockId WHOLE = new BlockId(FILE, 0);
  private static final BlockId LAST = new BlockId(FILE, 1);

  private static PageRange of(BlockId block, int offset, int length) {
    return PageRange.of(block, GEOMETRY, offset, length);
  }

  private static void assertRange(PageRange range, int begin, int end, int from, int to) {
    assertThat(range).isEqualTo(new PageRange(PAGE, begin, end, from, to));
    assertThat(range.length()).isEqualTo(end - begin);
  }

  @Test
  void aShortReadTakesThePagesAroundIt() {
    assertRange(of(WHOLE, PAGE + 10, 20), PAGE, 2 * PAGE, PAGE + 10, PAGE + 30);
    assertRange(of(WHOLE, PAGE - 1, 2), 0, 2 * PAGE, PAGE - 1, PAGE + 1);
    assertRange(of(WHOLE, PAGE, PAGE), PAGE, 2 * PAGE, PAGE, 2 * PAGE);
  }

  @Test
  void theLastPageEndsWithItsBlock() {
    assertRange(of(LAST, 20 * PAGE, 5), 20 * PAGE, REST, 20 * PAGE, 20 * PAGE + 5);
    assertRange(of(LAST, 7, REST - 7), 0, REST, 7, REST);
  }

  @Test
  void aLongReadEndsAtAPagesEndSoThatTheNextNeedsNoByteTwice() {
    assertRange(of(WHOLE, 0, LONG + 10), 0, LONG, 0, LONG);
    assertRange(of(WHOLE, 5, LONG), 0, LONG, 5, LONG);
    assertRange(of(WHOLE, 5, LONG - 1), 0, LONG + PAGE, 5, LONG + 4);
  }

  @Test
  void noMorePagesAreAskedForThanTheChecksumsOfFitIntoAMessage() {
    var small = new BlockGeometry(1 << 30, 4096);
    var block = new BlockId(new FileVersion("/f", 1L << 40, 1), 0);
    int most = (64 << 10) * 4096;
    assertThat(PageRange.of(block, small, 0, 1 << 30).end()).isEqualTo(most);
    assertThat(PageRange.of(block, small, 4097, (1 << 30) - 4097).length()).isEqualTo(most);
  }

  @Test
  void onlyWholePagesAreReadStraightIntoTheTarget() {
    var target = ByteBuffer.allocate(4 * PAGE);
    of(WHOLE, PAGE, 2 * PAGE).buffer(target).put(7, (byte) 1);
    assertThat(target.get(7)).isEqualTo((byte) 1);
    for (var range : List.of(of(WHOLE, PAGE, 5), of(WHOLE, 5, PAGE - 5), of(WHOLE, 5, 5))) {
      range.buffer(target).put(8, (byte) 1);
      assertThat(target.get(8)).isZero();
      assertThat(range.buffer(target).capacity()).isEqualTo(PAGE);
    }
  }

  @Test
  void whatIsWantedGoesIntoTheTargetWhereverThePagesAreRead() {
    for (var range : List.of(of(WHOLE, PAGE, 2 * PAGE), of(WHOLE, PAGE + 3, PAGE))) {
      byte[] block = new byte[4 * PAGE];
      new Random(1).nextBytes(block);
      var target = ByteBuffer.allocate(5 * PAGE).position(9);
      ByteBuffer pages = range.buffer(target);
      assertThat(pages.remaining()).isEqualTo(range.length());
      pages.put(block, range.begin(), range.length());
      int wanted = range.to() - range.from();
      assertThat(range.deliver(pages, target)).isEqualTo(wanted);
      assertThat(target.position()).isEqualTo(9);
      assertThat(target.slice(9, wanted))
          .isEqualTo(ByteBuffer.wrap(block, range.from(), wanted).slice());
      assertThat(target.get(8)).isZero();
      assertThat(target.get(9 + wanted)).isZero();
    }
  }

  @Test
  void eachPageIsHeldAgainstItsOwnChecksum() throws Exception {
    byte[] bytes = new byte[2 * PAGE + 100];
    new Random(2).nextBytes(bytes);
    var sums = new ArrayList<Integer>();
    for (int at = 0; at < bytes.length; at += PAGE) {
      var crc = new CRC32C();
      crc.update(bytes, at, Math.min(PAGE, bytes.length - at));
      sums.add((int) crc.getValue());
    }
    var three = new PageSums(WHOLE, PAGE, 4, sums);
    three.check(4 * PAGE, ByteBuffer.wrap(bytes));
    three.check(5 * PAGE, ByteBuffer.wrap(bytes, PAGE, PAGE).slice());
    three.check(6 * PAGE, ByteBuffer.wrap(bytes, 2 * PAGE, 100).slice());
    var wrong = ByteBuffer.wrap(bytes, PAGE, PAGE).slice();
    failsWith(ErrorCode.DAMAGED, () -> three.check(6 * PAGE, wrong))
        .hasMessageContaining("at " + 6 * PAGE + " does not match");
    failsWith(ErrorCode.DAMAGED, () -> three.check(7 * PAGE, wrong))
        .hasMessageContaining("are missing from " + 7 * PAGE);
    bytes[PAGE + 1]++;
    failsWith(ErrorCode.DAMAGED, () -> three.check(4 * PAGE, ByteBuffer.wrap(bytes)))
        .hasMessageContaining("at " + 5 * PAGE + " does not match");
  }
}
