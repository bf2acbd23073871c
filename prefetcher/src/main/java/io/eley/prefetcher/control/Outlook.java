package io.eley.prefetcher.control;

/**
 * The two models, and the work whose end they predict.
 *
 * @param nodes of the buffer
 * @param fetchers of one node that fetch at once when nothing limits them
 * @param interference how much our traffic slows phases down
 * @param performance how fast the map phase goes
 * @param work what is left of it
 * @param duty the part of the time that phases take, 0 to 1
 * @param sharers deployments that fetch from this file system, this one included
 */
public record Outlook(
    int nodes,
    int fetchers,
    InterferenceModel interference,
    PerformanceModel performance,
    Work work,
    double duty,
    int sharers) {
  /** An outlook in which nothing is known. */
  public static final Outlook UNKNOWN =
      new Outlook(0, 1, InterferenceModel.UNKNOWN, PerformanceModel.UNKNOWN, Work.NONE, 0);

  public Outlook {
    if (duty < 0 || duty > 1 || nodes < 0 || fetchers < 1 || sharers < 1) {
      throw new IllegalArgumentException(
          "no outlook: " + nodes + " nodes of " + fetchers + " fetchers, duty " + duty);
    }
  }

  /** An outlook of the only deployment. */
  public Outlook(
      int nodes,
      int fetchers,
      InterferenceModel interference,
      PerformanceModel performance,
      Work work,
      double duty) {
    this(nodes, fetchers, interference, performance, work, duty, 1);
  }

  /** The same for one of so many deployments. */
  public Outlook sharedBy(int deployments) {
    return new Outlook(nodes, fetchers, interference, performance, work, duty, deployments);
  }

  /**
   * What is left of the map phases.
   *
   * @param bytes of input that no task has finished
   * @param inRam the part of them that is in the nodes' RAM
   */
  public record Work(long bytes, long inRam) {
    public static final Work NONE = new Work(0, 0);

    /** What is left to fetch. */
    long toFetch() {
      return Math.max(0, bytes - inRam);
    }
  }

  /**
   * Bytes a second that this deployment's nodes fetch when nothing but the others limits them: each
   * of its nodes has a part of its fetchers, and one at least, see {@link FairShare}.
   */
  double ownOpenRate() {
    return performance.openRate() / Math.min(sharers, Math.max(1, performance.openFetchers()));
  }

  /** Seconds to the end of the map phase at these rates of ours within and between phases. */
  double mapSeconds(double rateInPhases, double rateInGaps) {
    return performance.mapSeconds(work, duty, rateInPhases, rateInGaps);
  }
}
