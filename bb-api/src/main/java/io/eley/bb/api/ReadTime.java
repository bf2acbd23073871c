package io.eley.bb.api;

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
  public ReadTime {
    if (agoNanos < 0 || tookNanos < 0 || bytes < 1 || !(underWay >= 1 && underWay < 1e6)) {
      throw new IllegalArgumentException("no read takes a time like that");
    }
  }
}
