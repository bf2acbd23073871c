package io.eley.server.fetch;

import io.eley.api.config.Settings;
import java.time.Duration;

/**
 * How a node fetches.
 *
 * @param concurrency fetcher threads, at least 1
 * @param deadline how long one origin call may take
 * @param hungCallsMax threads that may be lost to hung origin calls before others time out, too
 */
public record FetchOptions(int concurrency, Duration deadline, int hungCallsMax) {
  public FetchOptions {
    if (concurrency < 1 || hungCallsMax < 0 || deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("not fetch options: " + concurrency + ", " + deadline);
    }
  }

  /** The values of {@link FetchKeys}. */
  public static FetchOptions from(Settings settings) {
    return new FetchOptions(
        settings.get(FetchKeys.CONCURRENCY),
        settings.get(FetchKeys.DEADLINE),
        settings.get(FetchKeys.HUNG_CALLS_MAX));
  }
}
