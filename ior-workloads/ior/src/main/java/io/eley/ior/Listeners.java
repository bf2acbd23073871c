package io.eley.ior;

import java.util.List;

/**
 * Listeners that are closed together, the last one first.
 *
 * @param all in the order in which they are notified
 */
record Listeners(List<IorPhaseListener> all) implements AutoCloseable {
  Listeners {
    all = List.copyOf(all);
  }

  @Override
  public void close() {
    for (int i = all.size() - 1; i >= 0; i--) {
      all.get(i).close();
    }
  }
}
