package io.eley.controller.sense;

import java.time.Duration;
import java.util.ArrayDeque;

/**
 * Quantiles of the times of the last half minute. Some of those reads may have met somebody else,
 * so it is the low ones that tell what reads take when nobody is there. Slow reads at the start,
 * and those of phases that nobody noticed, are forgotten as soon as enough others have come.
 *
 * <p>Not thread-safe. Times are logarithms of nanoseconds.
 */
final class RecentQuantile {
  /** So many are enough to compare with. */
  static final int ENOUGH = 4;

  /** So many are kept however old they are, and come as they come. */
  private static final int FEW = 12;

  /** Of a normal distribution 0.1 to 0.75 is so many times as wide as 0.1 to 0.5. */
  private static final double OF_FASTER_HALF = 1.53;

  private static final Duration RECENT = Duration.ofSeconds(30);
  private static final Duration APART = Duration.ofMillis(100);

  private record Sample(double time, long at) {}

  private final ArrayDeque<Sample> samples = new ArrayDeque<>();

  /**
   * Takes a read's time.
   *
   * @param at when it ended, in nanoseconds of a monotonic clock
   */
  void learn(double time, long at) {
    if (samples.size() >= FEW && at - samples.getLast().at < APART.toNanos()) {
      return;
    }
    samples.add(new Sample(time, at));
    while (samples.size() > FEW && at - samples.getFirst().at > RECENT.toNanos()) {
      samples.remove();
    }
  }

  boolean known() {
    return samples.size() >= ENOUGH;
  }

  /** Whether more than the first few were seen. */
  boolean wellKnown() {
    return samples.size() >= FEW;
  }

  /**
   * How far most of them are apart, by the faster half alone where the slower one is further apart
   * than that lets expect: slow ones may have met somebody.
   */
  double spread() {
    double fastest = value(0.1);
    return Math.min(value(0.75) - fastest, OF_FASTER_HALF * (value(0.5) - fastest));
  }

  /**
   * The time that this part of the reads took at most; something must have been learned. It is that
   * of the nearest read, not of the next faster one: a quarter of the first four would else be the
   * very quickest, and where reads differ much all later ones would seem slow beside it.
   *
   * @param part 0 to 1
   */
  double value(double part) {
    var sorted = samples.stream().mapToDouble(Sample::time).sorted().toArray();
    return sorted[(int) Math.round((sorted.length - 1) * part)];
  }
}
