package io.eley.controller.sense;

/**
 * What a read takes when nobody else loads the origin: a running quantile of the logarithm of its
 * time, a little below the median, since what disturbs a read makes it longer. A single outlier
 * moves it by a fraction of the usual spread, whatever its size.
 *
 * <p>Not thread-safe.
 */
final class ReadBaseline {
  /** So many reads make a baseline. */
  static final int ENOUGH = 4;

  private static final double STEP = 0.05;
  private static final double SPREAD_STEP = 0.05;
  private static final double SPREAD_LEAST = 0.05;

  /** Reads below the level move it so much more than those above. */
  private static final double DOWN = 1.5;

  private double level;
  private double spread = SPREAD_LEAST;
  private int seen;

  boolean known() {
    return seen >= ENOUGH;
  }

  /** Takes the logarithm of a read's time. */
  void learn(double time) {
    seen++;
    if (seen <= ENOUGH) {
      // The first ones may have met somebody else: the shortest did so least.
      level = seen == 1 ? time : Math.min(level, time);
      return;
    }
    double away = Math.min(1, Math.abs(time - level));
    spread += SPREAD_STEP * (away - spread);
    double step = STEP * Math.max(SPREAD_LEAST, spread) + STEP * away * (seen < 4 * ENOUGH ? 4 : 0);
    level += time < level ? -DOWN * step : step;
  }

  /** How much longer a read took than usual, as a logarithm: 0.69 is twice as long. */
  double excess(double time) {
    return time - level;
  }

  /** Usual distance from the level, as a logarithm. */
  double spread() {
    return Math.max(SPREAD_LEAST, spread);
  }
}
