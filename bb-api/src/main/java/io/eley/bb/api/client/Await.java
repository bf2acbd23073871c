package io.eley.bb.api.client;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for a future under a deadline; every failure is an {@link EleyException}. */
final class Await {
  private Await() {}

  /**
   * Blocks until the future is done.
   *
   * @param what for the error: what was waited for
   * @throws EleyException the future's own; {@code DEADLINE}; {@code INTERRUPTED} (the flag stays
   *     set)
   */
  static <T> T done(CompletableFuture<T> future, Duration deadline, String what)
      throws EleyException {
    try {
      return future.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new EleyException(
          ErrorCode.DEADLINE, "no answer within " + deadline.toMillis() + " ms: " + what, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.INTERRUPTED, "interrupted: " + what, e);
    } catch (ExecutionException e) {
      throw ours(e.getCause(), what);
    }
  }

  private static EleyException ours(@Nullable Throwable cause, String what) {
    if (cause instanceof EleyException ours) {
      // A new exception, so that the trace shows the caller too, and a shared failure is not thrown
      // twice.
      return new EleyException(ours.code(), String.valueOf(ours.getMessage()), ours);
    }
    return new EleyException(ErrorCode.INTERNAL, "failed: " + what + ": " + cause, cause);
  }
}
