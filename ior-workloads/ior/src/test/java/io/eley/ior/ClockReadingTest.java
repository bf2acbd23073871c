package io.eley.ior;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** A process that stands still between its readings of two clocks. */
class ClockReadingTest {
  private static final long STOP = 5_000_000;
  private long now = 1_000_000;
  private int pairs;

  /** The time of day is the monotonic clock's, behind which so many readings stand still. */
  private ClockReading read(int stops) {
    LongSupplier micros =
        () -> {
          long time = now / 1000;
          now += pairs++ < stops ? STOP - pairs * 1000L : 2000;
          return time;
        };
    return ClockReading.read(() -> now, micros);
  }

  @Test
  void aReadingThatNothingHasComeBetweenIsTaken() {
    assertThat(read(0)).isEqualTo(new ClockReading(1_001_000, 1000));
    assertThat(pairs).isEqualTo(1);
  }

  @Test
  void aStopBetweenTheClocksIsReadAgain() {
    ClockReading reading = read(3);
    assertThat(pairs).isEqualTo(4);
    assertThat(reading.nanos() / 1000 - reading.epochMicros()).isBetween(0L, 1L);
  }

  @Test
  void whereItNeverWorksTheBestOfABoundedNumberIsKept() {
    ClockReading reading = read(Integer.MAX_VALUE);
    assertThat(pairs).isEqualTo(100);
    assertThat(reading.nanos() - reading.epochMicros() * 1000)
        .as("half of the shortest stop, which was the last")
        .isEqualTo((STOP - 100_000) / 2);
  }
}
