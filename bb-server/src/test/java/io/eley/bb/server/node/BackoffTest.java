package io.eley.bb.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private final RetryDelay backoff =
      new RetryDelay(Duration.ofMillis(100), Duration.ofSeconds(2), new Random(1));

  @Test
  void doublesUpToTheMostWithHalfOfItLeftToChance() {
    int[] expected = {100, 200, 400, 800, 1600, 2000, 2000};
    for (int most : expected) {
      assertThat(backoff.next()).isBetween(Duration.ofMillis(most / 2), Duration.ofMillis(most));
    }
  }

  @Test
  void beginsAnewAfterASuccess() {
    for (int i = 0; i < 10; i++) {
      backoff.next();
    }
    backoff.reset();

    assertThat(backoff.next()).isLessThanOrEqualTo(Duration.ofMillis(100));
  }
}
