package io.eley.controller.loop;

import java.time.Duration;
import java.time.Instant;

/** The time of the loops' owner: a thread and a clock in a process, an agenda in a simulation. */
public interface Timeline {
  /** Nanoseconds of a monotonic clock. */
  long now();

  /** The time of day at {@link #now}, for the ledger. */
  Instant timeOfDay();

  /** Runs the work once, on the owner's thread, after the delay. Does not block. */
  void after(Duration delay, Runnable work);
}
