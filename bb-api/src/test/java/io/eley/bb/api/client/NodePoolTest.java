package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Secret;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NodePoolTest {
  private static final Identity NODE = Identity.node(new NodeId("a"));

  @Test
  void connectionsAreUsedInTurnAndOpenedAnewWhenTheyHaveEnded() throws Exception {
    var secret = Secret.random();
    try (var server = new ScriptedServer(secret, (peer, correlation, request) -> {}).as(NODE);
        var pool =
            new NodePool(
                node(server.address().getPort()),
                new Credentials(secret, Identity.CLIENT),
                2,
                Duration.ofSeconds(10))) {
      Connection first = connect(pool);
      Connection second = connect(pool);
      assertThat(second).isNotSameAs(first);
      assertThat(connect(pool)).isSameAs(first);
      assertThat(connect(pool)).isSameAs(second);
      first.close();
      assertThat(connect(pool)).isNotSameAs(first);
      assertThat(server.connections()).isEqualTo(3);
    }
  }

  @Test
  void aDeadNodeIsLeftAloneForAWhile() throws Exception {
    int port;
    try (var gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = gone.getLocalPort();
    }
    try (var pool =
        new NodePool(
            node(port),
            new Credentials(Secret.random(), Identity.CLIENT),
            2,
            Duration.ofSeconds(10))) {
      assertThatThrownBy(() -> connect(pool))
          .isInstanceOf(EleyException.class)
          .hasMessageContaining("cannot connect");
      assertThatThrownBy(() -> connect(pool))
          .isInstanceOf(EleyException.class)
          .hasMessageContaining("will try again soon");
    }
  }

  @Test
  void aBackOffDoublesUpToItsBoundAndEndsWithASuccess() {
    var now = new AtomicLong();
    var backoff = new Backoff(now::get, () -> 0);
    long[] pauses = {50, 100, 200, 400, 800, 1600, 2000, 2000};
    for (long pause : pauses) {
      backoff.noteFailure();
      now.addAndGet(pause * 1_000_000 - 1);
      assertThat(backoff.ready()).as("just before %s ms", pause).isFalse();
      now.addAndGet(1);
      assertThat(backoff.ready()).as("after %s ms", pause).isTrue();
    }
    backoff.noteSuccess();
    backoff.noteFailure();
    now.addAndGet(50_000_000);
    assertThat(backoff.ready()).isTrue();
  }

  @Test
  void aClosedPoolOpensNothing() throws Exception {
    var secret = Secret.random();
    try (var server = new ScriptedServer(secret, (peer, correlation, request) -> {}).as(NODE)) {
      var pool =
          new NodePool(
              node(server.address().getPort()),
              new Credentials(secret, Identity.CLIENT),
              1,
              Duration.ofSeconds(10));
      Connection connection = connect(pool);
      pool.close();
      assertThat(connection.isOpen()).isFalse();
      assertThatThrownBy(() -> connect(pool)).hasMessageContaining("closed");
    }
  }

  private static NodeAddress node(int port) {
    return new NodeAddress(new NodeId("a"), "127.0.0.1", port, "");
  }

  private static Connection connect(NodePool pool) throws Exception {
    var patience = new Patience(Duration.ofSeconds(10), Duration.ofMillis(300), System::nanoTime);
    return pool.connection(patience);
  }
}
