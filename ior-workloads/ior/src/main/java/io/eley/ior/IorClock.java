package io.eley.ior;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/**
 * Nanoseconds for durations, and what they were in times of day.
 *
 * @param nanos the clock that all tasks share
 * @param originNanos a reading of it
 * @param originMicros the time of day of that reading, microseconds since 1970
 */
record IorClock(LongSupplier nanos, long originNanos, long originMicros) {
  static IorClock system() {
    return new IorClock(
        System::nanoTime,
        System.nanoTime(),
        ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }

  long epochMicros(long reading) {
    return originMicros + (reading - originNanos) / 1000;
  }
}
