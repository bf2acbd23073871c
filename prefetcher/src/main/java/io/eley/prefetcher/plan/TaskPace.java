package io.eley.prefetcher.plan;

/**
 * How many tasks of an application end in a second while nothing holds its input back. Time in
 * which no task runs counts, too, so after a rest the pace is too small for a while.
 *
 * <p>Not thread-safe. Times are nanoseconds of any monotonic clock.
 */
final class TaskPace {
  /** Tasks start together, and end together: fewer waves than these say nothing. */
  private static final int LEAST_WAVES = 2;

  private static final int LEAST_TASKS = 8;

  /** Spans that are measured, at least where there are tasks enough; later stages are others. */
  private static final long SPAN = 10_000_000_000L;

  /** Before a hold a shorter one will do, but not a burst. */
  private static final long LEAST_SPAN = 1_000_000_000L;

  private int least = LEAST_TASKS;
  private int count;

  /** Nanoseconds of the span before {@link #since}. */
  private long elapsed;

  private boolean runs;
  private long since;
  private long lastEnd;
  private double perNano;

  void setWaveSize(int tasks) {
    least = (int) Math.max(LEAST_TASKS, Math.min(Integer.MAX_VALUE, (long) LEAST_WAVES * tasks));
  }

  /** Notes that tasks have ended, while nothing is held back; the first begins the measurement. */
  void ended(int tasks, long now) {
    lastEnd = now;
    if (!runs) {
      runs = true;
      since = now;
      return;
    }
    count += tasks;
    measure(SPAN);
  }

  /** From now on something is held back. */
  void interrupt() {
    if (runs) {
      measure(LEAST_SPAN);
      elapsed = elapsed();
      runs = false;
    }
  }

  /** Up to the last end: nobody knows how far the next is away. */
  private long elapsed() {
    return elapsed + lastEnd - since;
  }

  private void measure(long leastSpan) {
    long span = elapsed();
    if (count >= least && span >= leastSpan) {
      perNano = (double) count / span;
      count = 0;
      elapsed = 0;
      since = lastEnd;
    }
  }

  /** Tasks that end in so many nanoseconds, rounded up; none as long as nothing was measured. */
  int tasksIn(long nanos) {
    return (int) Math.min(Integer.MAX_VALUE, Math.ceil(perNano * nanos));
  }
}
