package io.eley.cli.render;

/** A number and what it counts, in the singular or in the plural. */
public final class Plural {
  private Plural() {}

  /** {@code 1 node}, {@code 2 nodes}. */
  public static String of(long count, String one) {
    return of(count, one, one + "s");
  }

  /** {@code 1 process}, {@code 2 processes}. */
  public static String of(long count, String one, String several) {
    return count + " " + (count == 1 ? one : several);
  }
}
