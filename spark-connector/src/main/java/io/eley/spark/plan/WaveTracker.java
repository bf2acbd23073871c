package io.eley.spark.plan;

import java.util.HashMap;
import java.util.Map;

/**
 * How many tasks can run at once: the sum over executors of cores by cores a task. Not safe for
 * several threads; the plan's one thread owns it.
 */
final class WaveTracker {
  private final Map<String, Integer> cores = new HashMap<>();
  private final int coresPerTask;

  WaveTracker(int coresPerTask) {
    if (coresPerTask < 1) {
      throw new IllegalArgumentException("a task takes at least one core");
    }
    this.coresPerTask = coresPerTask;
  }

  void added(String executor, int totalCores) {
    cores.put(executor, totalCores);
  }

  void removed(String executor) {
    cores.remove(executor);
  }

  int waveSize() {
    return cores.values().stream().mapToInt(c -> c / coresPerTask).sum();
  }
}
