package io.eley.controller.sense;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnjudgedSinglesTest {
  private static final long SECOND = 1_000_000_000;

  private final RecentQuantile usual = new RecentQuantile();
  private final UnjudgedSingles reads = new UnjudgedSingles();

  @BeforeEach
  void know() {
    for (int i = 0; i < RecentQuantile.ENOUGH; i++) {
      assertThat(usual.known()).isFalse();
      reads.add(usual, 1, i * SECOND); // learned from at once: there is nothing to judge them by
    }
    assertThat(usual.known()).isTrue();
  }

  private double slowest() {
    return usual.value(1);
  }

  @Test
  void aReadCountsWhenNothingWasHeardForASecond() {
    reads.add(usual, 2, 10 * SECOND);
    reads.advance(11 * SECOND - 1);
    assertThat(slowest()).isEqualTo(1);
    reads.advance(11 * SECOND);
    assertThat(slowest()).isEqualTo(2);
  }

  @Test
  void whatMetSomebodyNeverCounts() {
    reads.add(usual, 2, 10 * SECOND);
    reads.drop();
    reads.advance(20 * SECOND);
    assertThat(slowest()).isEqualTo(1);
  }

  @Test
  void whatWasOverWhenTheRiseBeganCountsAndTheRestDoesNot() {
    reads.add(usual, 2, 10 * SECOND);
    reads.add(usual, 3, 11 * SECOND);
    reads.learn(10 * SECOND);
    assertThat(slowest()).isEqualTo(2);
    reads.drop();
    reads.learn(12 * SECOND);
    assertThat(slowest()).isEqualTo(2);
  }
}
