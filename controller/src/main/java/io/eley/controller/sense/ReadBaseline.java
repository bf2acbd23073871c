package io.eley.controller.sense;

/**
 * What a read takes under one load of ours when nobody else loads the origin, and how far from that
 * it usually is. Reads that met somebody unnoticed are among those it is learned from, up to half
 * of them: so the level is a low quantile of recent times, and not above what other loads say of
 * this one unless nearly all of its own reads say so; and the spread is that of the faster reads.
 *
 * <p>Not thread-safe. Times are logarithms of nanoseconds.
 */
final class ReadBaseline {
  private static final double BELOW_MEDIAN = 0.4;
  private static final double FAST = 0.25;
  private static final double SPREAD_STEP = 0.05;
  private static final double SPREAD_LEAST = 0.05;

  /** As long as no read has told. */
  private static final double SPREAD_UNKNOWN = 0.2;

  private final RecentQuantile times = new RecentQuantile();
  private double most = Double.POSITIVE_INFINITY;
  private double spread = SPREAD_LEAST;

  /** Whether there is anything to compare with, be it what other loads take. */
  boolean known() {
    return times.known() || most < Double.POSITIVE_INFINITY;
  }

  /** Takes the time of a read that ended then. */
  void learn(double time, long at) {
    if (times.known() && excess(time) <= 0) {
      spread += SPREAD_STEP * (Math.min(1, -excess(time)) - spread);
    }
    times.learn(time, at);
  }

  /** Takes what a read of this load takes at most by all that is known of other loads. */
  void atMost(double time) {
    most = time;
  }

  private double level() {
    if (!times.known()) {
      return most;
    }
    double bounded = Math.min(times.value(BELOW_MEDIAN), most);
    return times.wellKnown() ? Math.max(bounded, times.value(FAST)) : bounded;
  }

  /** How much longer a read took than usual, as a logarithm: 0.69 is twice as long. */
  double excess(double time) {
    return time - level();
  }

  /** Usual distance from the level, as a logarithm. */
  double spread() {
    return times.known() ? Math.max(SPREAD_LEAST, spread) : SPREAD_UNKNOWN;
  }
}
