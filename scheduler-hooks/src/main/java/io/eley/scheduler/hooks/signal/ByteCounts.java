package io.eley.scheduler.hooks.signal;

/**
 * Numbers of bytes as other programs print them. None of them may become negative on its way to a
 * phase, whatever was printed: 2⁶³ bytes and more are taken for {@link Long#MAX_VALUE}.
 */
public final class ByteCounts {
  private ByteCounts() {}

  /**
   * Reads a number of bytes.
   *
   * @throws NumberFormatException for anything but digits
   */
  public static long parse(String digits) {
    long number = Long.parseUnsignedLong(digits);
    return number < 0 ? Long.MAX_VALUE : number;
  }

  /** The sum of two numbers of bytes. */
  public static long sum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }
}
