package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.StageId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.error.Remedy;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PhaseMessage.EndPhase;
import io.eley.bb.api.wire.PlanMessage.TasksEnded;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.ScratchMessage;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A connection whose other end misbehaves. */
@Timeout(60)
class ConnectionTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(150);
  private static final int LENGTH = 1000;
  private static final ReadBlock READ =
      new ReadBlock(
          new BlockId(new FileVersion("/f", 1 << 20, 1), 0),
          1 << 20,
          0,
          LENGTH,
          ReadCause.DEMAND,
          false);
  private static final byte UNTOUCHED = 7;

  private final Secret secret = Secret.random();
  private final Credentials credentials = new Credentials(secret, Identity.CLIENT);
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  @Test
  void answersFindTheirQuestionsInWhateverOrderTheyCome() throws Exception {
    var waiting = new CopyOnWriteArrayList<Long>();
    var server =
        server(
            (peer, correlation, request) -> {
              waiting.add(correlation);
              if (waiting.size() == 3) {
                for (int i = 2; i >= 0; i--) {
                  peer.send(waiting.get(i), new Failure(ErrorCode.INTERNAL, "answer " + i));
                }
              }
            });
    var connection = connect(server);
    var answers = new ArrayList<CompletableFuture<Message>>();
    for (int i = 0; i < 3; i++) {
      answers.add(connection.request(new EndPhase("a" + i)));
    }
    for (int i = 0; i < 3; i++) {
      int number = i;
      assertThatThrownBy(() -> Await.done(answers.get(number), PATIENCE, "answer"))
          .hasMessageContaining("answer " + number);
    }
    assertThat(server.requests()).hasSize(3);
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void aMessageThatNoFrameHoldsLeavesNothingInFlight() throws Exception {
    var connection =
        connect(server((peer, correlation, request) -> peer.send(correlation, new Ok())));
    var huge = new TasksEnded(new StageId("a", 1, 0), Collections.nCopies(300_000, 1));
    assertThatThrownBy(() -> connection.request(huge))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("larger than a frame");
    assertThat(connection.inFlight()).isZero();
    assertThat(connection.call(new EndPhase("a"), PATIENCE)).isInstanceOf(Ok.class);
    await().until(() -> connection.inFlight() == 0);
  }

  @Test
  void aPeerThatHangsUpInMidPayloadFailsTheReadAndAllOthers() throws Exception {
    var both = new CountDownLatch(2);
    var server =
        server(
            (peer, correlation, request) -> {
              both.countDown();
              if (request instanceof ReadBlock) {
                uninterruptibly(both);
                peer.data(correlation, new BlockData(0, true, true, List.of()), LENGTH, bytes(400));
                peer.hangUp();
              }
            });
    var connection = connect(server);
    var ended = new AtomicInteger();
    connection.onClose(ended::incrementAndGet);
    var other = connection.request(new EndPhase("a"));
    assertCode(
        ErrorCode.UNAVAILABLE, () -> connection.read(READ, ByteBuffer.allocate(LENGTH), PATIENCE));
    assertCode(ErrorCode.UNAVAILABLE, () -> Await.done(other, PATIENCE, "other"));
    await().untilAtomic(ended, org.hamcrest.Matchers.is(1));
    assertThat(connection.isOpen()).isFalse();
    connection.onClose(ended::incrementAndGet);
    connection.close();
    assertThat(ended).hasValue(2);
    assertCode(
        ErrorCode.UNAVAILABLE, () -> Await.done(connection.request(READ), PATIENCE, "later"));
  }

  @Test
  void aPeerThatNeverAnswersCostsTheDeadlineAndNoMore() throws Exception {
    var server = server((peer, correlation, request) -> {});
    var connection = connect(server);
    long began = System.nanoTime();
    assertCode(ErrorCode.DEADLINE, () -> connection.call(new EndPhase("a"), SHORT));
    assertCode(ErrorCode.DEADLINE, () -> connection.read(READ, ByteBuffer.allocate(LENGTH), SHORT));
    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(2 * SHORT.toNanos());
    await().until(() -> server.requests().size() >= 2); // The server may be behind.
    assertThat(server.requests()).hasSize(2);
  }

  @Test
  void aPayloadThatComesTooLateTouchesNobodysBuffer() throws Exception {
    lateAnswerOf(LENGTH);
  }

  @Test
  void anAnswerInPiecesThatComesTooLateCostsTheOthersNothing() throws Exception {
    lateAnswerOf(300, 600, 100);
  }

  /** An answer in pieces of these lengths that comes when its reader has given it up. */
  private void lateAnswerOf(int... pieces) throws Exception {
    var late = new CompletableFuture<Runnable>();
    var server =
        server(
            (peer, correlation, request) -> {
              if (request instanceof ReadBlock) {
                late.complete(() -> quietly(() -> answer(peer, correlation, pieces)));
              } else {
                peer.send(correlation, new Ok());
              }
            });
    var connection = connect(server);
    ByteBuffer target = untouched();
    assertCode(ErrorCode.DEADLINE, () -> connection.read(READ, target, SHORT));
    late.get(20, TimeUnit.SECONDS).run();
    // The answer to this comes behind the late payload, on the same connection.
    assertThat(connection.call(new EndPhase("a"), PATIENCE)).isInstanceOf(Ok.class);
    assertThat(target.clear()).isEqualTo(untouched());
    assertThat(connection.isOpen()).isTrue();
    assertThat(connection.lateAnswers()).isEqualTo(1);
  }

  private static void answer(ScriptedServer.Peer peer, long correlation, int... pieces)
      throws IOException {
    int offset = 0;
    for (int length : pieces) {
      boolean last = offset + length == LENGTH;
      peer.data(correlation, new BlockData(offset, last, true, List.of()), length, bytes(length));
      offset += length;
    }
  }

  @Test
  void anAnswerThatNobodyAskedForIsDropped() throws Exception {
    var server =
        server(
            (peer, correlation, request) -> {
              peer.send(999_999, new Ok());
              peer.data(888_888, new BlockData(0, true, true, List.of()), 10, bytes(10));
              peer.send(correlation, new Ok());
            });
    assertThat(connect(server).call(new EndPhase("a"), PATIENCE)).isInstanceOf(Ok.class);
  }

  @Test
  void garbageEndsTheConnectionWithAClearError() throws Exception {
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    System.out.println("seed of the garbage (-Deley.test.seed=...): " + seed);
    var random = new Random(seed);
    for (int i = 0; i < 30; i++) {
      byte[] garbage = new byte[64 + random.nextInt(200)];
      random.nextBytes(garbage);
      // As if sealed, and of a length beyond every bound, so that it cannot look like a frame.
      garbage[0] |= (byte) 0xc0;
      var server = server((peer, correlation, request) -> peer.raw(garbage));
      var connection = connect(server);
      assertThatThrownBy(() -> connection.call(new EndPhase("a"), PATIENCE))
          .isInstanceOf(EleyException.class)
          .hasMessageContaining("exceeds the limit");
      assertThat(connection.isOpen()).isFalse();
    }
  }

  @Test
  void morePayloadThanWasAskedForIsNotTaken() throws Exception {
    var server =
        server(
            (peer, correlation, request) ->
                peer.data(
                    correlation,
                    new BlockData(0, true, true, List.of()),
                    4 * LENGTH,
                    bytes(4 * LENGTH)));
    var connection = connect(server);
    ByteBuffer target = ByteBuffer.allocate(2 * LENGTH);
    java.util.Arrays.fill(target.array(), UNTOUCHED);
    assertThatThrownBy(() -> connection.read(READ, target, PATIENCE))
        .isInstanceOf(EleyException.class);
    for (int i = LENGTH; i < 2 * LENGTH; i++) {
      assertThat(target.get(i)).isEqualTo(UNTOUCHED);
    }
  }

  @Test
  void aServerThatDoesNotKnowTheSecretIsNotTalkedTo() throws Exception {
    var stranger = new ScriptedServer(Secret.random(), (peer, correlation, request) -> {});
    open.add(stranger);
    assertCode(ErrorCode.UNAUTHENTICATED, () -> connect(stranger));
    assertThat(stranger.requests()).isEmpty();
  }

  @Test
  void aServerThatAcceptsAndSaysNothingCostsTheConnectTimeOut() throws Exception {
    try (var mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var address = new java.net.InetSocketAddress(mute.getInetAddress(), mute.getLocalPort());
      var options = ConnectionOptions.toCoordinator("test", SHORT);
      assertThatThrownBy(() -> Connection.open(address, credentials, options, PushHandler.IGNORE))
          .isInstanceOf(EleyException.class);
    }
  }

  @Test
  void aBlockComesInPiecesIntoTheTargetFromItsPositionOn() throws Exception {
    var server =
        server(
            (peer, correlation, request) -> {
              peer.data(correlation, new BlockData(0, false, true, List.of(5)), 300, bytes(300));
              peer.data(correlation, new BlockData(300, false, false, List.of()), 600, bytes(600));
              peer.data(correlation, new BlockData(900, true, true, List.of(6)), 100, bytes(100));
            });
    var target = ByteBuffer.allocate(LENGTH + 20).position(10);
    assertThat(connect(server).read(READ, target, PATIENCE))
        .isEqualTo(new BlockReply(LENGTH, 400, List.of(5, 6)));
    assertThat(target.position()).isEqualTo(10);
    for (int at = 0; at < target.capacity(); at++) {
      assertThat(target.get(at)).isEqualTo((byte) (at >= 10 && at < LENGTH + 10 ? 1 : 0));
    }
  }

  @Test
  void aReadThatIsNotWaitedForIsDoneWhenItsBytesAreThere() throws Exception {
    var server =
        server(
            (peer, correlation, request) ->
                peer.data(
                    correlation, new BlockData(0, true, false, List.of()), LENGTH, bytes(LENGTH)));
    var target = ByteBuffer.allocate(LENGTH);
    var reply = Await.done(connect(server).readBlock(READ, target), PATIENCE, "the read");
    assertThat(reply).isEqualTo(new BlockReply(LENGTH, 0, List.of()));
    assertThat(target.array()).containsOnly(1);
  }

  @Test
  void aFailureAfterSomeBytesIsAFailureAndTheConnectionGoesOn() throws Exception {
    var server =
        server(
            (peer, correlation, request) -> {
              if (request instanceof ReadBlock) {
                peer.data(correlation, new BlockData(0, false, true, List.of()), 300, bytes(300));
                peer.send(correlation, new Failure(ErrorCode.DAMAGED, "chunk 1"));
              } else {
                peer.send(correlation, new Ok());
              }
            });
    var connection = connect(server);
    assertCode(
        ErrorCode.DAMAGED, () -> connection.read(READ, ByteBuffer.allocate(LENGTH), PATIENCE));
    assertThat(connection.call(new EndPhase("a"), PATIENCE)).isInstanceOf(Ok.class);
    assertThat(connection.isOpen()).isTrue();
  }

  @Test
  void aPayloadForAQuestionThatHasNoneIsSkipped() throws Exception {
    var server =
        server(
            (peer, correlation, request) -> {
              peer.data(correlation, new BlockData(0, true, true, List.of()), 50, bytes(50));
              peer.send(correlation, new Ok());
            });
    assertThat(connect(server).call(new EndPhase("a"), PATIENCE)).isInstanceOf(Ok.class);
  }

  @Test
  void aTargetThatIsTooSmallIsRefusedBeforeAnythingIsSent() throws Exception {
    var server = server((peer, correlation, request) -> {});
    var connection = connect(server);
    assertThatThrownBy(
            () -> connection.read(READ, ByteBuffer.allocate(LENGTH).position(1), PATIENCE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a target of 999 bytes");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void whatIsSaidUnaskedGoesToTheHandlerAndIsNoAnswer() throws Exception {
    var pushed = new CopyOnWriteArrayList<Message>();
    var server =
        server(
            (peer, correlation, request) -> {
              if (correlation == 0) {
                peer.send(0, request);
              } else {
                peer.send(0, new EndPhase("pushed"));
                peer.send(correlation, new Ok());
              }
            });
    var connection =
        Connection.open(
            server.address(),
            credentials,
            ConnectionOptions.toCoordinator("test", PATIENCE),
            pushed::add);
    open.add(connection);
    assertThat(connection.call(new EndPhase("a"), PATIENCE)).isInstanceOf(Ok.class);
    assertThat(pushed).containsExactly(new EndPhase("pushed"));
    connection.send(new EndPhase("said"));
    await().until(() -> pushed.size() == 2);
    assertThat(pushed.get(1)).isEqualTo(new EndPhase("said"));
  }

  @Test
  void aReaderThatRunsOutOfMemoryEndsItsConnectionAndWhatIsInFlight() throws Exception {
    var server = server((peer, correlation, request) -> peer.send(0, new EndPhase("pushed")));
    var connection =
        Connection.open(
            server.address(),
            credentials,
            ConnectionOptions.toCoordinator("test", PATIENCE),
            message -> {
              throw new OutOfMemoryError("test");
            });
    open.add(connection);
    var ended = new AtomicInteger();
    connection.onClose(ended::incrementAndGet);
    assertCode(ErrorCode.UNAVAILABLE, () -> connection.call(new EndPhase("a"), PATIENCE));
    assertThat(connection.isOpen()).isFalse();
    await().untilAtomic(ended, org.hamcrest.Matchers.is(1));
    connection.close();
    assertThat(ended).hasValue(1);
    assertThat(connection.inFlight()).isZero();
  }

  @Test
  void nobodyAtTheAddressIsUnavailable() throws Exception {
    int port;
    try (var gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = gone.getLocalPort();
    }
    var nobody = new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    var nowhere = java.net.InetSocketAddress.createUnresolved("nowhere.invalid", 1);
    var options = ConnectionOptions.toCoordinator("test", PATIENCE);
    assertCode(
        ErrorCode.UNAVAILABLE,
        () -> Connection.open(nobody, credentials, options, PushHandler.IGNORE));
    assertThatThrownBy(() -> Connection.open(nowhere, credentials, options, PushHandler.IGNORE))
        .hasMessage("cannot resolve nowhere.invalid");
  }

  @Test
  void aServerThatRefusesTheHandshakeSaysWhyAndOneThatTalksNonsenseIsMalformed() throws Exception {
    assertCode(
        ErrorCode.INCOMPATIBLE, () -> shakeHands(new Failure(ErrorCode.INCOMPATIBLE, "version")));
    assertCode(ErrorCode.MALFORMED, () -> shakeHands(new Ok()));
  }

  /** A refusal comes before any proof: whoever has taken the port can say anything. */
  @Test
  void aStrangersRefusalSendsAClientElsewhereAndNeverFailsIt() {
    for (var code : ErrorCode.values()) {
      assertThatThrownBy(() -> shakeHands(new Failure(code, "no\nERROR a line of mine\033[2J")))
          .isInstanceOfSatisfying(
              EleyException.class,
              e -> assertThat(e.remedy()).as("after %s", code).isNotEqualTo(Remedy.FAIL))
          .hasMessage("no\\x0aERROR a line of mine\\x1b[2J");
    }
  }

  /** Connects to a server that answers the first message with this one. */
  private void shakeHands(Message answer) throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var thread =
          new Thread(
              () ->
                  quietly(
                      () -> {
                        try (var socket = server.accept()) {
                          socket.getOutputStream().write(Codec.encode(answer, 1).array());
                          // Until the client hangs up.
                          socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                        }
                      }));
      thread.start();
      var address = new java.net.InetSocketAddress(server.getInetAddress(), server.getLocalPort());
      try {
        Connection.open(
            address,
            credentials,
            ConnectionOptions.toCoordinator("test", PATIENCE),
            PushHandler.IGNORE);
      } finally {
        thread.join();
      }
    }
  }

  @Test
  void aConnectionKnowsItsEnds() throws Exception {
    var server = server((peer, correlation, request) -> {});
    var connection = connect(server);
    assertThat(connection.localHost()).isEqualTo("127.0.0.1");
    assertThat(connection.peer()).contains("127.0.0.1:" + server.address().getPort());
    for (var time : List.of(Duration.ZERO, Duration.ofMillis(-1))) {
      assertThatThrownBy(() -> ConnectionOptions.toCoordinator("test", time))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aThreadThatIsStuckInSendingAFileIsFreeWhenTheConnectionIsClosed(@TempDir Path temp)
      throws Exception {
    var released = new CountDownLatch(1);
    var server = server((peer, correlation, request) -> uninterruptibly(released));
    var connection = connect(server);
    int length = ScratchMessage.PIECE_MAX;
    try (var file = FileChannel.open(Files.write(temp.resolve("file"), new byte[length]))) {
      var sending =
          new FutureTask<>(
              () -> {
                while (connection.isOpen()) {
                  var unused =
                      connection.request(
                          new WriteScratch(1, 0, 0, length),
                          new FilePayload(file, 0, length),
                          Duration.ofMinutes(10));
                }
                return true;
              });
      var writer = new Thread(sending);
      writer.start();
      OutboxTest.awaitBlocked(List.of(writer));
      connection.close();
      assertThat(sending.get(20, TimeUnit.SECONDS)).isTrue();
      assertThat(connection.stalled()).isFalse();
    } finally {
      released.countDown();
    }
  }

  @Test
  void aThreadThatWasInterruptedSendsNoFileAndLeavesTheConnectionToOthers(@TempDir Path temp)
      throws Exception {
    var server = server((peer, correlation, request) -> peer.send(correlation, new Ok()));
    var connection = connect(server);
    try (var file = FileChannel.open(Files.write(temp.resolve("file"), new byte[LENGTH]))) {
      Thread.currentThread().interrupt();
      var sent =
          connection.request(
              new WriteScratch(1, 0, 0, LENGTH), new FilePayload(file, 0, LENGTH), PATIENCE);
      assertThat(Thread.interrupted()).as("the flag").isTrue();
      assertCode(ErrorCode.INTERRUPTED, () -> Await.done(sent, PATIENCE, "a piece"));
      assertThat(file.isOpen()).isTrue();
    }
    assertThat(connection.inFlight()).isZero();
    assertThat(connection.call(new EndPhase("a"), PATIENCE)).isInstanceOf(Ok.class);
    assertThat(server.requests()).containsExactly(new EndPhase("a"));
  }

  private ScriptedServer server(ScriptedServer.Script script) throws IOException {
    var server = new ScriptedServer(secret, script);
    open.add(server);
    return server;
  }

  private Connection connect(ScriptedServer server) throws EleyException {
    var connection =
        Connection.open(
            server.address(),
            credentials,
            ConnectionOptions.toCoordinator("test", PATIENCE),
            PushHandler.IGNORE);
    open.add(connection);
    return connection;
  }

  private static void assertCode(
      ErrorCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(EleyException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static ByteBuffer untouched() {
    var buffer = ByteBuffer.allocate(LENGTH);
    java.util.Arrays.fill(buffer.array(), UNTOUCHED);
    return buffer;
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    java.util.Arrays.fill(bytes, (byte) 1);
    return bytes;
  }

  private interface Sending {
    void run() throws IOException;
  }

  private static void quietly(Sending sending) {
    try {
      sending.run();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void uninterruptibly(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
