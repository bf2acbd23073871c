package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ByteRange;
import org.junit.jupiter.api.Test;

class ReadRangesTest {
  private static final int APART = 1 << 20;

  private final ReadRanges ranges = new ReadRanges();

  @Test
  void whatIsReadOneAfterTheOtherIsOneRange() {
    for (int i = 0; i < 100_000; i++) {
      ranges.reads(7L + 10L * i, 10);
    }
    assertThat(ranges.all()).containsExactly(new ByteRange(7, 1_000_000));
  }

  @Test
  void jumpsAreRangesOfTheirOwnInTheOrderOfTheFile() {
    ranges.reads(5L * APART, 10);
    ranges.reads(0, 10);
    ranges.reads(5L * APART, 20);
    assertThat(ranges.all()).containsExactly(new ByteRange(0, 10), new ByteRange(5L * APART, 20));
  }

  @Test
  void ofTooManyRangesTheNearestBecomeOneAndNothingIsLost() {
    for (int i = 0; i < 5 * ColumnRanges.MOST; i++) {
      ranges.reads((long) i * APART, 1);
    }
    var all = ranges.all();
    assertThat(all).hasSizeLessThanOrEqualTo(ColumnRanges.MOST);
    assertThat(all.get(0).offset()).isZero();
    assertThat(all.get(all.size() - 1).end()).isEqualTo((5L * ColumnRanges.MOST - 1) * APART + 1);
  }
}
