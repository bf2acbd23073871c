package io.eley.prefetcher.plan;

import static io.eley.prefetcher.plan.Plans.BLOCK;
import static io.eley.prefetcher.plan.Plans.blocks;
import static io.eley.prefetcher.plan.Plans.versions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.Split;
import io.eley.prefetcher.Seed;
import io.eley.prefetcher.plan.PlanOptions.Retries;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SplitBlocksTest {
  private static final FileVersion FILE = Plans.file("/f", 10);

  private static Split split(FileSlice... slices) {
    return new Split(0, List.of(slices));
  }

  private static FileSlice slice(FileVersion file, long offset, long length) {
    return new FileSlice(file.path(), new ByteRange(offset, length));
  }

  private static List<BlockId> cut(long overrun, FileVersion file, long offset, long length) {
    return new SplitBlocks(Plans.options(1, overrun))
        .of(split(slice(file, offset, length)), versions(file))
        .blocks();
  }

  @Test
  void theExampleOfTheDocumentation() {
    int mib = 1 << 20;
    var options = new PlanOptions(new BlockGeometry(16 * mib, mib), 1, 64 << 10);
    var cutter = new SplitBlocks(options);
    var longer = new FileVersion("/f", 40L * mib, 1);
    assertThat(cutter.of(split(slice(longer, 0, 32L * mib)), versions(longer)).blocks())
        .isEqualTo(blocks(longer, 0, 1, 2));
    var shorter = new FileVersion("/f", 32L * mib, 1);
    assertThat(cutter.of(split(slice(shorter, 0, 32L * mib)), versions(shorter)).blocks())
        .isEqualTo(blocks(shorter, 0, 1));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 0, 0",
    "0, 4096, 0, 0",
    "0, 4097, 0, 1",
    "4095, 1, 0, 0",
    "4095, 2, 0, 1",
    "4096, 4096, 1, 1",
    "40959, 1, 9, 9",
    "40959, 9999, 9, 9"
  })
  void aSliceNeedsTheBlocksThatItsBytesLieIn(long offset, long length, int first, int last) {
    List<BlockId> cut = cut(0, FILE, offset, length);
    assertThat(cut.get(0).index()).isEqualTo(first);
    assertThat(cut.get(cut.size() - 1).index()).isEqualTo(last);
    assertThat(cut).hasSize(last - first + 1);
  }

  @Test
  void whatIsEmptyOrBehindTheEndOfItsFileNeedsNothing() {
    assertThat(cut(100, FILE, 50, 0)).isEmpty();
    assertThat(cut(100, FILE, FILE.length(), 5)).isEmpty();
    assertThat(cut(100, FILE, FILE.length() + 5, 5)).isEmpty();
    assertThat(cut(100, new FileVersion("/f", 0, 1), 0, 5)).isEmpty();
  }

  @Test
  void anOverrunBeyondWhatLongsCountReachesTheEndOfTheFile() {
    assertThat(cut(Long.MAX_VALUE, FILE, 5L * BLOCK, 1)).isEqualTo(blocks(FILE, 5, 6, 7, 8, 9));
    assertThat(cut(5, FILE, 9L * BLOCK, Long.MAX_VALUE - 9L * BLOCK)).isEqualTo(blocks(FILE, 9));
  }

  @Test
  void slicesAreCutInTheirOrderAndABlockComesOnce() {
    var other = Plans.file("/g", 3);
    var split =
        split(
            slice(FILE, 3L * BLOCK, 10),
            slice(other, 0, 2L * BLOCK),
            slice(FILE, 2L * BLOCK + 5, 2L * BLOCK));
    assertThat(new SplitBlocks(Plans.options(1, 0)).of(split, versions(FILE, other)).blocks())
        .containsExactly(
            new BlockId(FILE, 3),
            new BlockId(other, 0),
            new BlockId(other, 1),
            new BlockId(FILE, 2),
            new BlockId(FILE, 4));
    assertThat(new SplitBlocks(Plans.options(1, 0)).of(split, versions(other)).blocks())
        .as("a file whose version is not known")
        .isEqualTo(blocks(other, 0, 1));
  }

  @Test
  void anEndlessSplitIsCutOffAfterMoreBlocksThanAnybodyPlans() {
    var huge = Plans.file("/f", 100_000);
    List<BlockId> cut = cut(0, huge, 0, huge.length());
    assertThat(cut).hasSize(1 << 16);
    assertThat(cut.get(cut.size() - 1).index()).isEqualTo((1 << 16) - 1);
  }

  @Test
  void everyByteOfASplitAndItsOverrunLiesInItsBlocksAndNoBlockIsForNothing() {
    var random = Seed.random("the splits");
    for (int i = 0; i < 3000; i++) {
      var file = new FileVersion("/f", 1 + random.nextInt(12 * BLOCK), 1);
      long offset = random.nextInt(12 * BLOCK);
      long length = random.nextInt(5 * BLOCK);
      long overrun = random.nextInt(2 * BLOCK);
      var expected = new LinkedHashSet<Integer>();
      long end = Math.min(file.length(), offset + length + overrun);
      for (long at = offset; length > 0 && at < end; at++) {
        expected.add((int) (at / BLOCK));
      }
      assertThat(cut(overrun, file, offset, length))
          .extracting(BlockId::index)
          .containsExactlyElementsOf(expected);
    }
  }

  @Test
  void theExactExampleOfTheDocumentation() {
    int mib = 1 << 20;
    var cutter = new SplitBlocks(new PlanOptions(new BlockGeometry(16 * mib, mib), 1, 64 << 10));
    var file = new FileVersion("/f", 40L * mib, 1);
    var planned = cutter.of(Plans.exact(0, file, 20_000, 16 * mib + 1 - 20_000), versions(file));
    assertThat(planned.blocks()).isEqualTo(blocks(file, 0, 1));
    assertThat(planned.pages()).containsExactly(PageSet.range(1, 1024), PageSet.range(0, 1));
  }

  private static PlannedSplit cutExactly(FileVersion file, long... slices) {
    return new SplitBlocks(new PlanOptions(Plans.PAGED, 1, 64 << 10))
        .of(Plans.exact(0, file, slices), versions(file));
  }

  @Test
  void slicesOfOneBlockAreOnePartAndNothingIsAddedAtTheirEnds() {
    var file = new FileVersion("/f", 10L * BLOCK + 7, 1);
    var planned = cutExactly(file, 9 * BLOCK - 1, 1, 5 * BLOCK, 1, 3 * BLOCK, 1, 8 * BLOCK, BLOCK);
    assertThat(planned.blocks()).isEqualTo(blocks(file, 2, 1, 0));
    assertThat(planned.pages())
        .containsExactly(PageSet.range(0, 1), PageSet.range(1, 2), PageSet.range(3, 4));
  }

  @Test
  void aBlockThatIsReadToItsLastPageIsWholeAndSoIsTheLastOfAFile() {
    var file = new FileVersion("/f", 9L * BLOCK + 7, 1);
    var planned = cutExactly(file, 1, 4 * BLOCK - 1, 8 * BLOCK + 5, Long.MAX_VALUE / 2);
    assertThat(planned.blocks()).isEqualTo(blocks(file, 0, 2));
    assertThat(planned.pages()).allMatch(PageSet::isAll);
  }

  @Test
  void exactSlicesThatAreEmptyBehindTheEndOrOfUnknownFilesNeedNothing() {
    assertThat(cutExactly(FILE, 50, 0, FILE.length(), 5, FILE.length() + 5, 5).blocks()).isEmpty();
    var unknown = Plans.exact(0, FILE, 0, 5);
    assertThat(new SplitBlocks(Plans.options(1, 0)).of(unknown, versions()).blocks()).isEmpty();
  }

  @Test
  void anEndlessExactSplitIsCutOffToo() {
    var huge = Plans.file("/f", 400_000);
    assertThat(cutExactly(huge, 0, huge.length(), 0, huge.length()).blocks()).hasSize(1 << 16);
  }

  /** Of every exact split each byte is planned, and at most two pages more for each slice. */
  @Test
  void thePagesOfAnExactSplitAreThoseOfItsSlices() {
    var random = Seed.random("the exact splits");
    for (int i = 0; i < 2000; i++) {
      var file = new FileVersion("/f", 1 + random.nextInt(40 * BLOCK), 1);
      var slices = new long[2 * (1 + random.nextInt(6))];
      for (int s = 0; s < slices.length; s += 2) {
        slices[s] = random.nextInt(44 * BLOCK);
        slices[s + 1] = random.nextInt(random.nextBoolean() ? 50 : 6 * BLOCK);
      }
      var expected = new TreeSet<Long>();
      long bytes = 0;
      for (int s = 0; s < slices.length; s += 2) {
        long end = Math.min(file.length(), slices[s] + slices[s + 1]);
        bytes += Math.max(0, end - slices[s]);
        for (long at = slices[s]; at < end; at = (at / BLOCK + 1) * BLOCK) {
          expected.add(at / BLOCK);
        }
      }
      var planned = new TreeSet<Long>();
      var length = new AtomicLong();
      cutExactly(file, slices)
          .forEach(
              (block, pages) -> {
                int count = Plans.PAGED.pageCount(Plans.PAGED.length(block));
                pages.bits(count).stream().forEach(page -> planned.add(4L * block.index() + page));
                length.addAndGet(Plans.PAGED.length(new BlockPart(block, pages)));
              });
      assertThat(planned).isEqualTo(expected);
      assertThat(length.get()).isLessThanOrEqualTo(bytes + slices.length * (long) BLOCK);
    }
  }

  @Test
  void pausesDoubleAndNeverOverflow() {
    var retries = new Retries(3, Duration.ofMillis(500));
    assertThat(retries.pauseNanos(1)).isEqualTo(500_000_000L);
    assertThat(retries.pauseNanos(2)).isEqualTo(1_000_000_000L);
    assertThat(retries.pauseNanos(4)).isEqualTo(4_000_000_000L);
    assertThat(retries.pauseNanos(17)).isEqualTo(500_000_000L << 16);
    assertThat(retries.pauseNanos(1000)).isEqualTo(500_000_000L << 16);
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    for (org.assertj.core.api.ThrowableAssert.ThrowingCallable call :
        List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
            () -> Plans.options(-1, 0),
            () -> Plans.options(0, -1),
            () -> new Retries(0, Duration.ZERO),
            () -> new Retries(1, Duration.ofNanos(-1)))) {
      assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(new Retries(1, Duration.ZERO).pauseNanos(1)).isZero();
  }
}
