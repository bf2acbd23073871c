package io.eley.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnsTest {
  private static final int BUILDS = 1000;

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void eachTurnComesAsOftenAsAnother(int of) {
    var random = new Random(of);
    Map<Integer, Integer> builds = new HashMap<>();
    for (int i = 0; i < BUILDS; i++) {
      // As .ci/run has it: 48 bits of a digest.
      builds.merge(Turns.turn(random.nextLong() >>> 16, of), 1, Integer::sum);
    }
    assertThat(builds).hasSize(of);
    assertThat(builds.values()).allMatch(n -> n > BUILDS / of * 3 / 4);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE})
  void anyNumberHasATurn(long base) {
    assertThat(Turns.turn(base, 3)).isBetween(0, 2);
  }
}
