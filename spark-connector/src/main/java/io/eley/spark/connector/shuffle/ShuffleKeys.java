package io.eley.spark.connector.shuffle;

import io.eley.bb.api.config.ConfigKey;
import java.time.Duration;
import java.util.List;

/** Configuration of the shuffle. */
public final class ShuffleKeys {
  public static final ConfigKey<Integer> COPIES =
      ConfigKey.integer(
          "eley.shuffle.copies",
          1,
          1,
          2,
          "On how many nodes each output of a map task lies; with 2 the loss of a node costs no map task, and outputs"
              + " take twice the RAM.");

  public static final ConfigKey<Duration> SILENCE =
      ConfigKey.duration(
          "eley.shuffle.silence",
          "3s",
          "10ms",
          "1m",
          "How long a node may take to answer who brings it an output, and then to say that it lives, before the next"
              + " one is tried; eley.client.silence where that is longer.");

  private ShuffleKeys() {}

  /** All keys of this package. */
  public static List<ConfigKey<?>> all() {
    return List.of(COPIES, SILENCE);
  }
}
