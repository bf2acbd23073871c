package io.eley.ior;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** The files of a run. Closing removes them unless {@code -k} keeps them. */
final class TestFiles implements AutoCloseable {
  private final IorOptions options;
  private final IorTarget target;

  TestFiles(IorOptions options, IorTarget target) {
    this.options = options;
    this.target = target;
  }

  /** Removes them, whether there are any or not. */
  void remove() throws IOException {
    for (String file : names()) {
      target.delete(file);
    }
  }

  /** Bytes in all of them, holes included. */
  long size() throws IOException {
    long size = 0;
    for (String file : names()) {
      size += target.size(file);
    }
    return size;
  }

  @Override
  public void close() throws IOException {
    if (!options.keep()) {
      remove();
    }
  }

  private List<String> names() {
    return IntStream.range(0, options.shape().tasks())
        .mapToObj(options::fileOf)
        .distinct()
        .toList();
  }
}
