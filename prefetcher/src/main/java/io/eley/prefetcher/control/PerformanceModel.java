package io.eley.prefetcher.control;

/**
 * When the map phase ends. Tasks get through the input at their own rate as long as it is in RAM;
 * what is not must be fetched, at one rate in gaps and at another within phases:
 *
 * <pre>  seconds = max( bytes / tasks,  to fetch / ((1 − duty) · gaps + duty · phases) )</pre>
 *
 * Both rates are learned as running means of what was seen. {@link #error} is the running mean of
 * how far off predictions were that have since come to their end.
 *
 * <p>Immutable.
 *
 * @param taskRate bytes a second that all tasks together get through; 0 while that is not known
 * @param openRate bytes a second that the nodes fetch when nothing limits them; 0 while that is not
 *     known
 * @param openFetchers fetchers of each node that did, on average; 0 while that is not known
 * @param error running mean of |predicted − actual| / actual
 * @param predictions that came to their end
 */
public record PerformanceModel(
    double taskRate, double openRate, double openFetchers, double error, int predictions) {
  /** Before anything is known. */
  public static final PerformanceModel UNKNOWN = new PerformanceModel(0, 0, 0, 0, 0);

  private static final double NEWEST = 0.1;

  /** The model after it has seen tasks get through this much while all their input was in RAM. */
  public PerformanceModel withTaskRate(double bytesPerSecond) {
    return new PerformanceModel(
        mean(taskRate, bytesPerSecond), openRate, openFetchers, error, predictions);
  }

  /**
   * The model after it has seen nodes fetch this much with open permits and blocks to fetch.
   *
   * @param fetchers of each node
   */
  public PerformanceModel withOpenRate(double bytesPerSecond, double fetchers) {
    return new PerformanceModel(
        taskRate, mean(openRate, bytesPerSecond), mean(openFetchers, fetchers), error, predictions);
  }

  /**
   * The model after it has seen each of more fetchers than usual move this much. Fewer that share
   * an origin are no slower each, so the rate in gaps is that of the usual ones at least: what was
   * learned too low would be believed for ever otherwise, since it is why more than usual fetch.
   */
  PerformanceModel withOpenRateAtLeast(double bytesPerSecondOfOne) {
    return new PerformanceModel(
        taskRate,
        Math.max(openRate, bytesPerSecondOfOne * openFetchers),
        openFetchers,
        error,
        predictions);
  }

  /** The model after a map phase has ended: only {@link #error} and the count change. */
  public PerformanceModel withMapPhase(double predictedSeconds, double actualSeconds) {
    if (!Double.isFinite(predictedSeconds) || actualSeconds <= 0) {
      return this;
    }
    double wrong = Math.abs(predictedSeconds - actualSeconds) / actualSeconds;
    double mean = predictions == 0 ? wrong : (1 - 2 * NEWEST) * error + 2 * NEWEST * wrong;
    return new PerformanceModel(taskRate, openRate, openFetchers, mean, predictions + 1);
  }

  private static double mean(double before, double newest) {
    return before == 0 ? newest : (1 - NEWEST) * before + NEWEST * newest;
  }

  /**
   * Seconds to the end of the map phase.
   *
   * @param duty the part of the time that phases take
   * @param rateInPhases our bytes a second within them
   * @param rateInGaps our bytes a second outside
   * @return infinite when it never ends, 0 when nothing is left
   */
  public double mapSeconds(Outlook.Work work, double duty, double rateInPhases, double rateInGaps) {
    double compute = taskRate > 0 ? work.bytes() / taskRate : 0;
    double rate = (1 - duty) * rateInGaps + duty * rateInPhases;
    double fetch = work.toFetch() == 0 ? 0 : work.toFetch() / rate;
    return Math.max(compute, fetch);
  }

  /** Whether the end of the map phase depends on fetching rather than on the tasks. */
  boolean fetchLimited(Outlook.Work work, double duty, double rateInPhases, double rateInGaps) {
    double fetch = (1 - duty) * rateInGaps + duty * rateInPhases;
    return work.toFetch() > 0
        && taskRate > 0
        && fetch > 0
        && work.toFetch() / fetch > work.bytes() / taskRate;
  }
}
