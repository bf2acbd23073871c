package io.eley.controller.predict;

import java.util.Optional;
import org.hipparchus.complex.Complex;
import org.hipparchus.transform.DftNormalization;
import org.hipparchus.transform.FastFourierTransformer;
import org.hipparchus.transform.TransformType;

/**
 * Finds the period of a series by its autocorrelation, which is the Fourier transform of its power
 * spectrum (Wiener and Khinchin). The FTIO line of work (Tarraf et al., "Capturing Periodic I/O
 * Using Frequency Techniques", IPDPS 2024) takes the frequency that stands out in the spectrum and
 * confirms it by the autocorrelation; bursts of I/O are far from sines and put their power into
 * harmonics, so here the autocorrelation decides and its height is the confidence. The series is
 * taken without its mean and padded with zeros to twice its length, so that nothing wraps around.
 *
 * <p>Pure. Costs n log n.
 */
public final class Periodicity {
  /** A period must fit into the series at least this often. */
  private static final double LEAST_REPEATS = 2.5;

  /** A peak of at least this part of the best autocorrelation counts as equally high. */
  private static final double AS_GOOD = 0.9;

  private static final FastFourierTransformer TRANSFORM =
      new FastFourierTransformer(DftNormalization.STANDARD);

  /**
   * A period.
   *
   * @param length in samples of the series
   * @param confidence 0 to 1: how well the series resembles itself one period later
   */
  public record Period(double length, double confidence) {}

  private Periodicity() {}

  /** The period of the series, if it has one. */
  public static Optional<Period> of(double[] series) {
    int n = series.length;
    if (n < 8) {
      return Optional.empty();
    }
    double[] correlation = autocorrelation(series);
    if (correlation.length == 0) {
      return Optional.empty();
    }
    int longest = (int) (n / LEAST_REPEATS);
    int first = firstZero(correlation, longest);
    double best = 0;
    for (int lag = first; lag <= longest; lag++) {
      best = Math.max(best, peak(correlation, lag));
    }
    if (best <= 0) {
      return Optional.empty();
    }
    // Multiples of a period are peaks as well: the shortest that is as good is the period.
    for (int lag = first; lag <= longest; lag++) {
      double height = peak(correlation, lag);
      if (height >= AS_GOOD * best) {
        return Optional.of(new Period(summit(correlation, lag), Math.min(1, height)));
      }
    }
    return Optional.empty();
  }

  /** The autocorrelation at each lag, unbiased, 1 at lag 0; empty for a constant series. */
  static double[] autocorrelation(double[] series) {
    int n = series.length;
    int padded = Integer.highestOneBit(2 * n - 1) << 1;
    double mean = java.util.Arrays.stream(series).average().orElse(0);
    double[] centred = new double[padded];
    for (int i = 0; i < n; i++) {
      centred[i] = series[i] - mean;
    }
    Complex[] spectrum = TRANSFORM.transform(centred, TransformType.FORWARD);
    for (int i = 0; i < padded; i++) {
      spectrum[i] =
          new Complex(
              spectrum[i].getReal() * spectrum[i].getReal()
                  + spectrum[i].getImaginary() * spectrum[i].getImaginary());
    }
    Complex[] back = TRANSFORM.transform(spectrum, TransformType.INVERSE);
    double variance = back[0].getReal() / n;
    if (!(variance > 1e-12 * (1 + mean * mean))) {
      return new double[0];
    }
    double[] correlation = new double[n];
    for (int lag = 0; lag < n; lag++) {
      correlation[lag] = back[lag].getReal() / (n - lag) / variance;
    }
    return correlation;
  }

  /**
   * The first lag at which the autocorrelation is not positive: before it a series resembles itself
   * only because it is smooth.
   */
  private static int firstZero(double[] correlation, int longest) {
    int lag = 1;
    while (lag <= longest && correlation[lag] > 0) {
      lag++;
    }
    return lag;
  }

  /** The height of a local maximum, or 0. */
  private static double peak(double[] correlation, int lag) {
    boolean top =
        correlation[lag] >= correlation[lag - 1]
            && lag + 1 < correlation.length
            && correlation[lag] >= correlation[lag + 1];
    return top ? correlation[lag] : 0;
  }

  /** The top of the parabola through a maximum and its neighbours. */
  private static double summit(double[] correlation, int lag) {
    double left = correlation[lag - 1];
    double right = correlation[lag + 1];
    double bend = left - 2 * correlation[lag] + right;
    return bend == 0 ? lag : lag + 0.5 * (left - right) / bend;
  }
}
