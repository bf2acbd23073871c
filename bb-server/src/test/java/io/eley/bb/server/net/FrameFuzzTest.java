package io.eley.bb.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.NodeMessage.FetchBlocks;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whatever a peer sends, the server lives, hangs up or answers, and then serves a good peer. */
@ExtendWith(LeakCheck.class)
class FrameFuzzTest {
  private static final int ROUNDS = 60;
  private static final Secret SECRET = Secret.random();
  private static final BlockId BLOCK = new BlockId(new FileVersion("/a/b", 1 << 20, 7), 0);
  private static final List<Message> GOOD =
      List.of(
          new GetView(),
          new GetStatus("/some/path", true),
          new ReadBlock(BLOCK, 1 << 20, 0, 4096, ReadCause.DEMAND, true),
          new FetchBlocks(BlockPart.whole(List.of(BLOCK, BLOCK))));

  private static FrameServer server;

  @BeforeAll
  static void start() throws EleyException {
    server =
        FrameServer.start(
            new FrameServerOptions("127.0.0.1", 0, "fuzz").withLimits(BlockingPeer.PATIENT),
            new Credentials(SECRET, BlockingPeer.SERVER),
            new FrameServerTest.Answering());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void aGoodPeerIsServedAfterwards() throws IOException {
    try (var peer = BlockingPeer.authenticated(server.port(), SECRET)) {
      peer.send(1, new GetView());
      assertThat(peer.read().message()).isEqualTo(new Ok());
    }
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> server.connections() == 0 && server.unauthenticated() == 0);
  }

  @RepeatedTest(ROUNDS)
  void randomBytesFromAStranger(RepetitionInfo round) throws IOException {
    var random = seeded(1, round);
    try (var peer = BlockingPeer.connect(server.port())) {
      sendAndHangUp(peer, noise(random, 1 + random.nextInt(4096)));
    }
  }

  @RepeatedTest(ROUNDS)
  void randomBytesFromAFriend(RepetitionInfo round) throws IOException {
    var random = seeded(2, round);
    try (var peer = BlockingPeer.authenticated(server.port(), SECRET)) {
      sendAndHangUp(peer, noise(random, 1 + random.nextInt(4096)));
    }
  }

  @RepeatedTest(ROUNDS)
  void goodFramesWithDamagedBytes(RepetitionInfo round) throws IOException {
    var random = seeded(3, round);
    try (var peer = BlockingPeer.authenticated(server.port(), SECRET)) {
      byte[] frame = goodFrame(random);
      for (int i = 0; i < 1 + random.nextInt(4); i++) {
        frame[random.nextInt(frame.length)] = (byte) random.nextInt();
      }
      sendAndHangUp(peer, peer.outgoing(ByteBuffer.wrap(frame)));
    }
  }

  @RepeatedTest(ROUNDS)
  void goodFramesThatAreTouchedOnTheirWay(RepetitionInfo round) throws IOException {
    var random = seeded(7, round);
    try (var peer = BlockingPeer.authenticated(server.port(), SECRET)) {
      byte[] sealed = peer.outgoing(ByteBuffer.wrap(goodFrame(random)));
      for (int i = 0; i < 1 + random.nextInt(4); i++) {
        sealed[random.nextInt(sealed.length)] = (byte) random.nextInt();
      }
      sendAndHangUp(peer, sealed);
    }
  }

  @RepeatedTest(ROUNDS)
  void goodFramesThatEndTooEarly(RepetitionInfo round) throws IOException {
    var random = seeded(4, round);
    try (var peer = BlockingPeer.authenticated(server.port(), SECRET)) {
      byte[] sealed = peer.outgoing(ByteBuffer.wrap(goodFrame(random)));
      sendAndHangUp(peer, Arrays.copyOf(sealed, random.nextInt(sealed.length)));
    }
  }

  @RepeatedTest(ROUNDS)
  void goodHeadersWithRandomBodies(RepetitionInfo round) throws IOException {
    var random = seeded(5, round);
    byte[] body = noise(random, random.nextInt(600));
    var frame = ByteBuffer.allocate(FrameHeader.BYTES + body.length);
    new FrameHeader(body.length, 0, random.nextInt(130), random.nextLong()).encode(frame);
    frame.put(body);
    try (var peer = BlockingPeer.authenticated(server.port(), SECRET)) {
      sendAndHangUp(peer, peer.outgoing(frame.flip()));
    }
  }

  @RepeatedTest(ROUNDS)
  void headersThatAnnounceAnything(RepetitionInfo round) throws IOException {
    var random = seeded(6, round);
    var frame = ByteBuffer.allocate(FrameHeader.BYTES);
    new FrameHeader(random.nextInt(), random.nextInt(), random.nextInt(130), random.nextLong())
        .encode(frame);
    try (var peer =
        random.nextBoolean()
            ? BlockingPeer.connect(server.port())
            : BlockingPeer.authenticated(server.port(), SECRET)) {
      sendAndHangUp(peer, peer.outgoing(frame.flip()));
    }
  }

  private static Random seeded(int kind, RepetitionInfo round) {
    // The display name carries the round, so a failure can be repeated as it is.
    return new Random(kind * 1000L + round.getCurrentRepetition());
  }

  private static void sendAndHangUp(BlockingPeer peer, byte[] bytes) throws IOException {
    peer.sendRaw(bytes);
    try {
      peer.endOutput();
    } catch (IOException e) {
      // The server was faster.
    }
    assertThat(peer.seesEnd()).as("the server answers or hangs up, it does not hang").isTrue();
  }

  private static byte[] noise(Random random, int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    return noise;
  }

  private static byte[] goodFrame(Random random) {
    return Codec.encode(GOOD.get(random.nextInt(GOOD.size())), random.nextLong()).array().clone();
  }
}
