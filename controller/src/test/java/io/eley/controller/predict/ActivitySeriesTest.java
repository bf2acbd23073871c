package io.eley.controller.predict;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Intervals cut into bins; nothing gets lost inside the time asked for. */
class ActivitySeriesTest {
  private final ActivitySeries series = new ActivitySeries();

  @Test
  void anIntervalIsSpreadEvenlyOverTheBinsItTouches() {
    series.add(5, 25, 200);
    assertThat(series.bins(0, 30, 10)).containsExactly(50, 100, 50);
  }

  @Test
  void whatLiesOutsideTheTimeAskedForDoesNotCount() {
    series.add(0, 40, 400);
    assertThat(series.bins(10, 30, 10)).containsExactly(100, 100);
    assertThat(series.bins(50, 70, 10)).containsExactly(0, 0);
  }

  @Test
  void intervalsAddUp() {
    series.add(0, 10, 5);
    series.add(0, 10, 7);
    assertThat(series.bins(0, 20, 10)).containsExactly(12, 0);
  }

  @Test
  void aBinThatTheTimeCutsOffIsLeftOut() {
    series.add(0, 25, 250);
    assertThat(series.bins(0, 25, 10)).hasSize(2);
    assertThat(series.bins(25, 0, 10)).isEmpty();
  }

  @Test
  void anIntervalOfNoLengthIsAllInOneBin() {
    series.add(15, 15, 9);
    assertThat(series.bins(0, 30, 10)).containsExactly(0, 9, 0);
  }

  @Test
  void nothingIsNoInterval() {
    series.add(0, 10, 0);
    assertThat(series.isEmpty()).isTrue();
    series.add(0, 10, 1);
    assertThat(series.isEmpty()).isFalse();
  }

  @Test
  void theOldestOfTooManyIntervalsIsForgotten() {
    for (int i = 0; i <= 8192; i++) {
      series.add(i, i + 1, 1);
    }
    double[] bins = series.bins(0, 8193, 1);
    assertThat(bins[0]).isZero();
    assertThat(bins[1]).isEqualTo(1);
    assertThat(sum(bins)).isEqualTo(8192);
  }

  private static double sum(double[] bins) {
    double sum = 0;
    for (double each : bins) {
      sum += each;
    }
    return sum;
  }
}
