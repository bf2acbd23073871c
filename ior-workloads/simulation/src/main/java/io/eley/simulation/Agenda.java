package io.eley.simulation;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * Virtual time: what is due next happens next, and what is due at the same moment happens in the
 * order in which it was entered. Nanoseconds since the beginning of the run.
 */
final class Agenda {
  private record Entry(long at, long number, Runnable what) {}

  private final PriorityQueue<Entry> entries =
      new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::number));
  private long now;
  private long numbers;

  long now() {
    return now;
  }

  /** Does something later; a time that is past means now. */
  void at(long time, Runnable what) {
    entries.add(new Entry(Math.max(now, time), numbers++, what));
  }

  void after(long nanos, Runnable what) {
    at(now + Math.max(0, nanos), what);
  }

  void after(Duration delay, Runnable what) {
    after(delay.toNanos(), what);
  }

  /** Does something now and then, for ever. */
  void every(Duration period, Runnable what) {
    after(
        period,
        () -> {
          what.run();
          every(period, what);
        });
  }

  /**
   * Lets time pass.
   *
   * @return whether {@code done} came true before the bound
   */
  boolean run(BooleanSupplier done, Duration bound) {
    while (!done.getAsBoolean()) {
      Entry next = entries.poll();
      if (next == null || next.at() > bound.toNanos()) {
        return false;
      }
      now = next.at();
      next.what().run();
    }
    return true;
  }

  /** Things done so far. */
  long steps() {
    return numbers;
  }
}
