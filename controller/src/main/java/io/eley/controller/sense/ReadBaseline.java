package io.eley.controller.sense;

/**
 * What a read takes under one load of ours when nobody else loads the origin: a quantile of recent
 * times, a little below the median, since what disturbs a read makes it longer; and how far from it
 * they usually are.
 *
 * <p>Not thread-safe. Times are logarithms of nanoseconds.
 */
final class ReadBaseline {
  private static final double BELOW_MEDIAN = 0.4;
  private static final double SPREAD_STEP = 0.05;
  private static final double SPREAD_LEAST = 0.05;

  /** As long as no read has told. */
  private static final double SPREAD_UNKNOWN = 0.2;

  private final RecentQuantile times = new RecentQuantile(BELOW_MEDIAN);
  private double most = Double.POSITIVE_INFINITY;
  private double spread = SPREAD_LEAST;

  /** Whether there is anything to compare with, be it what other loads take. */
  boolean known() {
    return times.known() || most < Double.POSITIVE_INFINITY;
  }

  /** Takes the time of a read that ended then. */
  void learn(double time, long at) {
    if (times.known()) {
      spread += SPREAD_STEP * (Math.min(1, Math.abs(excess(time))) - spread);
    }
    times.learn(time, at);
  }

  /**
   * Takes what a read of this load takes at most by all that is known of other loads: until this
   * one is well known, its few reads may all have met somebody.
   */
  void atMost(double time) {
    most = time;
  }

  /** How much longer a read took than usual, as a logarithm: 0.69 is twice as long. */
  double excess(double time) {
    if (!times.known()) {
      return time - most;
    }
    double level = times.value();
    return time - (times.wellKnown() ? level : Math.min(level, most));
  }

  /** Usual distance from the level, as a logarithm. */
  double spread() {
    return times.known() ? Math.max(SPREAD_LEAST, spread) : SPREAD_UNKNOWN;
  }
}
