package io.eley.bb.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.FrameSealer;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.ScratchMessage;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What peers send behind a message, however it is protected and cut on its way. */
@ExtendWith(LeakCheck.class)
class PayloadTest {
  private static final Secret SECRET = Secret.random();

  @TempDir private Path temp;
  private final BlockingQueue<byte[]> taken = new LinkedBlockingQueue<>();
  private @Nullable FrameServer server;

  /** Keeps what comes, by way of a file as a node does. */
  private final class Keeping implements SessionHandler {
    @Override
    public void opened(Session session) {}

    @Override
    public void received(Session session, long correlation, Message message) {
      session.reply(correlation, new Ok());
    }

    @Override
    public void received(Session session, long correlation, Message message, ReceivedBytes bytes) {
      Path file = temp.resolve("bytes");
      try (bytes;
          var channel =
              FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        channel.truncate(0);
        bytes.writeTo(channel, 0);
        taken.add(Files.readAllBytes(file));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      session.reply(correlation, new Ok());
    }

    @Override
    public void closed(Session session) {}
  }

  private BlockingPeer start(NetworkProtection protection, SessionHandler handler)
      throws IOException {
    var started =
        FrameServer.start(
            new FrameServerOptions("127.0.0.1", 0, "payloads").withLimits(BlockingPeer.PATIENT),
            new Credentials(SECRET, BlockingPeer.SERVER, protection),
            handler);
    server = started;
    return BlockingPeer.connect(started.port())
        .authenticate(new Credentials(SECRET, Identity.CLIENT), BlockingPeer.SERVER);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @ParameterizedTest
  @EnumSource(NetworkProtection.class)
  void arrivesAsItWasSentHoweverItIsCut(NetworkProtection protection) throws Exception {
    var random = seeded();
    int piece = FrameSealer.PIECE;
    try (var peer = start(protection, new Keeping())) {
      for (int length :
          new int[] {1, 2, piece - 1, piece, piece + 1, 2 * piece, ScratchMessage.PIECE_MAX}) {
        byte[] payload = new byte[length];
        random.nextBytes(payload);
        byte[] frame = peer.outgoing(length, new WriteScratch(1, 0, 0, length), payload);
        for (int at = 0; at < frame.length; ) {
          int part = Math.min(frame.length - at, 1 + random.nextInt(1 + frame.length / 3));
          peer.sendRaw(Arrays.copyOfRange(frame, at, at + part));
          at += part;
        }
        peer.send(7, new GetView()); // what follows is understood, too
        assertThat(peer.read().header().correlation()).isEqualTo(length);
        assertThat(peer.read().header().correlation()).isEqualTo(7);
        assertThat(taken.poll(20, TimeUnit.SECONDS)).isEqualTo(payload);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"AUTHENTICATE", "ENCRYPT"})
  void whatSomebodyHasTouchedEndsTheConnection(NetworkProtection protection) throws Exception {
    var random = seeded();
    int length = 2 * FrameSealer.PIECE + 5;
    try (var peer = start(protection, new Keeping())) {
      byte[] payload = new byte[length];
      byte[] frame = peer.outgoing(1, new WriteScratch(1, 0, 0, length), payload);
      frame[frame.length - 1 - random.nextInt(length)] ^= 1;
      peer.sendRaw(frame);
      assertThat(((Failure) peer.readLast()).code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
    }
    assertThat(taken).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(NetworkProtection.class)
  void aPeerThatGoesInItsMiddleLeavesNothing(NetworkProtection protection) throws Exception {
    int length = 3 * FrameSealer.PIECE;
    try (var peer = start(protection, new Keeping())) {
      byte[] frame = peer.outgoing(1, new WriteScratch(1, 0, 0, length), new byte[length]);
      peer.sendRaw(Arrays.copyOf(frame, frame.length - 1));
    }
    FrameServer started = Objects.requireNonNull(server);
    await().until(() -> started.connections() == 0);
    assertThat(taken).isEmpty(); // and the leak check sees to its memory
  }

  @ParameterizedTest
  @EnumSource(NetworkProtection.class)
  void ofAnotherLengthThanItsMessageSaysIsRefused(NetworkProtection protection) throws Exception {
    try (var peer = start(protection, new Keeping())) {
      peer.sendFrame(bytes(new WriteScratch(1, 0, 0, 10), 11));
      assertThat(((Failure) peer.readLast()).text()).contains("a payload of 11 bytes behind");
    }
  }

  @ParameterizedTest
  @EnumSource(NetworkProtection.class)
  void isNotForEverybody(NetworkProtection protection) throws Exception {
    try (var peer = start(protection, new FrameServerTest.Answering())) {
      peer.send(1, new WriteScratch(1, 0, 0, 3), new byte[3]);
      assertThat(((Failure) peer.read().message()).text()).contains("nothing is taken behind");
      peer.send(2, new GetView());
      assertThat(peer.read().message()).isEqualTo(new Ok());
    }
  }

  private static Random seeded() {
    long seed = Long.getLong("eley.test.base", System.nanoTime());
    System.out.println("payloads cut and touched by seed " + seed);
    return new Random(seed);
  }

  private static byte[] bytes(Message message, int payload) {
    var frame = Codec.encode(message, 1, payload);
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return bytes;
  }
}
