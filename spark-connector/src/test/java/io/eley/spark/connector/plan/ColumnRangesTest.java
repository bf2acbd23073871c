package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ByteRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ColumnRangesTest {
  private static final long GAP = ColumnRanges.GAP_BYTES;

  @Test
  void rangesAreOrderedAndEmptyOnesLeftOut() {
    var ranges = List.of(range(500_000, 10), range(100_000, 0), range(0, 10));
    assertThat(ColumnRanges.merged(ranges, 10)).containsExactly(range(0, 10), range(500_000, 10));
  }

  @Test
  void rangesThatOverlapOrTouchBecomeOne() {
    var ranges = List.of(range(0, 100), range(50, 10), range(100, 50), range(40, 100));
    assertThat(ColumnRanges.merged(ranges, 10)).containsExactly(range(0, 150));
  }

  @Test
  void aGapBelowAPageIsClosedAndOneOfAPageIsNot() {
    assertThat(ColumnRanges.merged(List.of(range(0, 10), range(9 + GAP, 10)), 10))
        .containsExactly(range(0, 19 + GAP));
    assertThat(ColumnRanges.merged(List.of(range(0, 10), range(10 + GAP, 10)), 10)).hasSize(2);
  }

  @Test
  void theNearestBecomeOneWhenThereAreTooMany() {
    long far = 10 * GAP;
    var ranges = List.of(range(0, 1), range(far, 1), range(3 * far, 1), range(7 * far, 1));
    assertThat(ColumnRanges.merged(ranges, 4)).hasSize(4);
    assertThat(ColumnRanges.merged(ranges, 3))
        .containsExactly(range(0, far + 1), range(3 * far, 1), range(7 * far, 1));
    assertThat(ColumnRanges.merged(ranges, 1)).containsExactly(range(0, 7 * far + 1));
  }

  @Test
  void noByteIsLostAndTheBoundHoldsWhateverTheRangesAre() {
    var random = new Random(14);
    for (int round = 0; round < 200; round++) {
      var ranges = new ArrayList<ByteRange>();
      IntStream.range(0, 1 + random.nextInt(60))
          .forEach(i -> ranges.add(range(random.nextInt(2_000_000), random.nextInt(20_000))));
      int most = 1 + random.nextInt(20);
      var merged = ColumnRanges.merged(ranges, most);
      assertThat(merged).hasSizeLessThanOrEqualTo(most);
      for (ByteRange wanted : ranges) {
        assertThat(merged)
            .as("%s in %s", wanted, merged)
            .matches(
                all ->
                    wanted.length() == 0
                        || all.stream()
                            .anyMatch(
                                m -> m.offset() <= wanted.offset() && m.end() >= wanted.end()));
      }
      for (int i = 1; i < merged.size(); i++) {
        assertThat(merged.get(i).offset() - merged.get(i - 1).end()).isGreaterThanOrEqualTo(GAP);
      }
    }
  }

  private static ByteRange range(long offset, long length) {
    return new ByteRange(offset, length);
  }
}
