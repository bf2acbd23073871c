package io.eley.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Makes what a benchmark's state needs where JMH allows no checked exception. */
final class Started {
  private Started() {}

  /** Makes a part of a state. */
  interface Maker<T> {
    T make() throws IOException;
  }

  static <T> T start(Maker<T> maker) {
    try {
      return maker.make();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
