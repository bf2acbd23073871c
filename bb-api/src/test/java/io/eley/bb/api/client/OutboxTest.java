package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameOpener;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.Protection;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import io.eley.bb.api.wire.SealedPair;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames into a socket whose other end takes nothing, or not yet. */
@Timeout(60)
class OutboxTest {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final int PIECE = 512 << 10;

  /** More pieces than two ends of a socket keep. */
  private static final int PIECES = 40;

  private static final WriteScratch WRITE = new WriteScratch(1, 0, 0, PIECE);

  private final byte[] bytes = new byte[PIECE];
  private FileChannel file;
  private SocketChannel channel;
  private Socket peer;

  @BeforeEach
  void connect(@TempDir Path temp) throws Exception {
    new Random(5).nextBytes(bytes);
    file = FileChannel.open(Files.write(temp.resolve("file"), bytes));
    try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      channel = SocketChannel.open(listener.getLocalSocketAddress());
      peer = listener.accept();
    }
  }

  @AfterEach
  void close() throws Exception {
    channel.close();
    peer.close();
    file.close();
  }

  @ParameterizedTest
  @EnumSource(Protection.class)
  void aPayloadOfWhichThePeerTakesNothingIsGivenUp(Protection protection) {
    var outbox = new Outbox(channel, SealedPair.of(protection).sealer(), SHORT);
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> sendPieces(outbox, SHORT));
    assertThat(outbox.stalled()).isTrue();
  }

  @Test
  void aFrameOfWhichThePeerTakesNothingIsGivenUp() {
    var outbox = new Outbox(channel, SealedPair.of(Protection.AUTHENTICATED).sealer(), SHORT);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(
            () -> {
              for (int i = 0; i < PIECES; i++) {
                outbox.write(ByteBuffer.allocate(PIECE));
              }
            });
    assertThat(outbox.stalled()).isTrue();
  }

  @Test
  void aFrameIsLeftToTheThreadThatWritesAndLeavesBehindItsPayload() throws Exception {
    var pair = SealedPair.of(Protection.HOST);
    var outbox = new Outbox(channel, pair.sealer(), LONG);
    var sending = new FutureTask<>(() -> sendPieces(outbox, LONG));
    var writer = new Thread(sending);
    writer.start();
    awaitBlocked(List.of(writer));
    outbox.write(Codec.encode(new Ok(), 8));
    assertThat(sending).isNotDone();
    List<Message> all = take(PIECES + 1, pair.opener());
    assertThat(all).filteredOn(WRITE::equals).hasSize(PIECES);
    assertThat(all.indexOf(new Ok())).as("in its turn").isBetween(1, PIECES - 1);
    assertThat(sending.get(20, TimeUnit.SECONDS)).isEqualTo(PIECES);
    assertThat(outbox.stalled()).isFalse();
  }

  @Test
  void aFrameOfAThreadThatWasInterruptedLeavesAndTheSocketStaysOpen() throws Exception {
    var pair = SealedPair.of(Protection.AUTHENTICATED);
    var outbox = new Outbox(channel, pair.sealer(), LONG);
    Thread.currentThread().interrupt();
    outbox.write(Codec.encode(new Ok(), 8));
    assertThat(Thread.interrupted()).as("the flag").isTrue();
    assertThat(channel.isOpen()).isTrue();
    assertThat(take(1, pair.opener())).containsExactly(new Ok());
  }

  @Test
  void whoIsInterruptedBeforeItsTurnSendsNoPayloadAndTheSocketStaysOpen() throws Exception {
    var pair = SealedPair.of(Protection.HOST);
    var outbox = new Outbox(channel, pair.sealer(), LONG);
    var sending = new FutureTask<>(() -> sendPieces(outbox, LONG));
    var writer = new Thread(sending);
    writer.start();
    awaitBlocked(List.of(writer));
    var late = new FutureTask<>(() -> sendPieces(outbox, LONG));
    var waiting = new Thread(late);
    waiting.start();
    await().until(() -> waiting.getState() == Thread.State.WAITING);
    waiting.interrupt();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> late.get(20, TimeUnit.SECONDS))
        .havingCause()
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
    assertThat(take(PIECES, pair.opener())).hasSize(PIECES).allMatch(WRITE::equals);
    assertThat(sending.get(20, TimeUnit.SECONDS)).isEqualTo(PIECES);
    assertThat(channel.isOpen()).isTrue();
  }

  /** Blocks until one of the threads is stuck in sending. */
  static void awaitBlocked(List<Thread> writers) {
    await()
        .during(Duration.ofMillis(200))
        .until(() -> writers.stream().anyMatch(OutboxTest::inSending));
  }

  private static boolean inSending(Thread writer) {
    return Arrays.stream(writer.getStackTrace())
        .anyMatch(at -> at.getClassName().equals(FrameOutput.class.getName()));
  }

  /** So many messages that came; their payloads are the file's. */
  private List<Message> take(int count, FrameOpener opener) throws IOException {
    var in = new DataInputStream(peer.getInputStream());
    var messages = new ArrayList<Message>();
    for (int i = 0; i < count; i++) {
      int prefix = in.readInt();
      byte[] rest = in.readNBytes(FrameOpener.lengthBehind(prefix));
      var sealed = ByteBuffer.allocate(Integer.BYTES + rest.length).putInt(prefix).put(rest).flip();
      ByteBuffer frame = opener.open(sealed);
      var header = FrameOpener.header(frame);
      messages.add(Codec.decode(header, frame));
      byte[] payload = in.readNBytes(header.payloadLength());
      assertThat(payload).isEqualTo(Arrays.copyOf(bytes, header.payloadLength()));
    }
    return messages;
  }

  private int sendPieces(Outbox outbox, Duration stall) throws IOException {
    for (int i = 0; i < PIECES; i++) {
      outbox.write(Codec.encode(WRITE, 7, PIECE), new FilePayload(file, 0, PIECE), stall);
    }
    return PIECES;
  }
}
