package io.eley.controller.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Begins whose distances are known, in seconds. */
class ChainsTest {
  private static final long SECOND = 1_000_000_000L;

  private static long[] newestFirst(LongStream seconds) {
    long[] sorted = seconds.map(s -> -s).sorted().map(s -> -s * SECOND).toArray();
    return sorted;
  }

  @Test
  void twoApplicationsInOneSeriesAreTwoChains() {
    long[] begins =
        newestFirst(
            LongStream.concat(
                LongStream.range(0, 8).map(i -> 30 * i),
                LongStream.range(1, 5).map(i -> 47 * i + 2)));
    var next =
        Chains.of(begins, 213 * SECOND, SECOND / 10).stream()
            .map(c -> (c.anchor() + c.distances().median()) / SECOND)
            .toList();
    assertThat(next).contains(240L, 237L);
  }

  @Test
  void whatShouldHaveBegunAlreadyIsNoChain() {
    long[] begins = newestFirst(LongStream.range(0, 8).map(i -> 30 * i));
    assertThat(Chains.of(begins, 211 * SECOND, 1)).isNotEmpty();
    assertThat(Chains.of(begins, 10_000 * SECOND, 1)).isEmpty();
  }

  @Test
  void chanceHasHardlyAnyChains() {
    int found = 0;
    for (int seed = 0; seed < 100; seed++) {
      var random = new Random(seed);
      long[] begins = new long[32];
      for (int i = 30; i >= 0; i--) {
        begins[i] = begins[i + 1] + (long) (-25e9 * Math.log(1 - random.nextDouble()));
      }
      found += Chains.of(begins, begins[0], SECOND / 10).size();
    }
    assertThat(found).as("of 100 series, with some 170 candidates each").isLessThan(40);
  }
}
