package io.eley.ior;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Real outputs of IOR 4.1. */
final class IorSamples {
  private IorSamples() {}

  static String text(String name) {
    try (InputStream in = IorSamples.class.getResourceAsStream("/ior-samples/ior-4.1-" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static IorResult parsed(String name) throws IOException {
    return IorOutputParser.parse(text(name));
  }
}
