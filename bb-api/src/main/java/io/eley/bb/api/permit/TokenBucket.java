package io.eley.bb.api.permit;

import io.eley.bb.api.Permit;

/**
 * Limits a rate in bytes a second. A chunk may go when the bucket is not in debt, and is then taken
 * out of it as a whole, so chunks larger than the bucket pass and the mean still holds: over any
 * time <i>t</i> at most {@code rate × (t + 0.1 s)} bytes and one chunk go.
 *
 * <p>Example: 16 MiB/s and chunks of 1 MiB: after idle time two go at once, the third 25 ms later,
 * then one each 62.5 ms.
 *
 * <p>Pure but for its state; not safe for several threads. Times are nanoseconds of any monotonic
 * clock.
 */
public final class TokenBucket {
  /** Seconds of the rate that an idle bucket saves up, to make up for threads that wake late. */
  private static final double SAVED_SECONDS = 0.1;

  private static final double NANOS = 1e9;

  private double tokens;
  private long rate;
  private long refilledAt;

  /** A bucket that has saved nothing yet and lets nothing wait until it has a rate. */
  public TokenBucket(long now) {
    refilledAt = now;
  }

  /** Sets the rate; tokens earned at the old rate stay, up to what the new rate may save up. */
  public void setRate(long bytesPerSecond, long now) {
    refill(now);
    rate = bytesPerSecond;
  }

  /** Nanoseconds until a chunk may go; 0 is now. */
  public long nanosUntilReady(long now) {
    if (rate == Permit.Lane.UNLIMITED) {
      return 0;
    }
    refill(now);
    return tokens >= 0 ? 0 : (long) Math.ceil(-tokens / rate * NANOS);
  }

  /** Takes a chunk that is ready to go. */
  public void take(long bytes) {
    if (rate != Permit.Lane.UNLIMITED) {
      tokens -= bytes;
    }
  }

  private void refill(long now) {
    double seconds = Math.max(0, now - refilledAt) / NANOS;
    refilledAt = now;
    tokens =
        rate == Permit.Lane.UNLIMITED ? 0 : Math.min(tokens + seconds * rate, SAVED_SECONDS * rate);
  }
}
