package io.eley.coordinator.live;

import io.eley.bb.api.ReadTime;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What a byte costs at the origin, by the reads of our own nodes: the time that one read takes,
 * divided by its bytes. The last gigabytes count most. Not thread-safe: the agent owns it.
 */
final class OriginCost {
  /** Beyond so many bytes what was known counts half. */
  private static final long HALVED = 1L << 30;

  private double nanos;
  private double bytes;

  /** Takes reads that have ended; one that hung says nothing of the usual price. */
  void note(List<ReadTime> ended) {
    for (ReadTime read : ended) {
      if (!read.hangs()) {
        nanos += read.tookNanos();
        bytes += read.bytes();
      }
    }
    if (bytes > HALVED) {
      nanos /= 2;
      bytes /= 2;
    }
  }

  /** Nanoseconds a byte; empty before any read. */
  OptionalDouble nanosPerByte() {
    return bytes == 0 ? OptionalDouble.empty() : OptionalDouble.of(nanos / bytes);
  }
}
