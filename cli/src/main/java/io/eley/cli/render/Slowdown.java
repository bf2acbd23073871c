package io.eley.cli.render;

import java.util.Locale;

/** A slowdown against running alone, as far as it can be told. */
final class Slowdown {
  private Slowdown() {}

  /**
   * In percent, or that it is less than what can be told.
   *
   * @param slower as a fraction
   * @param error how far off that may be, as a fraction
   */
  static String text(double slower, double error) {
    return told(slower, error)
        ? String.format(Locale.ROOT, "%+.1f %% against alone", 100 * slower)
        : String.format(
            Locale.ROOT,
            "no slowdown that can be told: its times may be off by %.1f %%",
            100 * error);
  }

  /** Whether it is more than what its times may be off. */
  static boolean told(double slower, double error) {
    return error == 0 || Math.abs(slower) > error;
  }
}
