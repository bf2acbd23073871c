package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Pages that are checked while they arrive. */
class ArrivingPagesTest {
  private static final BlockGeometry GEOMETRY = new BlockGeometry(1 << 20, 1 << 18);
  private static final int PAGE = GEOMETRY.pageSize();
  private static final int LENGTH = 3 * PAGE + 100;
  private static final BlockId BLOCK = new BlockId(new FileVersion("/f", 5L * PAGE + 100, 1), 0);

  /** From the second page to the file's end, which is in a page. */
  private static final PageRange RANGE = PageRange.of(BLOCK, GEOMETRY, 2 * PAGE, LENGTH);

  private final byte[] sent = new byte[LENGTH];
  private final List<Integer> sums = new ArrayList<>();
  private final ByteBuffer target = ByteBuffer.allocate(LENGTH);
  private final ArrivingPages pages = new ArrivingPages(BLOCK, RANGE, target);

  ArrivingPagesTest() {
    new Random(7).nextBytes(sent);
    for (int at = 0; at < LENGTH; at += PAGE) {
      var crc = new CRC32C();
      crc.update(sent, at, Math.min(PAGE, LENGTH - at));
      sums.add((int) crc.getValue());
    }
  }

  private void arrive(int from, int to) {
    target.put(from, sent, from, to - from);
    pages.arrived(to);
  }

  private void damaged(String... words) {
    assertThatThrownBy(pages::check)
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DAMAGED))
        .hasMessageContainingAll(words);
  }

  @Test
  void whateverThePiecesAreTheLastPageIsCheckedWhenItsLastByteIsThere() throws Exception {
    var random = new Random(8);
    pages.expect(sums);
    for (int at = 0; at < LENGTH; ) {
      int next = Math.min(LENGTH, at + 1 + random.nextInt(PAGE));
      arrive(at, next);
      at = next;
    }
    pages.check();
  }

  @Test
  void checksumsMayComeFrameByFrame() throws Exception {
    pages.expect(sums.subList(0, 2));
    arrive(0, 2 * PAGE);
    pages.expect(sums.subList(2, 4));
    arrive(2 * PAGE, LENGTH);
    pages.check();
  }

  @Test
  void eachPageIsHeldAgainstItsOwnChecksum() {
    for (int at = 0; at < LENGTH; at += PAGE) {
      var fresh = new ArrivingPages(BLOCK, RANGE, target);
      fresh.expect(sums);
      target.put(0, sent);
      target.put(at, (byte) (sent[at] + 1));
      fresh.arrived(LENGTH);
      assertThatThrownBy(fresh::check).hasMessageContaining("at " + (2 * PAGE + at) + " does not");
    }
  }

  /** What is put right again when the page was checked does not count. */
  @Test
  void whatArrivesIsCheckedAtOnceAndNotInTheEnd() {
    pages.expect(sums);
    sent[5]++;
    arrive(0, PAGE);
    sent[5]--;
    arrive(0, LENGTH);
    damaged("at " + 2 * PAGE + " does not match");
  }

  @Test
  void thereIsOneChecksumForEachPageAndNoMore() {
    pages.expect(sums.subList(0, 3));
    arrive(0, LENGTH);
    damaged("at " + 5 * PAGE + " is missing");
    var tooMany = new ArrivingPages(BLOCK, RANGE, target);
    tooMany.expect(sums);
    tooMany.expect(List.of(1));
    tooMany.arrived(LENGTH);
    assertThatThrownBy(tooMany::check).hasMessageContaining("are not those that were asked for");
  }

  @Test
  void whatHasNotArrivedIsNotRight() {
    pages.expect(sums);
    arrive(0, LENGTH - 1);
    damaged("are not those that were asked for");
  }
}
