package io.eley.scheduler.hooks.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Latencies by their deviations from a baseline of exactly 1 ms, whose logarithm is believed to
 * deviate by 0.1.
 */
class ProbeDetectorTest {
  private static final double ALONE = 1e6;
  private final ProbeDetector detector = new ProbeDetector();

  @BeforeEach
  void learnTheBaseline() {
    for (int i = 0; i < 10; i++) {
      assertThat(observe(0)).isFalse();
    }
  }

  /** A latency that is so many deviations slower than the baseline. */
  private boolean observe(double deviations) {
    return observe(deviations, 0);
  }

  private boolean observe(double deviations, double ours) {
    return detector.observe(Math.round(ALONE * Math.exp(0.1 * deviations)), ours);
  }

  private void somebodyComes() {
    assertThat(observe(50)).as("one slow disk flush").isFalse();
    assertThat(observe(50)).isTrue();
  }

  @Test
  void somebodyIsThereWithTheSecondSlowLatencyAndNotWithTheFirst() {
    somebodyComes();
    assertThat(observe(50)).isTrue();
  }

  @Test
  void oneLatencyWithinTheAllowanceDoesNotEndWhatTwoInARowDo() {
    somebodyComes();
    assertThat(observe(0)).as("the first calm one").isTrue();
    assertThat(observe(0)).as("the second").isFalse();
  }

  @Test
  void calmOnesThatAreNotInARowDoNotEndIt() {
    somebodyComes();
    for (int i = 0; i < 5; i++) {
      assertThat(observe(0)).isTrue();
      assertThat(observe(3)).isTrue();
    }
    assertThat(observe(0)).isTrue();
    assertThat(observe(0)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"1.4, false", "1.6, true"})
  void whatIsWithinTheAllowanceIsCalm(double deviations, boolean somebody) {
    somebodyComes();
    observe(deviations);
    assertThat(observe(deviations)).isEqualTo(somebody);
    assertThat(observe(deviations)).isEqualTo(somebody);
  }

  @Test
  void afterItsEndOneSlowLatencyIsNobodyAgain() {
    somebodyComes();
    observe(0);
    assertThat(observe(0)).isFalse();
    somebodyComes();
  }

  @Test
  void calmLatenciesBeforeItComesDoNotShortenIt() {
    for (int i = 0; i < 5; i++) {
      assertThat(observe(0)).isFalse();
    }
    somebodyComes();
    assertThat(observe(0)).isTrue();
    assertThat(observe(0)).isFalse();
  }

  @Test
  void howeverLongItStaysItIsNotLearned() {
    somebodyComes();
    for (int i = 0; i < 500; i++) {
      assertThat(observe(20)).isTrue();
    }
    observe(0);
    assertThat(observe(0)).isFalse();
    somebodyComes();
  }

  /** Each adds what it is above the allowance of 1.5; more than 4 in all is somebody. */
  @Test
  void slightExcessesAddUp() {
    assertThat(observe(3)).isFalse();
    assertThat(observe(3)).isFalse();
    assertThat(observe(3)).as("4.5 of 4").isTrue();
  }

  @Test
  void excessesThatAreFollowedByCalmDoNotAddUp() {
    for (int i = 0; i < 20; i++) {
      assertThat(observe(4)).isFalse();
      assertThat(observe(0)).isFalse();
      assertThat(observe(0)).isFalse();
    }
  }

  @Test
  void aLoadOfOursWithoutABaselineEndsIt() {
    somebodyComes();
    assertThat(observe(50, 64e6)).isFalse();
    assertThat(observe(50, 0)).as("it is to be found again").isFalse();
    assertThat(observe(50, 0)).isTrue();
  }

  @Test
  void loadsOfOursAreToldApartByPowersOfTwo() {
    for (int i = 0; i < 10; i++) {
      assertThat(observe(30, 16e6)).as("learned").isFalse();
    }
    assertThat(observe(30, 16e6)).isFalse();
    assertThat(observe(30, 18e6)).as("nearly the same").isFalse();
    assertThat(observe(60, 16e6)).isFalse();
    assertThat(observe(60, 18e6)).isTrue();
    assertThat(observe(0, 1.9e6)).as("as good as none").isTrue();
    assertThat(observe(0, 0)).isFalse();
  }
}
