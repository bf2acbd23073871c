package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A stranger between a victim and a process that knows the secret, on real sockets. */
@Timeout(120)
@Tag("slow")
class RelayTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /**
   * For conversations that must fail; a changed length makes one side wait for what never comes.
   */
  private static final Duration SHORT = Duration.ofMillis(500);

  private static final int LENGTH = 200_000;
  private static final ReadBlock READ =
      new ReadBlock(
          new BlockId(new FileVersion("/private", LENGTH, 1), 0),
          1 << 20,
          0,
          LENGTH,
          ReadCause.DEMAND,
          false);

  private final Secret secret = Secret.random();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final byte[] content = new byte[LENGTH];

  @AfterEach
  void closeAll() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  private <T extends AutoCloseable> T opened(T part) {
    open.push(part);
    return part;
  }

  private ScriptedServer server(Identity who) throws IOException {
    return opened(new ScriptedServer(secret, this::answer).as(who));
  }

  private void answer(ScriptedServer.Peer peer, long correlation, Message request)
      throws IOException {
    peer.data(correlation, new BlockData(0, true, true, List.of()), LENGTH, content);
  }

  private Connection dial(InetSocketAddress address, ConnectionOptions options)
      throws EleyException {
    return opened(
        Connection.open(
            address, new Credentials(secret, Identity.CLIENT), options, PushHandler.IGNORE));
  }

  /** With the coordinator dead, anybody on its host can take its port. */
  @Test
  void whoTakesTheCoordinatorsPortCannotPassANodeForIt() throws Exception {
    var node = server(Identity.node(new NodeId("n")));
    var stranger = opened(new Relay(node.address(), Relay.Meddler.NONE, Relay.Meddler.NONE));

    assertThatThrownBy(
            () -> dial(stranger.address(), ConnectionOptions.toCoordinator("victim", PATIENCE)))
        .isInstanceOf(EleyException.class)
        .hasMessage("node n answers where the coordinator was");
    assertThat(stranger.connections()).isEqualTo(1);
    assertThat(node.requests()).isEmpty();
  }

  /** The coordinator lives, at another port than the one that the victim knows. */
  @Test
  void whoRelaysToTheVeryProcessThatWasDialledIsNoticedByTheEndsOfTheConnection() throws Exception {
    for (var who : List.of(Identity.COORDINATOR, Identity.node(new NodeId("n")))) {
      var real = server(who);
      var stranger = opened(new Relay(real.address(), Relay.Meddler.NONE, Relay.Meddler.NONE));

      assertThatThrownBy(
              () -> dial(stranger.address(), new ConnectionOptions("victim", PATIENCE, who)))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED))
          .hasMessageContaining("a stranger relays it");
      assertThat(real.requests()).isEmpty();
    }
  }

  @Test
  void aNodeThatAnswersAtAnothersPortIsNotTalkedTo() throws Exception {
    var b = server(Identity.node(new NodeId("b")));

    assertThatThrownBy(
            () -> dial(b.address(), ConnectionOptions.toNode(new NodeId("a"), "victim", PATIENCE)))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .hasMessage("node b answers where node a was");
    assertThat(b.requests()).isEmpty();
  }

  /** A relay that both ends bear with, as if it had come in after the proof. */
  private final class Middle {
    private final AtomicReference<Relay> relay = new AtomicReference<>();
    private final ScriptedServer server;

    Middle(NetworkProtection protection, Relay.Meddler there, Relay.Meddler back)
        throws IOException {
      server =
          opened(
              new ScriptedServer(
                      secret,
                      RelayTest.this::answer,
                      socket -> Objects.requireNonNull(relay.get()).latestVictim())
                  .with(protection));
      relay.set(opened(new Relay(server.address(), there, back)));
    }

    Relay relay() {
      return Objects.requireNonNull(relay.get());
    }

    Connection dial() throws EleyException {
      return RelayTest.this.dial(
          relay().address(), ConnectionOptions.toCoordinator("victim", PATIENCE));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoOnlyListensReadsWhatIsNotEncrypted(NetworkProtection protection) throws Exception {
    byte[] word = "private bytes of a 0600 file".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(word, 0, content, 1000, word.length);
    var middle = new Middle(protection, Relay.Meddler.NONE, Relay.Meddler.NONE);

    ByteBuffer target = ByteBuffer.allocate(LENGTH);
    middle.dial().read(READ, target, PATIENCE);

    assertThat(target.array()).isEqualTo(content);
    String seen = new String(middle.relay().seen(), StandardCharsets.ISO_8859_1);
    assertThat(seen.contains(new String(word, StandardCharsets.US_ASCII)))
        .isEqualTo(protection != NetworkProtection.ENCRYPT);
  }

  /**
   * Every byte of a conversation is flipped in turn, a sample of those of the payload. On one host
   * payloads are bare on purpose: there nobody but the kernel stands between, and no relay passes
   * the handshake.
   */
  @ParameterizedTest
  @EnumSource
  void noByteThatIsTouchedIsDelivered(NetworkProtection protection) throws Exception {
    new Random(3).nextBytes(content);
    int all = conversation(protection).seen().length;
    int head = all - LENGTH;
    var offsets = new ArrayList<Integer>();
    var random = new Random(4);
    int authenticated = protection == NetworkProtection.AUTO ? head : all;
    for (int i = 0; i < 150; i++) {
      offsets.add(i < 100 ? i * head / 100 : random.nextInt(authenticated));
    }
    for (int offset : offsets) {
      int flip = 1 << random.nextInt(8);
      assertThat(survives(protection, Relay.Meddler.NONE, flipping(offset, flip)))
          .as("answer's byte %s xor %s, %s", offset, flip, protection)
          .isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void noRequestThatIsTouchedIsServed(NetworkProtection protection) throws Exception {
    int all = conversation(protection).asked();
    var random = new Random(5);
    for (int offset = 0; offset < all; offset += 2) {
      int flip = 1 << random.nextInt(8);
      assertThat(survives(protection, flipping(offset, flip), Relay.Meddler.NONE))
          .as("request's byte %s xor %s, %s", offset, flip, protection)
          .isFalse();
    }
  }

  private static Relay.Meddler flipping(long at, int flip) {
    return (offset, bytes, length) -> {
      if (at >= offset && at < offset + length) {
        bytes[(int) (at - offset)] ^= (byte) flip;
      }
    };
  }

  /** What passes in the course of an untouched read. */
  private Relay conversation(NetworkProtection protection) throws Exception {
    var middle = new Middle(protection, Relay.Meddler.NONE, Relay.Meddler.NONE);
    middle.dial().read(READ, ByteBuffer.allocate(LENGTH), PATIENCE);
    closeAll();
    return middle.relay();
  }

  /** Whether a read succeeds; if it does, its bytes must be right. */
  private boolean survives(NetworkProtection protection, Relay.Meddler there, Relay.Meddler back)
      throws Exception {
    var middle = new Middle(protection, there, back);
    byte[] target = new byte[LENGTH];
    try {
      var connection =
          RelayTest.this.dial(
              middle.relay().address(), ConnectionOptions.toCoordinator("victim", SHORT));
      connection.read(READ, ByteBuffer.wrap(target), SHORT);
      assertThat(Arrays.equals(target, content)).as("delivered bytes").isTrue();
      return true;
    } catch (EleyException e) {
      return false;
    } finally {
      closeAll();
    }
  }
}
