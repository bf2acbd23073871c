package io.eley.bb.server.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eley.bb.api.ReadTime;
import java.util.Comparator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What carrier sense is told of our own load, with times by hand. */
class LoadMeterTest {
  private static final Offset<Double> EXACTLY = within(1e-12);

  private final LoadMeter meter = new LoadMeter();

  @Test
  void aReadAloneIsOneWhateverWentBefore() {
    var first = meter.begin(1, 1_000);
    meter.begin(2, 1_500);
    var third = meter.begin(3, 1_500);
    assertThat(meter.end(third, 2_000)).isEqualTo(3, EXACTLY);
    assertThat(meter.end(first, 2_000)).isEqualTo(2, EXACTLY); // 500 ns alone, 500 ns with two
    // One is left.
    var alone = new LoadMeter();
    alone.end(alone.begin(1, 10), 20);
    var later = alone.begin(1, 1_000_000);
    assertThat(alone.end(later, 1_000_100)).isEqualTo(1, EXACTLY);
  }

  @Test
  void readsThatOverlapCountForAsLongAsTheyDo() {
    var early = meter.begin(1, 0);
    var late = meter.begin(1, 300);
    assertThat(meter.end(early, 400)).isEqualTo(1.25, EXACTLY); // 100 of 400 ns with another
    assertThat(meter.end(late, 500)).isEqualTo(1.5, EXACTLY); // 100 of 200 ns with another
    assertThat(meter.underWay(600)).isEmpty();
  }

  @Test
  void aReadThatTookNoTimeMetThoseThatWereThere() {
    meter.begin(1, 100);
    var instant = meter.begin(1, 200);
    assertThat(meter.end(instant, 200)).isEqualTo(2, EXACTLY);
  }

  @Test
  void theReadsUnderWayTellHowLongTheyHaveTakenByNow() {
    meter.begin(4_000, 1_000);
    meter.begin(8_000, 1_600);
    var now = meter.underWay(1_800);
    assertThat(now.stream().sorted(Comparator.comparingInt(ReadTime::bytes)))
        .containsExactly(new ReadTime(0, 800, 4_000, 1.25), new ReadTime(0, 200, 8_000, 2));
  }

  @Test
  void twoThreadsThatReadTheClockInTheOtherOrderDoNoHarm() {
    var one = meter.begin(1, 1_000);
    var other = meter.begin(1, 990);
    assertThat(meter.underWay(980)).allMatch(read -> read.tookNanos() == 0);
    assertThat(meter.end(one, 1_100)).isEqualTo(2, EXACTLY);
    assertThat(meter.end(other, 1_200)).isBetween(1.0, 2.0);
  }

  @Test
  void aReadThatIsToldLateWasWithNoMoreThanThereWere() {
    var read = meter.begin(1, 1_000);
    var other = meter.begin(1, 1_010);
    meter.begin(1, 1_000_000); // while whoever has read the clock at 1,020 does not get on
    assertThat(meter.underWay(1_020)).allMatch(each -> each.underWay() <= 3);
    assertThat(meter.end(read, 1_020)).isBetween(1.9, 2.0);
    assertThat(meter.end(other, 2_000_000)).isBetween(1.9, 2.1);
  }

  @Test
  void aClockBelowZeroIsAClock() {
    var read = meter.begin(1, -1_000);
    var other = meter.begin(1, -900);
    assertThat(meter.end(other, -800)).isEqualTo(2, EXACTLY);
    assertThat(meter.end(read, -600)).isEqualTo(1.25, EXACTLY);
  }
}
