package io.eley.bb.api;

import java.time.Duration;

/**
 * A permit for one node to read from the origin. It has two lanes: one for fetches that nobody
 * waits for yet, one for fetches that a task is waiting for. It lives for {@code timeToLive} from
 * the moment the node receives it; a node without a live permit does not prefetch. The life is
 * relative, not a time of day, so clocks need not agree; delivery can lengthen it by its own delay
 * only.
 *
 * @param sequence grows with each permit for that node; an older one that arrives late is ignored
 * @param prefetch the lane for {@link ReadCause#PREFETCH} and {@link ReadCause#READ_AHEAD}
 * @param demand the lane for {@link ReadCause#DEMAND}
 * @param timeToLive positive
 * @param reason why it is what it is, in a few words, for {@code eley status} and the log
 */
public record Permit(
    long sequence, Lane prefetch, Lane demand, Duration timeToLive, String reason) {
  public Permit {
    if (timeToLive.isNegative() || timeToLive.isZero()) {
      throw new IllegalArgumentException("a permit must live for some time");
    }
  }

  /**
   * What one kind of fetch may do.
   *
   * @param bytesPerSecond zero is closed, {@link #UNLIMITED} is no limit
   * @param concurrentFetches how many fetches at once; zero is closed
   */
  public record Lane(long bytesPerSecond, int concurrentFetches) {
    public static final long UNLIMITED = Long.MAX_VALUE;
    public static final Lane CLOSED = new Lane(0, 0);
    public static final Lane OPEN = new Lane(UNLIMITED, Integer.MAX_VALUE);

    public Lane {
      if (bytesPerSecond < 0 || concurrentFetches < 0) {
        throw new IllegalArgumentException("a lane's limits are zero or more");
      }
    }

    public boolean closed() {
      return bytesPerSecond == 0 || concurrentFetches == 0;
    }
  }
}
