package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RestartDelayTest {
  private final RestartDelay delay = new RestartDelay();

  @Test
  void whatHasRunForAWhileIsStartedAgainAtOnce() {
    for (int i = 0; i < 10; i++) {
      assertThat(delay.after(RestartDelay.SOON, false)).isZero();
    }
  }

  @Test
  void whatEndsSoonIsStartedAgainLaterEachTime() {
    assertThat(delay.after(Duration.ZERO, false)).isZero();
    assertThat(delay.after(Duration.ZERO, false)).isEqualTo(RestartDelay.FIRST);
    assertThat(delay.after(Duration.ZERO, false)).isEqualTo(RestartDelay.FIRST.multipliedBy(2));
    for (int i = 0; i < 20; i++) {
      assertThat(delay.after(Duration.ZERO, false)).isLessThanOrEqualTo(RestartDelay.MOST);
    }
    assertThat(delay.after(Duration.ZERO, false)).isEqualTo(RestartDelay.MOST);
  }

  @Test
  void aGoodRunIsForgivenWhatWasBefore() {
    for (int i = 0; i < 20; i++) {
      delay.after(Duration.ZERO, false);
    }
    assertThat(delay.after(RestartDelay.SOON, false)).isZero();
    assertThat(delay.after(Duration.ZERO, false)).isEqualTo(RestartDelay.FIRST);
  }

  @Test
  void whatHadComeUpIsNeverWaitedForLongHoweverOftenItIsKilled() {
    assertThat(delay.after(Duration.ofSeconds(2), true)).isZero();
    for (int i = 0; i < 20; i++) {
      assertThat(delay.after(Duration.ofSeconds(2), true)).isEqualTo(RestartDelay.FIRST);
    }
  }

  @Test
  void whatHadComeUpIsForgivenItsFailedStarts() {
    for (int i = 0; i < 20; i++) {
      delay.after(Duration.ZERO, false);
    }
    assertThat(delay.after(Duration.ZERO, true)).isEqualTo(RestartDelay.FIRST);
    assertThat(delay.after(Duration.ZERO, false)).isEqualTo(RestartDelay.FIRST.multipliedBy(2));
  }
}
