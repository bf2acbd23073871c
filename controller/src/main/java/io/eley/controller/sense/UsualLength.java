package io.eley.controller.sense;

import java.util.ArrayDeque;
import java.util.Optional;

/** How long phases usually are: the median of the last few. Not thread-safe. */
final class UsualLength {
  private static final int KEPT = 7;
  private static final int ENOUGH = 3;

  /** The end is looked for from this part of the usual length on. */
  private static final double NEAR = 0.9;

  private final ArrayDeque<Long> lengths = new ArrayDeque<>();

  void add(long nanos) {
    lengths.add(nanos);
    if (lengths.size() > KEPT) {
      lengths.remove();
    }
  }

  /** When the end of a phase is near that began then; empty while too few are known. */
  Optional<Long> ending(long began) {
    if (lengths.size() < ENOUGH) {
      return Optional.empty();
    }
    long median = lengths.stream().sorted().toList().get(lengths.size() / 2);
    return Optional.of(began + Math.round(NEAR * median));
  }
}
