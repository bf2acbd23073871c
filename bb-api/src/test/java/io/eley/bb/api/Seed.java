package io.eley.bb.api;

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

  /** A text of up to so many characters, of one, two and three bytes each. */
  public static String text(Random random, int most) {
    var text = new StringBuilder();
    for (int n = random.nextInt(most + 1); n > 0; n--) {
      text.append("aZ0 _-.:@#%üß€漢\n".charAt(random.nextInt(16)));
    }
    return text.toString();
  }

  /** A number of any size: small ones, large ones, and those beside powers of two. */
  public static long number(Random random) {
    return (random.nextLong() >> random.nextInt(64)) + random.nextInt(3) - 1;
  }
}
