package io.eley.controller.sense;

import java.util.ArrayDeque;

/**
 * What single reads of a node take when nobody else loads the origin: a little less than the median
 * of the last few that were made to learn it. So more than half of them may have met somebody else.
 *
 * <p>Not thread-safe. Times are logarithms of nanoseconds.
 */
final class SingleReads {
  /** So many are enough to compare with. */
  static final int ENOUGH = 4;

  private static final int KEPT = 16;
  private final ArrayDeque<Double> last = new ArrayDeque<>();

  void learn(double time) {
    last.add(time);
    if (last.size() > KEPT) {
      last.remove();
    }
  }

  boolean known() {
    return last.size() >= ENOUGH;
  }

  /** How much longer a read took than usual, as a logarithm. */
  double excess(double time) {
    var sorted = last.stream().sorted().toList();
    return time - sorted.get((sorted.size() - 1) * 2 / 5);
  }
}
