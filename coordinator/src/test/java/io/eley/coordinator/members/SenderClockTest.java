package io.eley.coordinator.members;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SenderClockTest {
  private static final long MILLI = 1_000_000;
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private final SenderClock clock = new SenderClock();

  @Test
  void whatTookLongerThanTheQuickestHasWaited() {
    assertThat(clock.sentAt(0, 100 * MILLI)).isEqualTo(100 * MILLI);
    assertThat(clock.sentAt(50 * MILLI, 190 * MILLI)).isEqualTo(150 * MILLI);
    assertThat(clock.sentAt(90 * MILLI, 170 * MILLI)).as("quicker").isEqualTo(170 * MILLI);
    assertThat(clock.sentAt(100 * MILLI, 280 * MILLI)).isEqualTo(180 * MILLI);
  }

  @Test
  void whatWasQuickIsForgottenAfterAMinuteOrTwoSinceClocksDrift() {
    clock.sentAt(0, 0);
    assertThat(clock.sentAt(MINUTE, MINUTE + 5)).as("a minute later").isEqualTo(MINUTE);
    assertThat(clock.sentAt(2 * MINUTE, 2 * MINUTE + 7)).isEqualTo(2 * MINUTE + 5);
  }

  @Test
  void clocksMayWrapAround() {
    long sent = Long.MAX_VALUE - 10;
    clock.sentAt(sent, Long.MIN_VALUE + 90);
    assertThat(clock.sentAt(sent + 20, Long.MIN_VALUE + 150)).isEqualTo(Long.MIN_VALUE + 110);
  }
}
