package io.eley.scheduler.hooks.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.scheduler.hooks.counters.CounterDeltas.Delta;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterDeltasTest {
  private static final long MS = 1_000_000;
  private static final long WRAP = 1L << 32;
  private final CounterDeltas deltas = new CounterDeltas();

  private List<Delta> take(long nowMillis, CounterPoint... points) {
    return deltas.take(List.of(points), nowMillis * MS);
  }

  private static CounterPoint point(String server, long age, long bytes) {
    return new CounterPoint(server, age, bytes);
  }

  /** 2^32 is 4294967296, three quarters of it 3221225472, a quarter 1073741824. */
  @ParameterizedTest
  @CsvSource({
    "7, 7, 0",
    "0, 4294967296, 4294967296",
    "4294967295, 0, 1",
    "4294967295, 1073741823, 1073741824",
    "4294967295, 1073741824, 1073741824",
    "3221225473, 0, 1073741823",
    "3221225473, 1073741823, 2147483646",
    "3221225472, 1000, 1000",
    "4294967296, 1000, 1000",
    "4294967297, 1000, 1000",
    "1000, 999, 999"
  })
  void aCounterThatGoesDownHasWrappedOnlyFromTheTopOf32BitsToTheirBottom(
      long before, long after, long moved) {
    assertThat(CounterDeltas.moved(before, after)).isEqualTo(moved);
  }

  @Test
  void aWrapBetweenTwoPollsLosesNothing() {
    assertThat(take(1000, point("a", 0, WRAP - 100))).isEmpty();
    assertThat(take(2000, point("a", 0, 50))).containsExactly(new Delta(1000 * MS, 2000 * MS, 150));
    assertThat(take(3000, point("a", 0, 60))).containsExactly(new Delta(2000 * MS, 3000 * MS, 10));
  }

  /** However much is moved between polls, as long as it is less than half of the counter. */
  @Test
  void theSumOverManyWrapsIsWhatWasMoved() {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the counters (-Deley.test.seed=...): " + seed);
    var random = new Random(seed);
    long counter = WRAP - 1000;
    long moved = 0;
    long counted = 0;
    take(0, point("a", 0, counter));
    for (int i = 1; i <= 1000; i++) {
      long bytes = random.nextInt(1 << 29);
      moved += bytes;
      counter = (counter + bytes) % WRAP;
      for (Delta delta : take(1000L * i, point("a", 0, counter))) {
        counted += delta.bytes();
      }
    }
    assertThat(counted).isEqualTo(moved).isGreaterThan(20 * WRAP);
  }

  @Test
  void aPointThatWasToldBeforeCountsOnce() {
    take(1000, point("a", 0, 100));
    assertThat(take(2000, point("a", 1000, 100), point("a", 0, 130)))
        .containsExactly(new Delta(1000 * MS, 2000 * MS, 30));
    assertThat(take(2049, point("a", 0, 999))).as("its clock is in milliseconds").isEmpty();
    assertThat(take(2050, point("a", 0, 999)))
        .containsExactly(new Delta(2000 * MS, 2050 * MS, 869));
  }

  @Test
  void serversThatTookTheirPointsAtTheSameTimeAreAddedUp() {
    take(1000, point("a", 0, 100), point("b", 20, 5000));
    assertThat(take(2300, point("a", 100, 110), point("b", 90, 5001), point("c", 95, 7)))
        .as("c has no point before")
        .containsExactly(new Delta(980 * MS, 2210 * MS, 11));
    assertThat(take(3300, point("c", 100, 20), point("a", 600, 210)))
        .as("the oldest first")
        .containsExactly(new Delta(2200 * MS, 2700 * MS, 100), new Delta(2205 * MS, 3200 * MS, 13));
  }

  @Test
  void aHistoryIsAsManyDeltasAsItHasPoints() {
    take(0, point("a", 0, 0));
    var points = new ArrayList<CounterPoint>();
    for (int second = 1; second <= 5; second++) {
      points.add(point("a", 5000 - 1000L * second, 10L * second * second));
    }
    assertThat(deltas.take(points, 5000 * MS))
        .extracting(Delta::bytes)
        .containsExactly(10L, 30L, 50L, 70L, 90L);
  }
}
