package io.eley.controller.predict;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Distances that were seen, with worked numbers. */
class TrackTest {
  private static Track of(long... distances) {
    var track = new Track();
    for (long each : distances) {
      track.add(each);
    }
    return track;
  }

  @Test
  void theMedianOfAnOddAndOfAnEvenNumber() {
    assertThat(of(30, 10, 20).median()).isEqualTo(20);
    assertThat(of(40, 10, 20, 30).median()).isEqualTo(25);
  }

  @Test
  void earlyAndLateAreWidenedTheMoreTheFewerWereSeen() {
    var few = of(90, 100);
    assertThat(few.median()).isEqualTo(95);
    assertThat(few.early()).as("twice what was seen").isEqualTo(10);
    assertThat(few.late()).isEqualTo(10);
    var more = of(90, 100, 100, 130);
    assertThat(more.early()).as("half as much again").isEqualTo(15);
    assertThat(more.late()).isEqualTo(45);
    assertThat(more.spread()).isEqualTo(60);
  }

  @Test
  void whatNeverVariedHasNoSpread() {
    assertThat(of(7, 7, 7).spread()).isZero();
  }

  @Test
  void onlyTheLastThirtyTwoCount() {
    var track = of(1000);
    assertThat(track.most()).isEqualTo(1000);
    for (int i = 0; i < 31; i++) {
      track.add(5);
    }
    assertThat(track.count()).isEqualTo(32);
    assertThat(track.most()).isEqualTo(1000);
    track.add(5);
    assertThat(track.count()).isEqualTo(32);
    assertThat(track.most()).isEqualTo(5);
  }

  @Test
  void theMostOfNothingIsNothing() {
    assertThat(of().most()).isZero();
    assertThat(of().count()).isZero();
  }
}
