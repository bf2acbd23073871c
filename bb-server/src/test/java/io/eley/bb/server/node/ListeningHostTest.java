package io.eley.bb.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Secret;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ListeningHostTest {
  private static NodeOptions options(NodeOptions.Locator locator, String listen, String wait) {
    return NodeOptions.from(
        Settings.of(
            Map.of(
                "eley.node.directory", "/d",
                "eley.node.listen-host", listen,
                "eley.node.coordinator.wait", wait)),
        locator,
        Secret.random());
  }

  @Test
  void theDefaultIsTheWayToTheCoordinatorOnceItIsKnownAndNeverTheWildcard() throws Exception {
    var asked = new AtomicInteger();
    var there = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);
    NodeOptions.Locator late =
        () -> {
          if (asked.incrementAndGet() < 3) {
            throw new EleyException(ErrorCode.UNAVAILABLE, "not yet");
          }
          return there;
        };
    assertThat(ListeningHost.of(options(late, "", "20s"))).isEqualTo("127.0.0.1");
    assertThat(asked).hasValue(3);
  }

  @Test
  void whatIsNamedIsTakenWithoutAskingForTheCoordinator() throws Exception {
    NodeOptions.Locator never =
        () -> {
          throw new AssertionError("asked");
        };
    assertThat(ListeningHost.of(options(never, "127.0.0.0/8", "1s"))).isEqualTo("127.0.0.1");
    assertThatThrownBy(() -> ListeningHost.of(options(never, "203.0.113.0/24", "1s")))
        .hasMessageContaining("eley.node.listen-host is '203.0.113.0/24'");
  }

  @Test
  void noCoordinatorIsTheSameErrorAsWhenJoining() {
    NodeOptions.Locator nobody =
        () -> {
          throw new EleyException(ErrorCode.UNAVAILABLE, "nobody there");
        };
    assertThatThrownBy(() -> ListeningHost.of(options(nobody, "", "1s")))
        .hasMessage("could not join a coordinator for 1 s: nobody there");
  }
}
