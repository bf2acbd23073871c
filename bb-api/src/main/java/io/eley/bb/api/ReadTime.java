package io.eley.bb.api;

import java.time.Duration;

/**
 * How long one read of the origin took, which tells how busy the origin is.
 *
 * @param agoNanos how long ago it ended
 * @param tookNanos how long it took
 * @param bytes that it read
 * @param underWay how many reads of the same node were under way meanwhile, itself included, on
 *     average over its time: the more there are, the longer each takes
 */
public record ReadTime(long agoNanos, long tookNanos, int bytes, double underWay) {
  /**
   * A call that takes longer hangs: it says nothing of how busy the origin is. Beside the busiest
   * application a chunk took 1.5 s, on servers of 5 MB/s each.
   */
  public static final Duration HANGS = Duration.ofSeconds(5);

  public ReadTime {
    if (agoNanos < 0 || tookNanos < 0 || bytes < 1 || !(underWay >= 1 && underWay < 1e6)) {
      throw new IllegalArgumentException("no read takes a time like that");
    }
  }

  /** A call that hangs, of whatever kind. */
  public static ReadTime hanging(Duration since) {
    return new ReadTime(0, since.toNanos(), 1, 1);
  }

  /** Whether it hangs. */
  public boolean hangs() {
    return tookNanos >= HANGS.toNanos();
  }
}
