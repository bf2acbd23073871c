package io.eley.local.deployment;

import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.process.ProcessHeaps;
import java.util.List;

/** Configuration of the processes themselves, for who starts them. */
public final class StartKeys {
  public static final ConfigKey<DataSize> COORDINATOR_HEAP =
      ConfigKey.size(
          "eley.coordinator.heap",
          ProcessHeaps.COORDINATOR,
          "64m",
          "1t",
          "Heap of the coordinator that `eley start` or a job of `eley sbatch` starts: plans and"
              + " metadata have their shares of it. A million files that are listed and planned at"
              + " once take 1g.");

  public static final ConfigKey<DataSize> NODE_HEAP =
      ConfigKey.size(
          "eley.node.heap",
          ProcessHeaps.NODE,
          "128m",
          "1t",
          "Heap of each node that `eley start` or a job of `eley sbatch` starts, beside the RAM for"
              + " blocks: half of it is for what the node knows of them, some 1.3 KB each. A"
              + " million small files in a node's RAM take 3g.");

  private StartKeys() {}

  /** All keys of this package, in the order of the documentation. */
  public static List<ConfigKey<?>> all() {
    return List.of(COORDINATOR_HEAP, NODE_HEAP);
  }
}
