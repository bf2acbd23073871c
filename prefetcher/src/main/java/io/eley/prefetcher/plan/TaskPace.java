package io.eley.prefetcher.plan;

/**
 * How many tasks of an application end in a second while nothing holds its input back.
 *
 * <p>The time that counts is that of pauses between holds, from end to end: a hold lets tasks end
 * together, and the moments between their ends alone would be far too little. A pause in which no
 * task ends does not count; in a longer rest without any hold the pace gets too small for a while.
 *
 * <p>Not thread-safe. Times are nanoseconds of any monotonic clock.
 */
final class TaskPace {
  /** Tasks start together, and end together: fewer waves than these say nothing. */
  private static final int LEAST_WAVES = 2;

  private static final int LEAST_TASKS = 8;

  /** Spans that are measured, at least where there are tasks enough; later stages are others. */
  private static final long SPAN = 10_000_000_000L;

  /** As long as nothing was measured a shorter one will do, but not a burst. */
  private static final long LEAST_SPAN = 1_000_000_000L;

  private int least = LEAST_TASKS;

  /** No more end together than run at once: what is told of more has ended earlier. */
  private int most = Integer.MAX_VALUE;

  /** What ends before is told again, by a driver whose connection had broken. */
  private long newFrom;

  /** Whether a task has ended since then, which began the measurement. */
  private boolean begun;

  /** When the measurement or this pause began. */
  private long since;

  /** Whether a task has ended since then. */
  private boolean any;

  /** Nanoseconds of the measurement in earlier pauses. */
  private long elapsed;

  private int count;
  private double perNano;

  /** Sets how many tasks run at once; zero is "not known yet". */
  void setWaveSize(int tasks) {
    most = tasks == 0 ? Integer.MAX_VALUE : tasks;
    least = (int) Math.max(LEAST_TASKS, Math.min(Integer.MAX_VALUE, (long) LEAST_WAVES * tasks));
  }

  /** Begins to measure anew; the pace stays what it was until then. */
  void start(long now) {
    newFrom = now + LEAST_SPAN;
    begun = false;
    any = false;
    elapsed = 0;
    count = 0;
  }

  /** Notes that tasks have ended, in a pause; says whether the pace has been measured. */
  boolean ended(int tasks, long now) {
    if (now - newFrom < 0) {
      return false;
    }
    any = true;
    if (!begun) {
      begun = true;
      since = now;
      return false;
    }
    count += Math.min(tasks, most);
    return measure(now, SPAN);
  }

  /** A hold begins. */
  void interrupt(long now) {
    if (begun && any) {
      boolean measured = perNano == 0 && measure(now, LEAST_SPAN);
      elapsed += measured ? 0 : now - since;
    }
    any = false;
  }

  /** A hold is over. */
  void resume(long now) {
    since = now;
  }

  private boolean measure(long now, long leastSpan) {
    long span = elapsed + now - since;
    if (count < least || span < leastSpan) {
      return false;
    }
    perNano = (double) count / span;
    count = 0;
    elapsed = 0;
    since = now;
    return true;
  }

  /** Tasks that end in so many nanoseconds, rounded up; none as long as nothing was measured. */
  int tasksIn(long nanos) {
    return (int) Math.min(Integer.MAX_VALUE, Math.ceil(perNano * nanos));
  }
}
