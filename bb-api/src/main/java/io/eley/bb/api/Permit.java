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

  /** The same, but with another lane for prefetching. */
  public Permit withPrefetch(Lane other) {
    return new Permit(sequence, other, demand, timeToLive, reason);
  }

  /** The same, but with another lane for what tasks wait for. */
  public Permit withDemand(Lane other) {
    return new Permit(sequence, prefetch, other, timeToLive, reason);
  }

  /** Whether it allows one test of the origin in all, by whichever fetch comes first. */
  public boolean sharesTest() {
    return prefetch.test() && demand.test();
  }

  /**
   * What one kind of fetch may do.
   *
   * @param bytesPerSecond zero is closed, {@link #UNLIMITED} is no limit
   * @param concurrentFetches how many fetches at once; zero is closed
   * @param bytes how many in all under this one permit, up to a chunk more; zero is closed, {@link
   *     #UNLIMITED} is no limit
   */
  public record Lane(long bytesPerSecond, int concurrentFetches, long bytes) {
    public static final long UNLIMITED = Long.MAX_VALUE;
    public static final Lane CLOSED = new Lane(0, 0);
    public static final Lane OPEN = new Lane(UNLIMITED, Integer.MAX_VALUE);

    /** A lane without a limit of all bytes. */
    public Lane(long bytesPerSecond, int concurrentFetches) {
      this(bytesPerSecond, concurrentFetches, UNLIMITED);
    }

    public Lane {
      if (bytesPerSecond < 0 || concurrentFetches < 0 || bytes < 0) {
        throw new IllegalArgumentException("a lane's limits are zero or more");
      }
    }

    public boolean closed() {
      return bytesPerSecond == 0 || concurrentFetches == 0 || bytes == 0;
    }

    /** One read at a time, and no more than so many bytes: enough to see how long it takes. */
    public static Lane test(long bytes) {
      return new Lane(UNLIMITED, 1, bytes);
    }

    /** The part that each of so many nodes has of a rate; at least one of each. */
    public static Lane share(long bytesPerSecond, int nodes) {
      return new Lane(Math.max(1, bytesPerSecond / Math.max(1, nodes)), Integer.MAX_VALUE);
    }

    /** Whether it is closed but for a test of the origin. */
    public boolean held() {
      return closed() || test();
    }

    private boolean test() {
      return bytes != UNLIMITED;
    }
  }
}
