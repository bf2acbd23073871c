package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RestartDelayTest {
  private final RestartDelay delay = new RestartDelay();

  @Test
  void whatHasRunForAWhileIsStartedAgainAtOnce() {
    for (int i = 0; i < 10; i++) {
      assertThat(delay.after(RestartDelay.SOON)).isZero();
    }
  }

  @Test
  void whatEndsSoonIsStartedAgainLaterEachTime() {
    assertThat(delay.after(Duration.ZERO)).isZero();
    assertThat(delay.after(Duration.ZERO)).isEqualTo(RestartDelay.FIRST);
    assertThat(delay.after(Duration.ZERO)).isEqualTo(RestartDelay.FIRST.multipliedBy(2));
    for (int i = 0; i < 20; i++) {
      assertThat(delay.after(Duration.ZERO)).isLessThanOrEqualTo(RestartDelay.MOST);
    }
    assertThat(delay.after(Duration.ZERO)).isEqualTo(RestartDelay.MOST);
  }

  @Test
  void aGoodRunIsForgivenWhatWasBefore() {
    for (int i = 0; i < 20; i++) {
      delay.after(Duration.ZERO);
    }
    assertThat(delay.after(RestartDelay.SOON)).isZero();
    assertThat(delay.after(Duration.ZERO)).isEqualTo(RestartDelay.FIRST);
  }
}
