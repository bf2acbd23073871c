package io.eley.cli;

import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.HoldKeys;
import io.eley.bb.api.config.NetworkKeys;
import io.eley.bb.api.config.OriginKeys;
import io.eley.bb.server.fetch.FetchKeys;
import io.eley.bb.server.node.NodeKeys;
import io.eley.controller.loop.ControlKeys;
import io.eley.controller.watch.WatchKeys;
import io.eley.coordinator.config.CoordinatorKeys;
import io.eley.coordinator.config.SignalKeys;
import io.eley.engine.alluxio.AlluxioKeys;
import io.eley.local.deployment.StartKeys;
import io.eley.spark.connector.fs.FsKeys;
import io.eley.spark.connector.shuffle.ShuffleKeys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Every configuration key of Eley; a test fails when a module's keys are missing here. */
public final class AllKeys {
  private AllKeys() {}

  /** All keys, under who reads them, in the order of the documentation. */
  public static Map<String, List<ConfigKey<?>>> byReader() {
    var keys = new LinkedHashMap<String, List<ConfigKey<?>>>();
    keys.put("Clients (Spark: put `spark.hadoop.` before the key)", ClientKeys.all());
    keys.put("The `bb://` file system (Spark: put `spark.hadoop.` before the key)", FsKeys.all());
    keys.put("Intermediate data (Spark: put `spark.hadoop.` before the key)", ShuffleKeys.all());
    keys.put("Coordinator", CoordinatorKeys.all());
    keys.put("Processes (`eley start`)", StartKeys.all());
    keys.put("Permits, holds and the mode Adaptive (coordinator)", ControlKeys.all());
    keys.put("When bytes are a phase, and forecasts (coordinator)", WatchKeys.all());
    keys.put("Sources of phases (coordinator)", SignalKeys.all());
    keys.put("Node", NodeKeys.all());
    keys.put("Node, when its blocks are in Alluxio", AlluxioKeys.all());
    keys.put("Fetching", FetchKeys.all());
    keys.put("Holds (clients, nodes and coordinator alike)", HoldKeys.all());
    keys.put("Origin (nodes and coordinator alike)", OriginKeys.all());
    keys.put("Connections (clients, nodes and coordinator alike)", NetworkKeys.all());
    return keys;
  }

  /** All keys. */
  public static List<ConfigKey<?>> list() {
    return byReader().values().stream().<ConfigKey<?>>flatMap(List::stream).toList();
  }

  /**
   * Settings of a command line under the names that keys have today. A setting under an old name
   * gives way to one under today's.
   *
   * @param warnings gets a line for each old name
   * @throws RefusedSetting for a key that nobody reads, as a typo in it would otherwise be a
   *     setting that is ignored, and for a value that its key refuses
   */
  static Map<String, String> today(Map<String, String> settings, Consumer<String> warnings) {
    var today = new LinkedHashMap<String, String>();
    settings.forEach(
        (name, value) -> {
          var key = find(name, value);
          check(key, name, value);
          if (key.name().equals(name)) {
            today.put(name, value);
          } else {
            warnings.accept("eley: " + name + " is now called " + key.name());
            today.putIfAbsent(key.name(), settings.getOrDefault(key.name(), value));
          }
        });
    return today;
  }

  /** Refuses a value under the name that was typed, before a process is started with it. */
  private static void check(ConfigKey<?> key, String name, String value) {
    try {
      var unused = key.parse(value);
    } catch (IllegalArgumentException e) {
      throw new RefusedSetting(name, value, name + "=" + value + ": must be " + key.form(), e);
    }
  }

  private static ConfigKey<?> find(String name, String value) {
    return list().stream()
        .filter(key -> key.name().equals(name) || key.aliases().contains(name))
        .findFirst()
        .orElseThrow(
            () ->
                new RefusedSetting(
                    name,
                    value,
                    "no configuration key is called " + name + "; `eley config` lists them",
                    null));
  }

  /** What is refused, so that it can be said who gave it. */
  static final class RefusedSetting extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String name;
    private final String value;

    private RefusedSetting(String name, String value, String why, @Nullable Throwable cause) {
      super(why, cause);
      this.name = name;
      this.value = value;
    }

    String name() {
      return name;
    }

    String value() {
      return value;
    }
  }
}
