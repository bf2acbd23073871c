package io.eley.scheduler.hooks.counters;

import io.eley.scheduler.hooks.signal.SignalException;
import java.time.Duration;
import java.util.List;

/** The port to a file system's counters. Blocks for a bounded time; for one thread. */
public interface CounterReader extends AutoCloseable {
  /**
   * All servers' counters at one moment.
   *
   * @param age how long ago that moment was when the look returned
   * @param points one a counter, each counter once; none when nothing has been counted since the
   *     last look, which is not the same as that nothing was moved
   */
  record Look(Duration age, List<CounterPoint> points) {
    static final Look NOTHING_NEW = new Look(Duration.ZERO, List.of());

    public Look {
      points = List.copyOf(points);
    }

    /** A look that took no time. */
    static Look now(List<CounterPoint> points) {
      return new Look(Duration.ZERO, points);
    }
  }

  /**
   * Looks once.
   *
   * @throws SignalException when there is nothing to see
   */
  Look look() throws SignalException, InterruptedException;

  @Override
  default void close() {}
}
