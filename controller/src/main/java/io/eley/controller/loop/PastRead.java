package io.eley.controller.loop;

import io.eley.bb.api.ReadCause;

/**
 * What one client moved past the buffer between two of its reports.
 *
 * @param cause {@code FALLBACK}, {@code DIRECT} or {@code WRITE}
 * @param bytes that it moved
 * @param from when the first of them moved, nanoseconds of the coordinator's monotonic clock
 * @param to when the last of them did
 */
public record PastRead(ReadCause cause, long bytes, long from, long to) {
  public PastRead {
    if (bytes < 0 || to - from < 0) {
      throw new IllegalArgumentException("neither bytes nor time run backwards");
    }
  }

  /** Bytes of it between two moments, as if it had gone on evenly. */
  double between(long begin, long end) {
    if (from == to) {
      return begin - to < 0 && to - end <= 0 ? bytes : 0;
    }
    double overlap = Math.min(to - begin, to - from) - Math.max(0, to - end);
    return bytes * Math.max(0, overlap) / (to - from);
  }
}
