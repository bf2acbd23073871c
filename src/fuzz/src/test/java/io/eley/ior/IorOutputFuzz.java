package io.eley.ior;

import io.eley.fuzz.Input;
import java.io.IOException;

/** IOR's text, JSON and CSV: a result, or an {@link IOException}. */
public final class IorOutputFuzz {
  private IorOutputFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    try {
      IorOutputParser.parse(Input.text(input)).intervals();
    } catch (IOException e) {
      // As it must be.
    }
  }
}
