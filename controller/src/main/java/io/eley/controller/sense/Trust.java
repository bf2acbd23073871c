package io.eley.controller.sense;

/**
 * How far alarms are trusted: less after each that came to nothing, and more again with time. Not
 * thread-safe.
 */
final class Trust {
  private static final double LESS = 1.3;
  private static final double LEAST = 2.5;
  private static final double FORGIVEN_A_SECOND = 0.93;

  /** So little distrust is as good as none. */
  private static final double NEARLY_NONE = 1.2;

  private double distrust = 1;
  private long forgivenAt;

  /** An alarm came to nothing. */
  void lose() {
    distrust = Math.min(LEAST, distrust * LESS);
  }

  /** Lets time pass. */
  void advance(long now) {
    double seconds = Math.max(0, now - forgivenAt) / 1e9;
    distrust = 1 + (distrust - 1) * Math.pow(FORGIVEN_A_SECOND, seconds);
    forgivenAt = now;
  }

  /** So many times the usual evidence is needed; 1 to {@value #LEAST}. */
  double factor() {
    return distrust;
  }

  boolean nearlyFull() {
    return distrust < NEARLY_NONE;
  }
}
