package io.eley.cli;

import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.ListenHost;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Secret;
import io.eley.bb.server.node.NodeKeys;
import io.eley.bb.server.node.NodeOptions;
import io.eley.coordinator.config.CoordinatorKeys;
import io.eley.coordinator.config.CoordinatorOptions;
import io.eley.coordinator.config.SignalKeys;
import io.eley.fuzz.Input;
import io.eley.scheduler.hooks.counters.CounterReaders;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Values of configuration keys, alone and together: {@link IllegalArgumentException}s, which the
 * command line turns into one line, and nothing else.
 */
public final class SettingsFuzz {
  private static final List<ConfigKey<?>> KEYS = AllKeys.list();
  private static final Secret SECRET = Secret.random();

  private SettingsFuzz() {}

  /** Each line is a setting: its first byte chooses the key, the rest is the value. */
  public static void fuzzerTestOneInput(byte[] input) throws EleyException {
    var values = new HashMap<String, String>();
    values.put(CoordinatorKeys.DIRECTORY.name(), "/d");
    values.put(CoordinatorKeys.ORIGIN.name(), "/o");
    values.put(NodeKeys.DIRECTORY.name(), "/n");
    for (String line : Input.text(input).split("\n", 16)) {
      if (!line.isEmpty()) {
        ConfigKey<?> key = KEYS.get(line.charAt(0) % KEYS.size());
        values.put(key.name(), line.substring(1));
        attempt(() -> key.parse(line.substring(1)));
      }
    }
    use(values);
  }

  private static void use(Map<String, String> values) throws EleyException {
    var settings = Settings.of(values, warning -> {});
    attempt(() -> ClientOptions.from(settings));
    attempt(() -> CoordinatorOptions.from(settings));
    attempt(
        () -> NodeOptions.from(settings, () -> InetSocketAddress.createUnresolved("c", 1), SECRET));
    attempt(() -> CounterReaders.of(settings.get(SignalKeys.COUNTERS), Duration.ofSeconds(1)));
    String host = values.getOrDefault(NodeKeys.LISTEN_HOST.name(), "");
    try {
      new ListenHost(List.of()).resolve("key", host);
    } catch (EleyException e) {
      // As it must be for a network that this machine is not in.
    }
  }

  private static void attempt(Runnable parser) {
    try {
      parser.run();
    } catch (IllegalArgumentException e) {
      // As it must be.
    }
  }
}
