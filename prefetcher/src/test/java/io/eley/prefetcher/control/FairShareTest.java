package io.eley.prefetcher.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.Permit.Lane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FairShareTest {
  @ParameterizedTest
  @CsvSource({"4, 2, 2", "4, 3, 1", "4, 9, 1", "256, 8, 32", "1, 2, 1", "4, 1048576, 1"})
  void anOpenLaneIsDividedAndNeverClosed(int fetchers, int sharers, int left) {
    assertThat(FairShare.of(Lane.OPEN, fetchers, sharers))
        .isEqualTo(new Lane(Lane.UNLIMITED, left));
  }

  @Test
  void whoIsAloneKeepsAll() {
    assertThat(FairShare.of(Lane.OPEN, 4, 1)).isEqualTo(Lane.OPEN);
  }

  @Test
  void aLaneWithFetchersOfItsOwnIsDividedByThose() {
    assertThat(FairShare.of(new Lane(500, 8), 4, 2)).isEqualTo(new Lane(500, 4));
  }

  @Test
  void whatIsHeldStaysHeld() {
    assertThat(FairShare.of(Lane.CLOSED, 4, 2)).isEqualTo(Lane.CLOSED);
    assertThat(FairShare.of(Lane.test(1), 4, 2)).isEqualTo(Lane.test(1));
  }
}
