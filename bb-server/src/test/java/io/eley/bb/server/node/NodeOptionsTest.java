package io.eley.bb.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.HoldKeys;
import io.eley.bb.api.config.NetworkKeys;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.wire.Secret;
import io.eley.bb.server.net.NetworkOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeOptionsTest {
  private static final Map<String, String> ALL =
      Map.of(
          "eley.node.directory", "/dev/shm/x",
          "eley.node.name", "n7",
          "eley.node.memory", "64m",
          "eley.node.listen-host", "127.0.0.3",
          "eley.node.port", "4711",
          "eley.node.advertised-host", "node3",
          "eley.node.coordinator.silence", "25s",
          "eley.node.coordinator.wait", "5s",
          "eley.node.read-deadline", "90s",
          "eley.node.io-threads", "7");

  private static final Map<String, String> SCRATCH =
      Map.of(
          "eley.node.spark-home", "/opt/spark",
          "eley.node.scratch-share", "0.5",
          "eley.node.overflow.directory", "/nvme/x",
          "eley.node.overflow.size", "3g");

  private static final Map<String, String> NETWORK =
      Map.of("eley.network.protection", "encrypt", "eley.network.handshake-deadline", "1s");

  private static NodeOptions of(Map<String, String> values) {
    return NodeOptions.from(
        Settings.of(values),
        () -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
        Secret.random());
  }

  @Test
  void everyKeyReachesTheOptions() {
    var options = of(ALL);

    assertThat(options.directory()).isEqualTo(Path.of("/dev/shm/x"));
    assertThat(options.name()).isEqualTo("n7");
    assertThat(options.memoryBytes()).isEqualTo(64L << 20);
    assertThat(options.listening())
        .isEqualTo(
            new NodeOptions.Listening("127.0.0.3", 4711, "node3", NetworkOptions.DEFAULT, 7));
    assertThat(options.coordinator().silence()).isEqualTo(Duration.ofSeconds(25));
    assertThat(options.coordinator().patience()).isEqualTo(Duration.ofSeconds(5));
    assertThat(options.fetching().readDeadline()).isEqualTo(Duration.ofSeconds(90));
    assertThat(NodeKeys.all())
        .extracting(ConfigKey::name)
        .filteredOn(key -> !SCRATCH.containsKey(key))
        .containsExactlyInAnyOrderElementsOf(ALL.keySet());
    assertThat(options.scratch()).isEmpty();
  }

  @Test
  void howIntermediateDataIsTakenReachesTheNode() {
    var values = new HashMap<>(ALL);
    values.putAll(SCRATCH);
    assertThat(of(values).scratch())
        .contains(
            new NodeOptions.Scratch(
                Path.of("/opt/spark"),
                0.5,
                Optional.of(new NodeOptions.Overflow(Path.of("/nvme/x"), 3L << 30))));
    assertThat(NodeKeys.all()).extracting(ConfigKey::name).containsAll(SCRATCH.keySet());
  }

  @Test
  void anOverflowIsNothingWithoutWhatMayOverflow() {
    var values = new HashMap<>(ALL);
    values.put("eley.node.overflow.directory", "/nvme/x");
    assertThatThrownBy(() -> of(values))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "eley.node.overflow.directory is for intermediate data, which needs"
                + " eley.node.spark-home");
    values.put("eley.node.spark-home", "/opt/spark");
    assertThat(of(values).scratch().orElseThrow().overflow().orElseThrow().bytes())
        .isEqualTo(16L << 30);
  }

  @Test
  void howConnectionsAreProtectedReachesTheNode() {
    var values = new HashMap<>(ALL);
    values.putAll(NETWORK);

    assertThat(of(values).listening().network())
        .isEqualTo(new NetworkOptions(NetworkProtection.ENCRYPT, Duration.ofSeconds(1)));
    assertThat(NetworkKeys.all())
        .extracting(ConfigKey::name)
        .containsExactlyInAnyOrderElementsOf(NETWORK.keySet());
  }

  @Test
  void whereTheAdapterOfTheOriginIsReachesTheNode() {
    var values = new HashMap<>(ALL);
    values.put("eley.origin-class-path", "/opt/hadoop/*");

    assertThat(of(values).fetching().originClasses()).isEqualTo("/opt/hadoop/*");
    assertThat(of(ALL).fetching().originClasses()).isEmpty();
  }

  /** The coordinator's tests have the same for what it does with these keys. */
  @Test
  void howAHoldEndsReachesTheNode() {
    var others =
        Map.of(
            "eley.delay.max", "7s",
            "eley.delay.capped-rate", "7k",
            "eley.fetch.concurrency", "7");
    assertThat(HoldKeys.all())
        .extracting(ConfigKey::name)
        .containsExactlyInAnyOrderElementsOf(others.keySet());
    others.forEach(
        (key, other) -> {
          var changed = new HashMap<>(ALL);
          changed.put(key, other);
          assertThat(of(changed).fetching()).as(key).isNotEqualTo(of(ALL).fetching());
        });
  }

  /** As a site's unit files may have them since before the grammar of keys. */
  @Test
  void oldNamesReachTheOptions() {
    var old = new HashMap<>(ALL);
    old.put("eley.node.listen.host", old.remove("eley.node.listen-host"));
    old.put("eley.node.advertised.host", old.remove("eley.node.advertised-host"));
    old.put("eley.node.read.deadline", old.remove("eley.node.read-deadline"));

    assertThat(of(old).listening()).isEqualTo(of(ALL).listening());
    assertThat(of(old).fetching()).isEqualTo(of(ALL).fetching());
  }

  @Test
  void defaultsAreLegalButTheDirectoryMustBeSaid() {
    assertThat(of(Map.of("eley.node.directory", "/d")).memoryBytes()).isEqualTo(1L << 30);
    assertThatThrownBy(() -> of(Map.of())).hasMessageContaining("eley.node.directory is not set");
  }

  @Test
  void aReadDeadlineBelowTheLongestHoldIsRefusedNamingBothKeys() {
    var values = new HashMap<>(ALL);
    values.put("eley.node.read-deadline", "60s");

    assertThatThrownBy(() -> of(values))
        .hasMessageContaining("eley.node.read-deadline")
        .hasMessageContaining("eley.delay.max");
  }
}
