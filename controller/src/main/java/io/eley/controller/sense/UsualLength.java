package io.eley.controller.sense;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * How long phases usually are: the median of the last few. Pieces that are so close to each other
 * that a single read may have been wrong in between are one. Not thread-safe.
 */
final class UsualLength {
  private static final int KEPT = 7;
  private static final int ENOUGH = 3;

  /** The end is looked for from this part of the usual length on. */
  private static final double NEAR = 0.9;

  private final ArrayDeque<Long> lengths = new ArrayDeque<>();
  private final long gap;
  private long began;
  private Optional<Long> ended = Optional.empty();

  /**
   * Nothing is known.
   *
   * @param gap between pieces of one phase at most
   */
  UsualLength(Duration gap) {
    this.gap = gap.toNanos();
  }

  void begin(long at) {
    if (ended.filter(end -> at - end <= gap).isPresent()) {
      lengths.removeLast();
    } else {
      began = at;
    }
  }

  void end(long at) {
    ended = Optional.of(at);
    lengths.add(at - began);
    if (lengths.size() > KEPT) {
      lengths.remove();
    }
  }

  /** When the end of the phase that has begun is near; empty while too few are known. */
  Optional<Long> ending() {
    if (lengths.size() < ENOUGH) {
      return Optional.empty();
    }
    long median = lengths.stream().sorted().toList().get(lengths.size() / 2);
    return Optional.of(began + Math.round(NEAR * median));
  }
}
