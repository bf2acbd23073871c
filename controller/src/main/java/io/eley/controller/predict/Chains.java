package io.eley.controller.predict;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Finds begins that follow each other at one distance though other begins lie between: the
 * autocorrelation of a few begins, distance by distance. This is how one application is found in
 * what several do under one name. Pure.
 */
final class Chains {
  /** The next begin is one distance after one of so many of the newest. */
  private static final int ANCHORS = 6;

  /** How far a begin may be off, as a part of the distance. */
  private static final double TOLERANCE = 0.02;

  /** Nobody is more exact than this, in nanoseconds. */
  private static final long EXACT = 20_000_000;

  /** Chains that so many of random series would have are no chains. */
  private static final double BY_CHANCE = 0.01;

  /**
   * Begins at one distance from each other.
   *
   * @param anchor the newest of them
   * @param distance between the newest two
   * @param distances between all
   */
  record Chain(long anchor, long distance, Track distances) {}

  private Chains() {}

  /**
   * All chains whose next begin has not come.
   *
   * @param begins the newest first
   * @param tolerance least, in nanoseconds
   */
  static List<Chain> of(long[] begins, long now, long tolerance) {
    var chains = new ArrayList<Chain>();
    for (int newest = 0; newest < Math.min(ANCHORS, begins.length); newest++) {
      shortest(begins, newest, tolerance)
          .filter(c -> c.anchor + c.distance > now)
          .ifPresent(chains::add);
    }
    return chains;
  }

  /** Multiples of it are chains, too: an application that has stopped would go on in those. */
  private static Optional<Chain> shortest(long[] begins, int newest, long tolerance) {
    return IntStream.range(newest + 1, begins.length)
        .mapToObj(next -> chain(begins, newest, next, tolerance))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<Chain> chain(long[] begins, int newest, int next, long least) {
    long distance = begins[newest] - begins[next];
    long tolerance = Math.max(least, (long) (distance * TOLERANCE));
    var distances = new Track(Integer.MAX_VALUE);
    distances.add(distance);
    long off = EXACT;
    int last = next;
    for (int each = next + 1; each < begins.length; each++) {
      long error = Math.abs(begins[last] - begins[each] - distance);
      if (error <= tolerance) {
        distances.add(begins[last] - begins[each]);
        off = Math.max(off, error);
        last = each;
      }
    }
    double between = (double) (begins[0] - begins[begins.length - 1]) / (begins.length - 1);
    double chance =
        ANCHORS * next * Math.pow(Math.min(1, 2 * off / between), distances.count() - 1);
    return distances.count() < 2 || chance > BY_CHANCE
        ? Optional.empty()
        : Optional.of(new Chain(begins[newest], distance, distances));
  }
}
