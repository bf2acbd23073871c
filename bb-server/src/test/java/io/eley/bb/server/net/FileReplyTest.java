package io.eley.bb.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files as answers, by sendfile and sealed alike. */
@ExtendWith(LeakCheck.class)
@ParameterizedClass
@EnumSource
@Tag("slow")
class FileReplyTest {
  private static final int FILE = 8 << 20;
  private static final int PAUSE_AT = 8;

  private final NetworkProtection protection;

  private final Secret secret = Secret.random();
  private final Sender sender = new Sender();
  private byte[] bytes;
  private Path path;
  private FileChannel file;
  private FrameServer server;

  FileReplyTest(NetworkProtection protection) {
    this.protection = protection;
  }

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    bytes = new byte[FILE];
    new Random(1).nextBytes(bytes);
    path = Files.write(directory.resolve("block"), bytes);
    file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    server = FrameServer.start(options(Duration.ofSeconds(20)), credentials(), sender);
  }

  private Credentials credentials() {
    return new Credentials(secret, BlockingPeer.SERVER, protection);
  }

  private static FrameServerOptions options(Duration stalled) {
    var sending = new FrameServerOptions.Sending(256 << 10, 1 << 20, PAUSE_AT, 10_000, stalled);
    return new FrameServerOptions(
        "127.0.0.1",
        0,
        "test",
        1,
        new FrameServerOptions.Limits(Duration.ofSeconds(20), 10, sending));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    assertThat(sender.released).as("every part is released once").hasValue(sender.sent.get());
    assertThat(file.isOpen()).as("the channel is the store's").isTrue();
    file.close();
  }

  @Test
  void sendsExactlyTheBytesOfTheFile() throws IOException {
    try (var peer = BlockingPeer.authenticated(server.port(), secret)) {
      peer.send(3, new GetStatus("/1000-5000000", false));

      var answer = peer.read();

      assertThat(answer.message()).isEqualTo(new BlockData(1000, true, true, List.of()));
      assertThat(answer.header().correlation()).isEqualTo(3);
      assertThat(answer.payload()).isEqualTo(Arrays.copyOfRange(bytes, 1000, 5001000));
      await().untilAsserted(() -> assertThat(sender.released).hasValue(1));
    }
  }

  @Test
  void answersOfAllSizesKeepTheirOrder() throws IOException {
    try (var peer = BlockingPeer.authenticated(server.port(), secret)) {
      for (int i = 1; i <= 200; i++) {
        peer.send(i, i % 3 == 0 ? new GetView() : new GetStatus("/" + i + "-" + i * 1000, false));
      }
      for (int i = 1; i <= 200; i++) {
        var answer = peer.read();
        assertThat(answer.header().correlation()).isEqualTo(i);
        assertThat(answer.payload())
            .isEqualTo(i % 3 == 0 ? new byte[0] : Arrays.copyOfRange(bytes, i, i + i * 1000));
      }
    }
  }

  @Test
  void aSlowReaderDoesNotMakeTheServerQueueWithoutBound() throws IOException {
    // A JVM seals slowly until it has compiled the cipher.
    int requests = protection == NetworkProtection.AUTO ? 2000 : 100;
    try (var peer = BlockingPeer.connect(server.port(), 16 << 10).authenticate(secret)) {
      var asking = new Thread(() -> ask(peer, requests));
      asking.start();
      var session = sender.session();
      // It reads nothing yet: the server stops both sending and reading.
      await()
          .untilAsserted(
              () -> assertThat(session.queuedMessages()).isGreaterThanOrEqualTo(PAUSE_AT));
      for (int i = 1; i <= requests; i++) {
        assertThat(session.withNettyBytes()).isLessThanOrEqualTo((1 << 20) + (256 << 10) + 1000);
        var answer = peer.read();
        assertThat(answer.header().correlation()).isEqualTo(i);
      }
      // One read of the socket brings 64 KiB of requests, 70 of them, beyond the pause.
      assertThat(sender.mostHeld()).isLessThan(PAUSE_AT + 2 * 70 + 10);
      await().untilAsserted(() -> assertThat(sender.released).hasValue(requests));
      await().untilAsserted(() -> assertThat(session.queuedMessages()).isZero());
      await().untilAsserted(() -> assertThat(session.withNettyBytes()).isZero());
    }
  }

  private static void ask(BlockingPeer peer, int requests) {
    try {
      for (int i = 1; i <= requests; i++) {
        peer.send(i, new GetStatus("/0-" + (256 << 10) + "x".repeat(900), false));
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aConnectionKilledInMidReplyReleasesEveryPartOnce() throws IOException {
    try (var peer = BlockingPeer.connect(server.port(), 16 << 10).authenticate(secret)) {
      for (int i = 1; i <= 5; i++) {
        peer.send(i, new GetStatus("/0-" + FILE, false));
      }
      peer.readHeader();
      await().untilAsserted(() -> assertThat(sender.sent).hasValue(5));
      assertThat(sender.released.get()).isLessThan(5);
      peer.kill();
    }
    await().untilAsserted(() -> assertThat(sender.released).hasValue(5));
  }

  @Test
  void whatIsSaidAfterTheEndIsReleasedToo() throws IOException {
    NettySession session;
    try (var peer = BlockingPeer.authenticated(server.port(), secret)) {
      peer.send(1, new GetView());
      peer.read();
      session = sender.session();
    }
    await().untilAsserted(() -> assertThat(server.connections()).isZero());

    sender.send(session, 1, 0, 1000);

    await().untilAsserted(() -> assertThat(sender.released).hasValue(1));
  }

  @Test
  void whatIsSaidAfterTheServerHasStoppedIsReleasedToo() throws IOException {
    try (var peer = BlockingPeer.authenticated(server.port(), secret)) {
      peer.send(1, new GetView());
      peer.read();
      server.close();

      sender.send(sender.session(), 1, 0, 1000);

      assertThat(sender.released).hasValue(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2000, 100_000})
  void aFileThatWasCutEndsTheConnectionRatherThanLoopForEver(int length) throws IOException {
    file.truncate(1000);
    try (var peer = BlockingPeer.authenticated(server.port(), secret)) {
      peer.send(1, new GetStatus("/0-" + length, false));

      assertThat(peer.seesEnd()).isTrue();
    }
    await().untilAsserted(() -> assertThat(sender.released).hasValue(1));
  }

  /** As when direct memory is used up: an error, not an exception. */
  @Test
  void aPartForWhichThereIsNoMemoryEndsTheConnectionAndIsReleasedOnce() throws IOException {
    try (var peer = BlockingPeer.authenticated(server.port(), secret)) {
      peer.send(1, new GetView());
      peer.read();
      try (var exhausted = new ExhaustedFile()) {
        sender.send(sender.session(), exhausted, 2000);

        assertThat(peer.seesEnd()).isTrue();
        await().untilAsserted(() -> assertThat(sender.released).hasValue(1));
      }
    }
  }

  @Test
  void aPeerThatReadsNothingIsDisconnectedInTheEnd() throws IOException {
    try (var strict = FrameServer.start(options(Duration.ofMillis(200)), credentials(), sender);
        var peer = BlockingPeer.connect(strict.port(), 16 << 10).authenticate(secret)) {
      peer.send(1, new GetStatus("/0-" + FILE, false));

      await().untilAsserted(() -> assertThat(sender.released).hasValue(1));
      await().untilAsserted(() -> assertThat(strict.connections()).isZero());
    }
  }

  @Test
  void anIdlePeerIsNotDisconnected() throws IOException {
    try (var strict = FrameServer.start(options(Duration.ofMillis(20)), credentials(), sender);
        var peer = BlockingPeer.authenticated(strict.port(), secret)) {
      var begin = System.nanoTime();
      await().until(() -> System.nanoTime() - begin > 100_000_000L);

      peer.send(1, new GetView());

      assertThat(peer.read().message()).isEqualTo(new Ok());
    }
  }

  /** Answers a status of "/position-length" with that part of the file. */
  private final class Sender implements SessionHandler {
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();
    private final AtomicInteger mostHeld = new AtomicInteger();
    private volatile @Nullable NettySession latest;

    NettySession session() {
      await().until(() -> latest != null);
      return Objects.requireNonNull(latest);
    }

    int mostHeld() {
      return mostHeld.get();
    }

    @Override
    public void opened(Session session) {
      latest = (NettySession) session;
    }

    @Override
    public void received(Session session, long correlation, Message message) {
      if (message instanceof GetStatus status) {
        String[] part = status.path().substring(1).replace("x", "").split("-", -1);
        send(session, correlation, Integer.parseInt(part[0]), Integer.parseInt(part[1]));
      } else {
        session.reply(correlation, new Ok());
      }
    }

    void send(Session session, long correlation, int position, int length) {
      int held = sent.incrementAndGet() - released.get();
      mostHeld.accumulateAndGet(held, Math::max);
      var header = new BlockData(position, true, true, List.of());
      session.replyBlock(
          correlation, header, new FilePart(file, position, length, released::incrementAndGet));
    }

    void send(Session session, FileChannel other, int length) {
      sent.incrementAndGet();
      var header = new BlockData(0, true, true, List.of());
      session.replyBlock(2, header, new FilePart(other, 0, length, released::incrementAndGet));
    }

    @Override
    public void closed(Session session) {}
  }
}
