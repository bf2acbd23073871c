package io.eley.spark.connector.shuffle;

import io.eley.bb.api.config.ConfigKey;
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

  private ShuffleKeys() {}

  /** All keys of this package. */
  public static List<ConfigKey<?>> all() {
    return List.of(COPIES);
  }
}
