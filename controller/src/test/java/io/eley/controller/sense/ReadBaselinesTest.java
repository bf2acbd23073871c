package io.eley.controller.sense;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadTime;
import org.junit.jupiter.api.Test;

/** What reads usually take: of one load of ours, of all nodes' loads, of single reads. */
class ReadBaselinesTest {
  private static final long MS = 1_000_000;
  private static final ReadTime FOUR = new ReadTime(0, 10 * MS, 1 << 20, 4);

  private final ReadBaseline baseline = new ReadBaseline();
  private final ReadBaselines baselines = new ReadBaselines();

  @Test
  void fourReadsMakeABaselineAndTheShorterOfThemAreBelieved() {
    for (double time : new double[] {5, 3, 4}) {
      baseline.learn(time, 0);
      assertThat(baseline.known()).isFalse();
    }
    baseline.learn(2, 0);
    assertThat(baseline.known()).isTrue();
    assertThat(baseline.excess(3)).isZero();
    assertThat(baseline.spread()).as("at least").isEqualTo(0.05);
  }

  @Test
  void oneLongReadMovesNothing() {
    for (int i = 0; i < 14; i++) {
      baseline.learn(0, i * 100L * MS);
    }
    baseline.learn(1, 1400 * MS);
    assertThat(baseline.excess(0)).isZero();
    assertThat(baseline.spread()).isEqualTo(0.05);
  }

  @Test
  void othersOfOursCountForHalfASecond() {
    var alone = baselines.of("b", FOUR, 0);
    baselines.of("a", FOUR, 1000 * MS);
    var both = baselines.of("b", FOUR, 1400 * MS);
    assertThat(both).isNotSameAs(alone);
    assertThat(baselines.of("b", FOUR, 1500 * MS)).as("just").isSameAs(both);
    assertThat(baselines.of("b", FOUR, 1500 * MS + 1)).isSameAs(alone);
  }

  @Test
  void whatAReadTakesThatHasNotEndedIsKnownOnceFourHaveUnderThatLoad() {
    for (int i = 0; i < 4; i++) {
      assertThat(baselines.known("a", FOUR)).isEmpty();
      baselines.of("a", FOUR, i * MS).learn(3, i * MS);
    }
    assertThat(baselines.known("a", FOUR)).containsSame(baselines.of("a", FOUR, 5 * MS));
    assertThat(baselines.known("b", FOUR)).isEmpty();
  }

  @Test
  void aNodeThatLeavesIsForgottenAndNoOther() {
    var ofA = baselines.of("a", FOUR, 0);
    var ofB = baselines.of("b", FOUR, 1000 * MS);
    var single = baselines.singles("a");
    baselines.forget("a");
    assertThat(baselines.of("b", FOUR, 2000 * MS)).isSameAs(ofB);
    assertThat(baselines.of("a", FOUR, 3000 * MS)).isNotSameAs(ofA);
    assertThat(baselines.singles("a")).isNotSameAs(single);
  }

  @Test
  void ofNineSingleReadsTheThirdShortestIsTheLowerQuartile() {
    var singles = new RecentQuantile();
    for (double time : new double[] {9, 1, 8, 2, 7, 3, 6, 5, 4}) {
      singles.learn(time, 0);
    }
    assertThat(singles.value(0.25)).isEqualTo(3);
  }
}
