package io.eley.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What targets do with the bytes that a fuzzer gives them, and how they say that a rule broke. */
public final class Input {
  private Input() {}

  /** As production reads other programs' output. */
  public static String text(byte[] input) {
    return new String(input, StandardCharsets.UTF_8);
  }

  /** The first byte, which chooses between a target's variants; 0 when there is none. */
  public static int choice(byte[] input) {
    return input.length == 0 ? 0 : Byte.toUnsignedInt(input[0]);
  }

  /** What follows {@link #choice}. */
  public static byte[] rest(byte[] input) {
    return input.length == 0 ? input : Arrays.copyOfRange(input, 1, input.length);
  }

  /** Fails the target unless a rule holds. */
  public static void require(boolean holds, String rule) {
    if (!holds) {
      throw new AssertionError(rule);
    }
  }
}
