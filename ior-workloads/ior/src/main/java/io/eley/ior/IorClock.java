package io.eley.ior;

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
    ClockReading now = ClockReading.now();
    return new IorClock(System::nanoTime, now.nanos(), now.epochMicros());
  }

  long epochMicros(long reading) {
    return originMicros + (reading - originNanos) / 1000;
  }
}
