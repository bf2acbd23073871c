package io.eley.controller.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Distances that were seen, with worked numbers. */
class TrackTest {
  private static Track of(long... distances) {
    var track = new Track(2);
    for (long each : distances) {
      track.add(each);
    }
    return track;
  }

  private static Track.Window window(Track track) {
    return track.window(new Track.Question(0, 0, 0)).orElseThrow();
  }

  @Test
  void theMedianOfAnOddAndOfAnEvenNumber() {
    assertThat(of(30, 10, 20).median()).isEqualTo(20);
    assertThat(of(40, 10, 20, 30).median()).isEqualTo(25);
  }

  @Test
  void theWindowIsWidenedTheMoreTheFewerWereSeen() {
    var few = window(of(90, 100));
    assertThat(few.onset()).isEqualTo(95);
    assertThat(few.from()).as("1.5 × 10 / 2").isEqualTo(83);
    assertThat(few.until()).isEqualTo(107);
    var more = window(of(90, 94, 96, 98, 100));
    assertThat(more.from()).as("1.5 × 10 / 5").isEqualTo(87);
    assertThat(more.until()).isEqualTo(103);
  }

  @Test
  void whatNeverVariedHasAWindowOfTheGuardAlone() {
    assertThat(of(700, 700, 700).window(new Track.Question(0, 0, 50)))
        .get()
        .satisfies(
            w -> {
              assertThat(w.from()).isEqualTo(650);
              assertThat(w.until()).isEqualTo(750);
            });
  }

  @Test
  void aRareOnsetFarAwayDoesNotWidenTheWindow() {
    var window = window(of(100, 100, 100, 5, 100, 100, 400, 100, 100));
    assertThat(window.from()).isEqualTo(100);
    assertThat(window.until()).isEqualTo(100);
  }

  @Test
  void aHoldIsNeverLongerThanTheTimeBeforeIt() {
    var window = window(of(10, 30, 50, 70, 90));
    assertThat(window.until() - window.from()).isLessThanOrEqualTo(window.from());
    var later = of(10, 30, 50, 70, 90).window(new Track.Question(40, 0, 0)).orElseThrow();
    assertThat(later.until() - later.from()).isLessThanOrEqualTo(later.from() - 40);
  }

  @Test
  void whatIsLeftIsForeseenWhenTheUsualOnsetHasNotCome() {
    var track = of(100, 100, 200, 100, 200, 100, 100, 200);
    assertThat(window(track).onset()).isEqualTo(100);
    assertThat(track.window(new Track.Question(100, 0, 0)).orElseThrow().onset()).isEqualTo(200);
    assertThat(track.window(new Track.Question(200, 0, 0))).as("nothing came so late").isEmpty();
  }

  @Test
  void fewDistancesPromiseLessThanManyAndHeldTimeCostsHalfItsPart() {
    assertThat(window(of(100)).worth()).as("1 / (1 + 1)").isCloseTo(0.5, within(1e-9));
    assertThat(window(of(100, 100)).worth()).isCloseTo(1.9 / 2.9, within(1e-9));
    assertThat(of(100).window(new Track.Question(0, 0, 20)).orElseThrow().worth())
        .as("a fifth of the pause is held")
        .isCloseTo((1 - 0.5 * 0.2) / 2, within(1e-9));
  }

  @Test
  void twoDistancesOfAnotherSizeAreAnotherRegimeAndOneIsNot() {
    var track = of(98, 100, 102, 100, 200);
    assertThat(track.median()).isEqualTo(100);
    track.add(204);
    assertThat(track.median()).as("all are taken as if they had been twice as long").isEqualTo(202);
    assertThat(window(track).from()).isBetween(190L, 200L);
    assertThat(window(track).until()).isBetween(204L, 215L);
  }

  @Test
  void aSizeThatWasSeenBeforeIsNoOtherRegime() {
    assertThat(of(100, 200, 100, 100, 200, 200).median()).isEqualTo(150);
    assertThat(of(100, 100, 100, 200, 300).median()).as("not alike").isEqualTo(100);
  }

  @Test
  void oneStrayOfEightDoesNotHideAnotherRegime() {
    var track = of(200, 200, 100, 200, 200, 200, 200, 200, 100, 100);
    assertThat(track.median()).as("the others are taken as if they had been 100").isEqualTo(100);
    assertThat(of(200, 200, 100, 200, 100, 100).median()).as("one of four").isEqualTo(150);
  }

  @Test
  void onlyTheLastThirtyTwoCount() {
    var track = of(6);
    LongStream.range(0, 31).forEach(i -> track.add(5));
    assertThat(track.count()).isEqualTo(32);
    assertThat(track.quantile(1)).isEqualTo(6);
    track.add(5);
    assertThat(track.count()).isEqualTo(32);
    assertThat(track.quantile(1)).isEqualTo(5);
  }

  @Test
  void nothingHasNoWindow() {
    assertThat(of().median()).isZero();
    assertThat(of().count()).isZero();
    assertThat(of().window(new Track.Question(0, 0, 0))).isEmpty();
  }
}
