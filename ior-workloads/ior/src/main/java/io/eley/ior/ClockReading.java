package io.eley.ior;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/**
 * The monotonic clock and the time of day at one moment, so that readings of the one can be told as
 * the other. They are two calls: a process that stands still between them would shift all times.
 *
 * @param nanos of {@link System#nanoTime}
 * @param epochMicros microseconds since 1970
 */
public record ClockReading(long nanos, long epochMicros) {
  private static final int TRIES = 100;
  private static final long CLOSE_NANOS = 100_000;

  /** Reads both within {@value #CLOSE_NANOS} ns, or as close as {@value #TRIES} tries come. */
  public static ClockReading now() {
    return read(System::nanoTime, () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }

  /** The same by other clocks. */
  static ClockReading read(LongSupplier nanos, LongSupplier epochMicros) {
    long least = Long.MAX_VALUE;
    var best = new ClockReading(0, 0);
    for (int i = 0; i < TRIES && least > CLOSE_NANOS; i++) {
      long before = nanos.getAsLong();
      long micros = epochMicros.getAsLong();
      long took = nanos.getAsLong() - before;
      if (took < least) {
        least = took;
        best = new ClockReading(before + took / 2, micros);
      }
    }
    return best;
  }
}
