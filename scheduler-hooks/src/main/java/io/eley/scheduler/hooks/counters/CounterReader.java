package io.eley.scheduler.hooks.counters;

import io.eley.scheduler.hooks.signal.SignalException;
import java.util.List;

/** The port to a file system's counters. Blocks for a bounded time; for one thread. */
public interface CounterReader extends AutoCloseable {
  /**
   * All points there are, of each server the oldest first; also those that were returned before.
   *
   * @throws SignalException when there are none
   */
  List<CounterPoint> read() throws SignalException, InterruptedException;

  @Override
  default void close() {}
}
