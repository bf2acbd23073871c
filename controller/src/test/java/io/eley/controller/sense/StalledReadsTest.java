package io.eley.controller.sense;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class StalledReadsTest {
  private static final long SECOND = 1_000_000_000;
  private final StalledReads stalled = new StalledReads();

  private static ReadTime read(double seconds) {
    return new ReadTime(0, (long) (seconds * SECOND), 1 << 20, 4);
  }

  @Test
  void readsThatComeBackAreNothingToTell() {
    stalled.note("a", List.of(read(4.9), read(0.1)), 100 * SECOND);
    assertThat(stalled.describe(100 * SECOND)).isEmpty();
  }

  @Test
  void readsThatDoNotAreToldOfAllNodesWithTheLongest() {
    stalled.note("b", List.of(read(12), read(0.1)), 100 * SECOND);
    stalled.note("a", List.of(read(6), read(7)), 100 * SECOND);
    assertThat(stalled.describe(100 * SECOND))
        .contains(
            "origin: 3 calls of a, b have not come back for up to 12 s: a file server may hang");
  }

  @Test
  void whenTheyAreBackAndWhenTheNodeIsGoneItIsOver() {
    stalled.note("a", List.of(read(6)), 100 * SECOND);
    stalled.note("a", List.of(), 100 * SECOND);
    assertThat(stalled.describe(100 * SECOND)).as("no news").isPresent();
    assertThat(stalled.describe(102 * SECOND)).as("none for long").isEmpty();

    stalled.note("a", List.of(read(6)), 110 * SECOND);
    stalled.note("a", List.of(read(0.2)), 110 * SECOND);
    assertThat(stalled.describe(110 * SECOND)).as("others are under way").isEmpty();

    stalled.note("a", List.of(read(6)), 120 * SECOND);
    stalled.forget("a");
    assertThat(stalled.describe(120 * SECOND)).isEmpty();
  }

  @Test
  void onlyReadsInTimeSayHowBusyTheOriginIs() {
    assertThat(stalled.timely(List.of(read(1), read(30), read(4.99))))
        .containsExactly(read(1), read(4.99));
  }
}
