package io.eley.bb.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.wire.Secret;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeOptionsTest {
  private static final Map<String, String> ALL =
      Map.of(
          "eley.node.directory", "/dev/shm/x",
          "eley.node.name", "n7",
          "eley.node.memory", "64m",
          "eley.node.listen.host", "127.0.0.3",
          "eley.node.port", "4711",
          "eley.node.advertised.host", "node3",
          "eley.node.coordinator.silence", "25s",
          "eley.node.coordinator.wait", "5s",
          "eley.node.read.deadline", "90s");

  private static NodeOptions of(Map<String, String> values) {
    return NodeOptions.from(
        Settings.of(values),
        () -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
        Secret.random());
  }

  @Test
  void everyKeyHasItsPlace() {
    var options = of(ALL);

    assertThat(options.directory()).isEqualTo(Path.of("/dev/shm/x"));
    assertThat(options.name()).isEqualTo("n7");
    assertThat(options.memoryBytes()).isEqualTo(64L << 20);
    assertThat(options.listening())
        .isEqualTo(new NodeOptions.Listening("127.0.0.3", 4711, "node3"));
    assertThat(options.coordinator().silence()).isEqualTo(Duration.ofSeconds(25));
    assertThat(options.coordinator().patience()).isEqualTo(Duration.ofSeconds(5));
    assertThat(options.fetching().readDeadline()).isEqualTo(Duration.ofSeconds(90));
    assertThat(NodeKeys.all())
        .extracting(ConfigKey::name)
        .containsExactlyInAnyOrderElementsOf(ALL.keySet());
  }

  @Test
  void defaultsAreLegalButTheDirectoryMustBeSaid() {
    assertThat(of(Map.of("eley.node.directory", "/d")).memoryBytes()).isEqualTo(1L << 30);
    assertThatThrownBy(() -> of(Map.of())).hasMessageContaining("eley.node.directory is not set");
  }

  @Test
  void aReadDeadlineBelowTheLongestHoldIsRefusedNamingBothKeys() {
    var values = new HashMap<>(ALL);
    values.put("eley.node.read.deadline", "60s");

    assertThatThrownBy(() -> of(values))
        .hasMessageContaining("eley.node.read.deadline")
        .hasMessageContaining("eley.delay.max");
  }
}
