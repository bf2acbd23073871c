package io.eley.spark.connector.plan;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many tasks can run at once: the sum over executors of cores by cores a task. Safe for several
 * threads.
 */
final class WaveTracker {
  private final Map<String, Integer> cores = new ConcurrentHashMap<>();
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
