package io.eley.spark.connector.fs;

import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.DataSize;
import java.util.List;

/** Configuration of the file system. */
public final class FsKeys {
  public static final ConfigKey<DataSize> BLOCK_SIZE =
      ConfigKey.size(
          "eley.fs.block-size",
          "32m",
          "1m",
          "1t",
          "Block size that files report, as file:// does; Hadoop's input formats make splits of it.");

  public static final ConfigKey<Boolean> LOCALITY =
      ConfigKey.flag(
          "eley.fs.locality",
          true,
          "Whether files report the hosts of their blocks, where each executor has a node on its"
              + " host.");

  private FsKeys() {}

  /** All keys of this package. */
  public static List<ConfigKey<?>> all() {
    return List.of(BLOCK_SIZE, LOCALITY);
  }
}
