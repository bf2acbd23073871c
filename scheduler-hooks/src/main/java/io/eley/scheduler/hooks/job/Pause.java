package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.util.concurrent.TimeUnit;

/** Between two looks at something that only time changes. */
public final class Pause {
  private Pause() {}

  /**
   * Blocks for so long.
   *
   * @throws EleyException {@code UNAVAILABLE} when the thread is interrupted
   */
  public static void millis(long millis) throws EleyException {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted", e);
    }
  }
}
