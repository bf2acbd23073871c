package io.eley.ior;

import java.io.IOException;
import java.util.stream.IntStream;

/** The files of a run, removed at its end unless {@code -k} keeps them. */
final class TestFiles implements AutoCloseable {
  private final IorOptions options;
  private final IorTarget target;

  TestFiles(IorOptions options, IorTarget target) {
    this.options = options;
    this.target = target;
  }

  @Override
  public void close() throws IOException {
    if (options.keep()) {
      return;
    }
    for (String file :
        IntStream.range(0, options.tasks()).mapToObj(options::fileOf).distinct().toList()) {
      target.delete(file);
    }
  }
}
