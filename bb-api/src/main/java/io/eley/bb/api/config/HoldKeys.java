package io.eley.bb.api.config;

import java.time.Duration;
import java.util.List;

/**
 * Keys of how a hold ends for reads that tasks wait for. The coordinator applies them while it
 * runs, and each node and client by itself when the coordinator is away, so all read the same keys.
 */
public final class HoldKeys {
  public static final ConfigKey<Duration> DELAY_MAX =
      ConfigKey.duration(
          "eley.delay.max",
          "60s",
          "0ms",
          "24h",
          "How long reads that tasks wait for may be held back.");

  public static final ConfigKey<DataSize> CAPPED_RATE =
      ConfigKey.size(
          "eley.delay.capped-rate",
          "16m",
          "4k",
          "1t",
          "Bytes a second of all nodes together for reads that tasks wait for once they were held"
              + " for eley.delay.max.");

  public static final ConfigKey<Integer> FETCHERS =
      ConfigKey.integer(
          "eley.fetch.concurrency", 4, 1, 256, "Origin reads of a node at once, usually.");

  private HoldKeys() {}

  /** All keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(DELAY_MAX, CAPPED_RATE, FETCHERS);
  }
}
