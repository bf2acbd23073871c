package io.eley.cli;

/** Bounds of numbers that are typed. */
final class Numbers {
  private Numbers() {}

  /**
   * Refuses what lies outside.
   *
   * @throws IllegalArgumentException that names the option and says what it may be
   */
  static void require(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          option + " " + value + ": must be " + least + " to " + most);
    }
  }
}
