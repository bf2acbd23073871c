package io.eley.prefetcher.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.prefetcher.Seed;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HoldAgeTest {
  private static final Duration MOST = Duration.ofSeconds(60);

  private static long seconds(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void anAgeGrowsInPhasesUpToTheDelayAndShrinksFourTimesAsFastBetweenThem() {
    var age = new HoldAge(MOST, seconds(100));
    assertThat(age.advance(true, seconds(110))).as("no phase so far").isZero();
    assertThat(age.advance(true, seconds(150))).hasSeconds(40);
    assertThat(age.advance(false, seconds(160))).hasSeconds(50);
    assertThat(age.advance(false, seconds(165))).hasSeconds(30);
    assertThat(age.advance(true, seconds(170))).hasSeconds(10);
    assertThat(age.advance(true, seconds(1000))).isEqualTo(MOST);
    assertThat(age.advance(false, seconds(1001))).isEqualTo(MOST);
    assertThat(age.advance(false, seconds(1015))).hasSeconds(4);
    assertThat(age.advance(false, seconds(1016))).isZero();
    assertThat(age.advance(true, seconds(5000))).isZero();
  }

  @Test
  void howOftenItIsAskedMakesNoDifference() {
    var random = Seed.random("the steps");
    for (int round = 0; round < 200; round++) {
      var coarse = new HoldAge(MOST, 0);
      var fine = new HoldAge(MOST, 0);
      long now = 0;
      boolean open = false;
      for (int change = 0; change < 20; change++) {
        long until = now + seconds(random.nextInt(90));
        while (now < until) {
          now = Math.min(until, now + seconds(1 + random.nextInt(20)));
          fine.advance(open, now);
        }
        open = random.nextBoolean();
        assertThat(fine.advance(open, now)).isEqualTo(coarse.advance(open, now));
      }
    }
  }

  @Test
  void aClockThatWrapsIsAClockLikeOthers() {
    var age = new HoldAge(MOST, Long.MAX_VALUE - 5);
    age.advance(true, Long.MAX_VALUE);
    assertThat(age.advance(true, Long.MIN_VALUE + 9)).hasNanos(10);
  }
}
