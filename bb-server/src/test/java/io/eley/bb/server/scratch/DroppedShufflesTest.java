package io.eley.bb.server.scratch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DroppedShufflesTest {
  private long clock;
  private final DroppedShuffles dropped = new DroppedShuffles(() -> clock);

  @Test
  void eachApplicationHasItsOwnForADay() {
    dropped.add("a", 1);
    dropped.add("b", 2);
    assertThat(dropped.has("a", 1)).isTrue();
    assertThat(dropped.has("a", 2)).isFalse();
    dropped.end("a");
    assertThat(dropped.has("a", 1)).isFalse();
    assertThat(dropped.has("b", 2)).isTrue();
    clock += Duration.ofDays(1).toNanos();
    assertThat(dropped.has("b", 2)).isFalse();
  }

  @Test
  void theApplicationThatHasDroppedNothingForLongestIsForgottenFirst() {
    dropped.add("old", 1);
    dropped.add("living", 1);
    for (int i = 0; i < 1022; i++) {
      dropped.add("a" + i, 1);
    }
    dropped.add("living", 2);
    dropped.add("one too many", 1);
    assertThat(dropped.has("old", 1)).isFalse();
    assertThat(dropped.has("living", 1)).isTrue();
    assertThat(dropped.has("one too many", 1)).isTrue();
  }
}
