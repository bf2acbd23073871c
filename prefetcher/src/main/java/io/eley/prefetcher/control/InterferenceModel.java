package io.eley.prefetcher.control;

/**
 * How much our traffic slows an HPC phase down. A phase that moves <i>F</i> bytes a second when it
 * is alone, beside our <i>r</i> on an origin of capacity <i>C</i>, takes longer by
 *
 * <pre>  s = a · max(0, F / (C − r) − 1)  +  b · r / C</pre>
 *
 * The first term is what a shared link does to somebody who needs more than we leave (<i>a</i> = 1
 * when it is shared by need); the second what requests cost each other before the link is full.
 * Both weights are fitted phase by phase, by recursive least squares (a Kalman filter with a
 * constant state), from what phases really took. {@link #error} is the running mean of how wrong
 * the model was, each time before it learned.
 *
 * <p>Example: C = 100 MB/s, F = 80 MB/s, a = 1, b = 0.2: at r = 10 MB/s s = 0.02, at 30 MB/s 0.20.
 *
 * <p>Immutable.
 *
 * @param capacity bytes a second that the origin moves for everybody; 0 while it is not known
 * @param a weight of the lack of capacity, not negative
 * @param b weight of our share, not negative
 * @param covariance of a and b: variance of a, of b, and their covariance
 * @param error running mean of the absolute error, as a fraction of the length alone
 * @param observations phases that were learned from
 */
public record InterferenceModel(
    double capacity, double a, double b, Covariance covariance, double error, int observations) {
  /** Before anything is known: an origin without capacity bears nothing of ours. */
  public static final InterferenceModel UNKNOWN =
      new InterferenceModel(0, 1, 0.2, new Covariance(0.25, 0.04, 0), 0.02, 0);

  /** Variance of a phase's length, from one phase to the next, for reasons that are not ours. */
  private static final double NOISE_VARIANCE = 0.02 * 0.02;

  /** Variance by which the weights may change from phase to phase: an origin's load changes. */
  private static final double DRIFT_VARIANCE = 1e-5;

  private static final double NEWEST = 0.2;

  /** Old maxima decay: a maximum has halved after some 700 observations of traffic. */
  private static final double KEPT_CAPACITY = 0.999;

  /** The largest part of the capacity that is ever ours; the rest is left to others. */
  private static final double MOST_SHARE = 0.9;

  private static final double LARGEST_WEIGHT = 20;

  /** A symmetric 2×2 matrix. */
  public record Covariance(double aa, double bb, double ab) {}

  /**
   * The model after it has learned from traffic: the capacity is the most that was seen.
   *
   * @param bytesPerSecond of everybody, over a second or so
   */
  public InterferenceModel withTraffic(double bytesPerSecond) {
    return new InterferenceModel(
        Math.max(capacity * KEPT_CAPACITY, bytesPerSecond), a, b, covariance, error, observations);
  }

  /**
   * The model after it has learned from a phase that is over.
   *
   * @param foreign bytes a second that it moves alone
   * @param ours bytes a second that we moved meanwhile
   * @param slowdown what it really was, as a fraction of the length alone; may be negative
   */
  public InterferenceModel withPhase(double foreign, double ours, double slowdown) {
    if (capacity <= 0) {
      return this;
    }
    double x = lack(foreign, ours);
    double y = share(ours);
    double wrong = slowdown - (a * x + b * y);
    double paa = covariance.aa + DRIFT_VARIANCE;
    double pbb = covariance.bb + DRIFT_VARIANCE;
    double pab = covariance.ab;
    double gainA = paa * x + pab * y;
    double gainB = pab * x + pbb * y;
    double variance = x * gainA + y * gainB + NOISE_VARIANCE;
    return new InterferenceModel(
        capacity,
        weight(a + gainA / variance * wrong),
        weight(b + gainB / variance * wrong),
        new Covariance(
            paa - gainA * gainA / variance,
            pbb - gainB * gainB / variance,
            pab - gainA * gainB / variance),
        (1 - NEWEST) * error + NEWEST * Math.abs(wrong),
        observations + 1);
  }

  private static double weight(double value) {
    return Math.min(LARGEST_WEIGHT, Math.max(0, value));
  }

  /**
   * The slowdown that the model expects, as a fraction.
   *
   * @param foreign bytes a second that the open phases move alone
   * @param ours bytes a second
   */
  public double slowdown(double foreign, double ours) {
    if (ours <= 0) {
      return 0;
    }
    return capacity <= 0 ? Double.POSITIVE_INFINITY : a * lack(foreign, ours) + b * share(ours);
  }

  /** What the phase lacks, against what it would have without us. */
  private double lack(double foreign, double ours) {
    double need = Math.min(foreign, capacity);
    double left = Math.max(capacity - ours, capacity * (1 - MOST_SHARE));
    return Math.max(0, need / left - 1);
  }

  private double share(double ours) {
    return ours / capacity;
  }

  /**
   * The largest rate of ours whose expected slowdown, with the model's error for a margin (but for
   * not more than half of the bound, or nothing would ever be tried), is within the bound.
   *
   * @param foreign bytes a second that the open phases move alone
   * @param bound a fraction, such as 0.05; 0 gives 0
   * @return bytes a second, 0 when even the smallest is too much
   */
  public double largestRate(double foreign, double bound) {
    if (bound <= 0 || capacity <= 0) {
      return 0;
    }
    double target = bound - Math.min(error, bound / 2);
    double low = 0;
    double high = capacity * MOST_SHARE;
    if (slowdown(foreign, high) <= target) {
      return high;
    }
    for (int i = 0; i < 50; i++) {
      double middle = (low + high) / 2;
      if (slowdown(foreign, middle) <= target) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
