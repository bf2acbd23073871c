package io.eley.scheduler.hooks.slurm;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Time as the questions to Slurm need it; a port, so that tests wait for none. */
interface SlurmClock {
  /** Of this process's monotonic clock. */
  long nanos();

  /** The time of day, which hosts share within a fraction of a second. */
  long millis();

  /** Blocks for so long. */
  void rest(Duration time) throws InterruptedException;

  /** Really waits. */
  static SlurmClock of(LongSupplier nanos) {
    return new SlurmClock() {
      @Override
      public long nanos() {
        return nanos.getAsLong();
      }

      @Override
      public long millis() {
        return System.currentTimeMillis();
      }

      @Override
      public void rest(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
      }
    };
  }
}
