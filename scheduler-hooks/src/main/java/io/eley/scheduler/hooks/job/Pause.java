package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The wait between two polls of something that only time changes; a port, so that tests need none.
 */
@FunctionalInterface
public interface Pause {
  /**
   * Blocks for so long.
   *
   * @throws EleyException {@code UNAVAILABLE} when the thread is interrupted
   */
  void forTime(Duration time) throws EleyException;

  /** Really waits. */
  static Pause sleeping() {
    return time -> {
      try {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted", e);
      }
    };
  }
}
