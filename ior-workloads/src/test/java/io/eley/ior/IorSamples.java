package io.eley.ior;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Outputs of the real IOR 4.1, kept as test resources. */
final class IorSamples {
  private IorSamples() {}

  static String text(String name) {
    String resource = "/ior-samples/ior-4.1-" + name;
    try (var in =
        Objects.requireNonNull(IorSamples.class.getResourceAsStream(resource), resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
