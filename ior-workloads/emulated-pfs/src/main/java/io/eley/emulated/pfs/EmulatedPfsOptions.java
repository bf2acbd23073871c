package io.eley.emulated.pfs;

import io.eley.bb.api.wire.Secret;
import java.time.Duration;

/**
 * The options of an emulated PFS.
 *
 * @param bytesPerSecond the capacity all clients share, reads and writes together
 * @param streamBytesPerSecond what one stream can move at most; the capacity or more limits nobody
 * @param latency added to every request
 * @param port TCP port on loopback, 0 for a free one
 * @param traceLimit how many grants are remembered, 24 bytes each
 * @param secret what clients must know
 */
public record EmulatedPfsOptions(
    long bytesPerSecond,
    long streamBytesPerSecond,
    Duration latency,
    int port,
    int traceLimit,
    Secret secret) {
  /** A million grants: a terabyte in requests of one mebibyte, in 24 MB. */
  public static final int DEFAULT_TRACE_LIMIT = 1_000_000;

  public EmulatedPfsOptions {
    if (bytesPerSecond < 1 || streamBytesPerSecond < 1 || latency.isNegative() || traceLimit < 1) {
      throw new IllegalArgumentException(
          "capacities and trace limit must be positive, latency not negative");
    }
  }

  /** Streams limited by the capacity only, a free port and the default trace limit. */
  public static EmulatedPfsOptions of(long bytesPerSecond, Duration latency, Secret secret) {
    return new EmulatedPfsOptions(
        bytesPerSecond, bytesPerSecond, latency, 0, DEFAULT_TRACE_LIMIT, secret);
  }
}
