package io.eley.report;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Two figures side by side in as many digits as it takes to tell them apart, so that nobody reads
 * "0.60, at most 0.60, not met". Worked examples with two decimals at least: 0.55 and 0.6 are
 * "0.55" and "0.60"; 0.6004 and 0.6 are "0.6004" and "0.6000"; equal figures are equal texts.
 *
 * @param first as text
 * @param second as text, with as many decimals
 */
record DistinctFigures(String first, String second) {
  /** Beyond it digits say nothing; then the exact binary values are written out. */
  private static final int MOST_DECIMALS = 12;

  /**
   * The texts of two finite figures.
   *
   * @param leastDecimals 0 to 12
   */
  static DistinctFigures of(double first, double second, int leastDecimals) {
    for (int decimals = leastDecimals; decimals <= MOST_DECIMALS; decimals++) {
      var texts = new DistinctFigures(rounded(first, decimals), rounded(second, decimals));
      if (first == second || !texts.first.equals(texts.second)) {
        return texts;
      }
    }
    return new DistinctFigures(exact(first), exact(second));
  }

  /** Halves away from zero, as all other numbers of a report; never "-0.00". */
  private static String rounded(double value, int decimals) {
    return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP).toPlainString();
  }

  private static String exact(double value) {
    return new BigDecimal(value).toPlainString();
  }
}
