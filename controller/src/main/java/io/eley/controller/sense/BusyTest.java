package io.eley.controller.sense;

/**
 * Decides by single reads whether somebody loads the origin: a sequential test (Wald, Annals of
 * Mathematical Statistics 16, 1945) with the logarithms of their times for likelihoods. Not
 * thread-safe.
 */
final class BusyTest {
  /** A read that takes 1.6 times as long as usual speaks for neither side, if no more is known. */
  static final double NEITHER = 0.45;

  private static final double BUSY = 0.5;

  /**
   * The more single reads differ with nobody about, the more of them must agree that somebody is:
   * Wald's bound is the variance over the distance of the two sides, times the logarithm of how
   * rarely it may err.
   */
  private static final double BUSY_SPREADS = 2.5;

  private static final double IDLE = -0.3;

  /** No single read decides that somebody is there. */
  private static final double MOST_BY_ONE = 0.45;

  /**
   * Nor that somebody has gone, unless it is as fast as the fast ones usually are: beside four
   * writers one read of 140 found a lull and took as long as a slow one with nobody about, and once
   * two in a row did. Three end a phase.
   */
  private static final double LEAST_BY_ONE = -0.11;

  /** What the reads so far say. */
  enum Verdict {
    UNDECIDED,
    BUSY,
    IDLE
  }

  private double sum;

  /**
   * Takes a read; a verdict begins a new test.
   *
   * @param excess how much longer than usual it took, as a logarithm
   * @param neither the excess that speaks for neither side, likewise
   * @param spread how far apart single reads usually are, likewise
   */
  Verdict take(double excess, double neither, double spread) {
    sum += Math.min(MOST_BY_ONE, excess - neither);
    if (sum <= IDLE) {
      sum = 0;
      return Verdict.IDLE;
    }
    if (sum >= Math.max(BUSY, BUSY_SPREADS * spread)) {
      sum = 0;
      return Verdict.BUSY;
    }
    return Verdict.UNDECIDED;
  }

  /** The same when it is known that somebody is there: only whether he has gone is asked. */
  boolean takeUntilIdle(double excess, double neither) {
    double least = excess > 0 ? neither + LEAST_BY_ONE : excess;
    boolean idle = take(Math.max(least, excess), neither, 0) == Verdict.IDLE;
    sum = Math.min(0, sum);
    return idle;
  }

  /** Whether the reads so far speak for somebody. */
  boolean leansToBusy() {
    return sum > 0;
  }

  boolean leansToIdle() {
    return sum < 0;
  }

  void begin() {
    sum = 0;
  }
}
