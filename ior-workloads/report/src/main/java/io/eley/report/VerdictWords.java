package io.eley.report;

import org.jspecify.annotations.Nullable;

/**
 * A verdict in words: figure and bound differ visibly whenever the verdict depends on it.
 *
 * @param state met, not met or not measured
 * @param measured the figure; a dash when there is none
 * @param bound what it is held against, as half a sentence
 */
record VerdictWords(String state, String measured, String bound) {
  /** The state of what could not be measured. */
  static final String UNKNOWN = "not measured";

  private static final int DECIMALS = 2;

  static VerdictWords of(Verdict verdict) {
    Double measured = verdict.measured();
    if (measured == null || !Double.isFinite(measured)) {
      return new VerdictWords(UNKNOWN, "-", "bound " + bound(verdict, null).second());
    }
    var texts = bound(verdict, measured);
    // Equal and yet not met: the expectation is "below", not "at most".
    boolean strict = !verdict.met() && measured == verdict.bound();
    return new VerdictWords(
        verdict.met() ? "met" : "not met",
        texts.first(),
        (strict ? "has to be below " : "bound ") + texts.second());
  }

  private static DistinctFigures bound(Verdict verdict, @Nullable Double measured) {
    double bound = verdict.bound();
    return DistinctFigures.of(measured == null ? bound : measured, bound, DECIMALS);
  }
}
