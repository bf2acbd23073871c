package io.eley.scheduler.hooks.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.scheduler.hooks.counters.CounterDeltas.Delta;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterDeltasTest {
  private static final long MS = 1_000_000;
  private static final long WRAP = 1L << 32;
  private final CounterDeltas deltas = new CounterDeltas();

  private Optional<Delta> take(long nowMillis, CounterPoint... points) {
    return deltas.take(List.of(points), nowMillis * MS);
  }

  private static CounterPoint point(String server, long bytes) {
    return new CounterPoint(server, bytes);
  }

  private static Delta delta(long fromMillis, long toMillis, long bytes) {
    return new Delta(fromMillis * MS, toMillis * MS, bytes);
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
    assertThat(take(1000, point("a", WRAP - 100))).isEmpty();
    assertThat(take(2000, point("a", 50))).contains(delta(1000, 2000, 150));
    assertThat(take(3000, point("a", 60))).contains(delta(2000, 3000, 10));
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
    take(0, point("a", counter));
    for (int i = 1; i <= 1000; i++) {
      long bytes = random.nextInt(1 << 29);
      moved += bytes;
      counter = (counter + bytes) % WRAP;
      counted += take(1000L * i, point("a", counter)).orElseThrow().bytes();
    }
    assertThat(counted).isEqualTo(moved).isGreaterThan(20 * WRAP);
  }

  @Test
  void aLookRightAfterAnotherSaysNothingAndLosesNothing() {
    take(1000, point("a", 100));
    assertThat(take(1049, point("a", 130))).isEmpty();
    assertThat(take(1250, point("a", 150))).contains(delta(1000, 1250, 50));
  }

  @Test
  void theServersOfOneLookAreAddedUp() {
    take(1000, point("a", 100), point("b", 5000));
    assertThat(take(2000, point("a", 110), point("b", 5001), point("c", 7)))
        .as("c was not there before")
        .contains(delta(1000, 2000, 11));
    assertThat(take(3000, point("a", 110), point("b", 5001), point("c", 20)))
        .contains(delta(2000, 3000, 13));
  }

  /** Else its first look after ten seconds would show ten seconds' bytes in one. */
  @Test
  void aServerThatWasAwayCountsForItsShareOfTheTime() {
    take(0, point("a", 0), point("b", 0));
    for (int second = 1; second < 10; second++) {
      take(1000L * second, point("a", 10L * second));
    }
    assertThat(take(10_000, point("a", 100), point("b", 500))).contains(delta(9000, 10_000, 60));
    assertThat(take(11_000, point("a", 110), point("b", 550))).contains(delta(10_000, 11_000, 60));
  }
}
