package io.eley.bb.api.config;

import java.util.List;

/** Configuration of how the origin is opened, the same for nodes and coordinator. */
public final class OriginKeys {
  public static final ConfigKey<String> CLASS_PATH =
      ConfigKey.text(
          "eley.origin-class-path",
          "",
          "Jars and directories, with : between, of the adapter of an origin that is no mount and of"
              + " what it needs, such as Hadoop's clients and their configuration; dir/* is all jars"
              + " of a directory. `eley start --origin-classpath` sets it.");

  private OriginKeys() {}

  /** All keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(CLASS_PATH);
  }
}
