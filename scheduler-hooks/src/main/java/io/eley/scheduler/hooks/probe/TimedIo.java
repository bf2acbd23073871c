package io.eley.scheduler.hooks.probe;

import java.io.IOException;

/** One small I/O on the origin. Blocks; may hang as long as the origin does. */
public interface TimedIo extends AutoCloseable {
  /** Does the I/O and returns how long it took, in nanoseconds. */
  long nanos() throws IOException;

  @Override
  default void close() {}
}
