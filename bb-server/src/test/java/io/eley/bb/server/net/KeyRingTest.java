package io.eley.bb.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.HandshakeMessage.KeyedHello;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server whose clients have keys of their own. */
@ExtendWith(LeakCheck.class)
class KeyRingTest {
  private final Secret ada = Secret.random();
  private final Secret bob = Secret.random();
  private final Map<String, CompletableFuture<Secret>> ring = new ConcurrentHashMap<>();
  private final List<String> sessions = new CopyOnWriteArrayList<>();
  private IoThreads threads;
  private FrameServer server;

  @BeforeEach
  void start() throws EleyException {
    ring.put("ada", CompletableFuture.completedFuture(ada));
    ring.put("bob", CompletableFuture.completedFuture(bob));
    threads = IoThreads.of("keys", 1);
    var own = new Credentials(Secret.random(), Identity.BOARD);
    var options =
        new FrameServerOptions("127.0.0.1", 0, "keys", 1, FrameServerOptions.Limits.DEFAULT);
    KeyRing keys = key -> ring.getOrDefault(key, KeyRing.NONE.find(key));
    server =
        FrameServer.start(options, threads, new FrameServer.Keys(own, keys), new NotingSessions());
  }

  @AfterEach
  void stop() {
    server.close();
    threads.close();
  }

  private BlockingPeer peer(String key, Secret secret) throws IOException {
    var peer = BlockingPeer.connect(server.port());
    var credentials = new Credentials(secret, Identity.CLIENT, NetworkProtection.AUTO, key);
    return peer.authenticate(credentials, Identity.BOARD);
  }

  @Test
  void aSessionBelongsToTheKeyThatWasProved() throws Exception {
    try (var first = peer("ada", ada);
        var second = peer("bob", bob)) {
      first.send(1, new GetView());
      assertThat(first.read().message()).isEqualTo(new Ok());
      second.send(1, new GetView());
      assertThat(second.read().message()).isEqualTo(new Ok());
    }
    assertThat(sessions).containsExactly("ada", "bob");
  }

  @Test
  void nobodyGetsInUnderAnothersNameOrUnderNone() throws Exception {
    assertThatThrownBy(() -> peer("bob", ada)).hasMessageContaining("does not know");
    assertThatThrownBy(() -> peer("", ada)).hasMessageContaining("does not know");
    try (var stranger = BlockingPeer.connect(server.port())) {
      stranger.send(1, new KeyedHello(6, Handshake.nonce(), "eve"));
      assertThat(stranger.readLast())
          .isEqualTo(new Failure(ErrorCode.UNAUTHENTICATED, "this server has one secret alone"));
    }
    assertThat(sessions).isEmpty();
  }

  @Test
  void aKeyThatIsFoundLateIsAsGoodAndOneThatIsNeverFoundCostsItsConnection() throws Exception {
    var late = new CompletableFuture<Secret>();
    ring.put("late", late);
    try (var hanging = BlockingPeer.connect(server.port());
        var other = peer("bob", bob)) {
      hanging.send(1, new KeyedHello(6, Handshake.nonce(), "late"));
      other.send(1, new GetView()); // nobody waits for it
      assertThat(other.read().message()).isEqualTo(new Ok());
      assertThat(hanging.readLast())
          .isInstanceOfSatisfying(
              Failure.class, f -> assertThat(f.code()).isEqualTo(ErrorCode.DEADLINE));
      late.complete(ada);
      await().until(() -> server.unauthenticated() == 0);
    }
    try (var peer = peer("late", ada)) {
      peer.send(1, new GetView());
      assertThat(peer.read().message()).isEqualTo(new Ok());
    }
    assertThat(sessions).containsExactly("bob", "late");
  }

  @Test
  void aServerWithOneSecretTakesNoKeys() throws Exception {
    try (var plain =
        FrameServer.start(
            new FrameServerOptions("127.0.0.1", 0, "plain"),
            new Credentials(ada, Identity.BOARD),
            new NotingSessions())) {
      try (var peer = BlockingPeer.connect(plain.port())) {
        peer.send(1, new KeyedHello(6, Handshake.nonce(), "ada"));
        assertThat(peer.readLast()).isInstanceOf(Failure.class);
      }
    }
  }

  /** Says Ok to everything, and remembers whose sessions there were. */
  private final class NotingSessions implements SessionHandler {
    @Override
    public void opened(Session session) {
      sessions.add(session.key());
    }

    @Override
    public void received(Session session, long correlation, Message message) {
      session.reply(correlation, new Ok());
    }

    @Override
    public void closed(Session session) {}
  }
}
