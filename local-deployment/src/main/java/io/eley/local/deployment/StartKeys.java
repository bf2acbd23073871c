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

  private StartKeys() {}

  /** All keys of this package, in the order of the documentation. */
  public static List<ConfigKey<?>> all() {
    return List.of(COORDINATOR_HEAP);
  }
}
