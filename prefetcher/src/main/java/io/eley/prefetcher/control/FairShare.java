package io.eley.prefetcher.control;

import io.eley.bb.api.Permit.Lane;

/**
 * What is left of a prefetch lane when several deployments share the file system: each has the same
 * part of its usual fetchers. With 4 fetchers a node, one of 2 deployments has 2 at each node and
 * one of 3 has 1; nobody has less than 1, so 8 deployments of 4 nodes still have 32 together. A
 * rate stays as it is: who sets one knows of the sharers, see {@link Outlook}.
 */
public final class FairShare {
  private FairShare() {}

  /**
   * The lane of one of so many.
   *
   * @param fetchers of a node when nothing limits them
   * @param sharers at least 1; 1 leaves the lane as it is, and one that is held stays so
   */
  public static Lane of(Lane lane, int fetchers, int sharers) {
    if (sharers <= 1 || lane.held()) {
      return lane;
    }
    int most = lane.concurrentFetches() == Integer.MAX_VALUE ? fetchers : lane.concurrentFetches();
    return new Lane(lane.bytesPerSecond(), Math.max(1, most / sharers), lane.bytes());
  }
}
