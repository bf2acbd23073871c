package io.eley.cli;

import java.util.function.Supplier;
import picocli.CommandLine.TypeConversionException;

/** Lets picocli show our own sentence about a bad value. */
final class Converted {
  private Converted() {}

  static <T> T of(Supplier<T> parse) {
    try {
      return parse.get();
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
