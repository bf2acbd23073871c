package io.eley.bb.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Handshake;
import io.eley.bb.api.wire.HandshakeMessage;
import io.eley.bb.api.wire.HandshakeMessage.Hello;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.PhaseMessage.GetReport;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
class FrameServerTest {
  private static final FrameServerOptions OPTIONS =
      new FrameServerOptions("127.0.0.1", 0, "test", 1, BlockingPeer.PATIENT);

  private final Secret secret = Secret.random();
  private final Answering handler = new Answering();
  private FrameServer server;

  @BeforeEach
  void start() throws EleyException {
    server = FrameServer.start(OPTIONS, new Credentials(secret, BlockingPeer.SERVER), handler);
  }

  @AfterEach
  void stop() {
    server.close();
    assertThat(handler.closed).as("closed sessions").hasValue(handler.opened.get());
  }

  @Test
  void answersAPeerThatKnowsTheSecret() throws IOException {
    try (var peer = BlockingPeer.authenticated(server.port(), secret)) {
      peer.send(7, new GetView());

      var answer = peer.read();

      assertThat(answer.message()).isEqualTo(new Ok());
      assertThat(answer.header().correlation()).isEqualTo(7);
      assertThat(server.unauthenticated()).isZero();
    }
  }

  /** As the kernel tells: 2 is the timer of an idle connection, which counts hundredths here. */
  @Test
  void asksASilentPeersHostForLifeWithinTenSeconds() throws IOException {
    try (var peer = BlockingPeer.authenticated(server.port(), secret)) {
      peer.send(7, new GetView());
      assertThat(peer.read().message()).isEqualTo(new Ok());
      await().until(() -> timers(server.port()).anyMatch(t -> t.matches("02:00000[0-3].*")));
    }
  }

  /** Kind and time of the timers of the connections that a port has accepted. */
  private static Stream<String> timers(int port) throws IOException {
    var lines = new ArrayList<String>();
    for (String file : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      lines.addAll(Files.readAllLines(Path.of(file)));
    }
    String local = String.format(Locale.ROOT, ":%04X", port);
    return lines.stream()
        .map(line -> line.strip().split("\\s+", -1))
        .filter(fields -> fields[1].endsWith(local) && fields[3].equals("01"))
        .map(fields -> fields[5]);
  }

  @Test
  void answersRequestsThatComeBackToBackInTheirOrder() throws IOException {
    var frames = new ByteArrayOutputStream();
    try (var peer = BlockingPeer.authenticated(server.port(), secret)) {
      for (int i = 1; i <= 500; i++) {
        frames.write(peer.outgoing(Codec.encode(new GetView(), i)));
      }
      peer.sendRaw(frames.toByteArray());
      for (int i = 1; i <= 500; i++) {
        assertThat(peer.read().header().correlation()).isEqualTo(i);
      }
    }
  }

  @Test
  void putsAFrameTogetherThatComesByteByByte() throws IOException {
    try (var peer = BlockingPeer.authenticated(server.port(), secret)) {
      for (byte b : peer.outgoing(Codec.encode(new GetView(), 9))) {
        peer.sendRaw(new byte[] {b});
      }
      assertThat(peer.read().header().correlation()).isEqualTo(9);
    }
  }

  @Test
  void refusesTheWrongSecret() throws IOException {
    try (var peer = BlockingPeer.connect(server.port())) {
      peer.send(1, new Hello(HandshakeMessage.VERSION, Handshake.nonce()));
      peer.read();
      byte[] guess = new byte[HandshakeMessage.PROOF_BYTES];
      peer.send(
          2, new HandshakeMessage.Proof(Identity.CLIENT, BlockingPeer.SERVER, peer.ends(), guess));

      assertRefused(peer, ErrorCode.UNAUTHENTICATED, "does not know this deployment's secret");
    }
    assertThat(handler.opened).hasValue(0);
  }

  @Test
  void refusesAnotherVersionAndSaysBoth() throws IOException {
    try (var peer = BlockingPeer.connect(server.port())) {
      peer.send(1, new Hello(99, Handshake.nonce()));

      assertRefused(peer, ErrorCode.INCOMPATIBLE, "version 99");
    }
  }

  @Test
  void refusesARequestBeforeTheHandshake() throws IOException {
    try (var peer = BlockingPeer.connect(server.port())) {
      peer.send(1, new GetView());

      assertRefused(peer, ErrorCode.UNAUTHENTICATED, "before the handshake");
    }
    assertThat(handler.received).hasValue(0);
  }

  @Test
  void refusesAStrangersLargeFrameByItsHeaderAlone() throws IOException {
    try (var peer = BlockingPeer.connect(server.port())) {
      peer.sendRaw(header(FrameHeader.MAX_HANDSHAKE_BODY + 1, 0, 1));

      assertRefused(peer, ErrorCode.MALFORMED, "exceeds the limit of 512");
    }
  }

  @Test
  void refusesAFriendsTooLargeFrameByItsLengthAlone() throws IOException {
    try (var peer = BlockingPeer.authenticated(server.port(), secret)) {
      int length = FrameHeader.BYTES + FrameHeader.MAX_BODY + 1;
      peer.sendRaw(ByteBuffer.allocate(Integer.BYTES).putInt(0x8000_0000 | length).array());

      assertRefused(peer, ErrorCode.MALFORMED, "exceeds the limit of 1048576");
    }
  }

  @Test
  void refusesANegativeLength() throws IOException {
    try (var peer = BlockingPeer.authenticated(server.port(), secret)) {
      peer.sendFrame(header(-1, 0, 1));

      assertRefused(peer, ErrorCode.MALFORMED, "4294967295 bytes");
    }
  }

  @Test
  void refusesAPayload() throws IOException {
    try (var peer = BlockingPeer.authenticated(server.port(), secret)) {
      peer.sendFrame(header(0, 1 << 20, 17));

      assertRefused(peer, ErrorCode.MALFORMED, "never takes");
    }
  }

  @Test
  void theReasonOfARefusalArrivesThoughThePeerGoesOnSending() throws IOException {
    try (var peer = BlockingPeer.connect(server.port())) {
      peer.sendRaw(header(FrameHeader.MAX_HANDSHAKE_BODY + 1, 0, 1));
      peer.sendRaw(new byte[64 << 10]);

      assertRefused(peer, ErrorCode.MALFORMED, "exceeds the limit");
    }
  }

  @Test
  void aDefectInTheHandlerCostsTheOneRequestAndShowsNoStackTrace() throws IOException {
    try (var peer = BlockingPeer.authenticated(server.port(), secret)) {
      peer.send(1, new GetReport());
      var failure = (Failure) peer.read().message();

      assertThat(failure.code()).isEqualTo(ErrorCode.INTERNAL);
      assertThat(failure.text()).doesNotContain("Exception").doesNotContain("at io.");
      peer.send(2, new GetView());
      assertThat(peer.read().message()).isEqualTo(new Ok());
    }
  }

  @Test
  void hangsUpOnAPeerThatTakesTooLongForTheHandshake() throws IOException {
    var limits =
        new FrameServerOptions.Limits(
            Duration.ofMillis(50), 10, FrameServerOptions.Sending.DEFAULT);
    try (var impatient =
            FrameServer.start(
                OPTIONS.withLimits(limits), new Credentials(secret, BlockingPeer.SERVER), handler);
        var peer = BlockingPeer.connect(impatient.port())) {
      assertRefused(peer, ErrorCode.DEADLINE, "no handshake within 50 ms");
      await().untilAsserted(() -> assertThat(impatient.unauthenticated()).isZero());
    }
  }

  @Test
  void admitsNoMoreStrangersThanTheLimitSinceANewcomerEndsTheOldest() throws IOException {
    var limits =
        new FrameServerOptions.Limits(
            Duration.ofSeconds(20), 2, FrameServerOptions.Sending.DEFAULT);
    var credentials = new Credentials(secret, BlockingPeer.SERVER);
    try (var small = FrameServer.start(OPTIONS.withLimits(limits), credentials, handler);
        var friend = BlockingPeer.authenticated(small.port(), secret);
        var first = BlockingPeer.connect(small.port());
        var second = BlockingPeer.connect(small.port())) {
      await().untilAsserted(() -> assertThat(small.unauthenticated()).isEqualTo(2));
      try (var third = BlockingPeer.connect(small.port())) {
        assertRefused(first, ErrorCode.UNAVAILABLE, "too many connections");
        assertThat(small.unauthenticated()).isEqualTo(2);
        try (var again = BlockingPeer.authenticated(small.port(), secret)) {
          assertRefused(second, ErrorCode.UNAVAILABLE, "too many connections");
          again.send(1, new GetView());
          assertThat(again.read().message()).isEqualTo(new Ok());
        }
        third.authenticate(secret);
        third.send(1, new GetView());
        assertThat(third.read().message()).isEqualTo(new Ok());
      }
      friend.send(1, new GetView());
      assertThat(friend.read().message()).isEqualTo(new Ok());
      await().untilAsserted(() -> assertThat(small.unauthenticated()).isZero());
    }
  }

  @Test
  void aPortInUseIsOneClearError() {
    var taken = new FrameServerOptions("127.0.0.1", server.port(), "second");

    assertThatThrownBy(
            () -> FrameServer.start(taken, new Credentials(secret, BlockingPeer.SERVER), handler))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("cannot listen on 127.0.0.1:" + server.port())
        .hasMessageContaining("in use");
  }

  private static byte[] header(int body, int payload, int type) {
    var bytes = ByteBuffer.allocate(FrameHeader.BYTES);
    new FrameHeader(body, payload, type, 1).encode(bytes);
    return bytes.array();
  }

  private static void assertRefused(BlockingPeer peer, ErrorCode code, String text)
      throws IOException {
    var failure = (Failure) peer.readLast();
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.text()).contains(text).doesNotContain("\n");
  }

  /** Says Ok to everything but GetReport, which it has a defect for. */
  static final class Answering implements SessionHandler {
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    final AtomicInteger received = new AtomicInteger();

    @Override
    public void opened(Session session) {
      opened.incrementAndGet();
    }

    @Override
    public void received(Session session, long correlation, Message message) {
      received.incrementAndGet();
      if (message instanceof GetReport) {
        throw new IllegalStateException("a defect, on purpose");
      }
      session.reply(correlation, new Ok());
    }

    @Override
    public void closed(Session session) {
      closed.incrementAndGet();
    }
  }
}
