package io.eley.bb.server.fetch;

import io.eley.bb.api.config.HoldKeys;
import io.eley.bb.api.config.Settings;
import java.time.Duration;

/**
 * How a node fetches.
 *
 * @param concurrency fetches at once, usually; at least 1
 * @param most fetcher threads, at least {@code concurrency}: what a permit may ask for
 * @param deadline how long one origin call may take
 * @param hungCallsMax threads that may be lost to hung origin calls before others time out, too
 */
public record FetchOptions(int concurrency, int most, Duration deadline, int hungCallsMax) {
  public FetchOptions {
    if (concurrency < 1
        || most < concurrency
        || hungCallsMax < 0
        || deadline.isNegative()
        || deadline.isZero()) {
      throw new IllegalArgumentException("not fetch options: " + concurrency + ", " + deadline);
    }
  }

  /** Options with as many threads as there are usually fetches at once. */
  public FetchOptions(int concurrency, Duration deadline, int hungCallsMax) {
    this(concurrency, concurrency, deadline, hungCallsMax);
  }

  /** The values of {@link FetchKeys}. */
  public static FetchOptions from(Settings settings) {
    int usual = settings.get(HoldKeys.FETCHERS);
    return new FetchOptions(
        usual,
        Math.max(usual, settings.get(FetchKeys.CONCURRENCY_MAX)),
        settings.get(FetchKeys.DEADLINE),
        settings.get(FetchKeys.HUNG_CALLS_MAX));
  }
}
