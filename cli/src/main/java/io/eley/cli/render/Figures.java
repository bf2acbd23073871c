package io.eley.cli.render;

import java.util.Locale;

/** Sizes, rates and times as the live views say them. */
final class Figures {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

  /** From here on three digits stand before the point. */
  private static final double WHOLE = 99.95;

  private Figures() {}

  static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    for (; value >= 1024 && unit < UNITS.length - 1; unit++) {
      value /= 1024;
    }
    return unit == 0 || value >= WHOLE
        ? Math.round(value) + " " + UNITS[unit]
        : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
  }

  static String rate(double bytesPerSecond) {
    return bytesPerSecond >= 1e9
        ? String.format(Locale.ROOT, "%.1f GB/s", bytesPerSecond / 1e9)
        : bytesPerSecond >= 1e7
            ? Math.round(bytesPerSecond / 1e6) + " MB/s"
            : bytesPerSecond >= 1e5
                ? String.format(Locale.ROOT, "%.1f MB/s", bytesPerSecond / 1e6)
                : Math.round(bytesPerSecond / 1e3) + " kB/s";
  }

  static String time(double seconds) {
    return seconds >= 5400
        ? String.format(Locale.ROOT, "%.1f h", seconds / 3600)
        : seconds >= 120
            ? String.format(Locale.ROOT, "%.1f min", seconds / 60)
            : seconds >= 10 || seconds == 0
                ? Math.round(seconds) + " s"
                : String.format(Locale.ROOT, "%.1f s", seconds);
  }

  static String percent(long part, long whole) {
    return whole <= 0 ? "–" : Math.round(100.0 * part / whole) + " %";
  }
}
