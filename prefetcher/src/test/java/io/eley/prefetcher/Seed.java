package io.eley.prefetcher;

import java.util.Random;

/**
 * Randomness that can be had again: {@code -Deley.test.seed=N} replays one run, {@code
 * -Deley.test.base=N} gives a whole build the same seeds.
 */
public final class Seed {
  private Seed() {}

  /** A generator of a seed that is printed under the name. */
  public static Random random(String name) {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of " + name + " (-Deley.test.seed=...): " + seed);
    return new Random(seed);
  }
}
