package io.eley.bb.api.client;

import static io.eley.bb.api.client.Failures.failsWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.client.LiveWait.SilentPeerException;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PhaseMessage.EndPhase;
import io.eley.bb.api.wire.PhaseMessage.Why;
import io.eley.bb.api.wire.PingMessage;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.ScratchMessage;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Peers that live and answer late, peers that hang, and what tells them apart. */
@Timeout(60)
class LiveWaitTest {
  private static final Duration SILENCE = Duration.ofMillis(400);

  /** The silence of a peer that lives, whose answers a busy machine keeps back for a while. */
  private static final Duration ANSWERS = Duration.ofSeconds(2);

  private static final Duration LONG = Duration.ofSeconds(30);

  private final Secret secret = Secret.random();
  private final CountedSigns signs = new CountedSigns();

  private volatile ScriptedServer.Script behaviour = (peer, id, request) -> {};
  private ScriptedServer server;
  private Connection connection;

  @BeforeEach
  void connect() throws Exception {
    server =
        new ScriptedServer(secret, (peer, id, request) -> behaviour.on(peer, id, request))
            .as(Identity.COORDINATOR);
    connection =
        Connection.open(
            server.address(),
            new Credentials(secret, Identity.CLIENT),
            ConnectionOptions.toCoordinator("test", LONG).withStall(SILENCE),
            PushHandler.IGNORE);
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    server.close();
  }

  private Message ask(Duration silence, Duration deadline) throws EleyException {
    var wait = new LiveWait(silence, deadline, signs);
    return wait.done(connection, connection.request(new EndPhase("a")), "the question");
  }

  @Test
  void whoAnswersAtOnceIsNotAskedWhetherItLives() throws Exception {
    behaviour = (peer, id, request) -> peer.send(id, new Ok());
    assertThat(ask(LONG, LONG)).isEqualTo(new Ok());
    assertThat(signs.asked).hasValue(0);
  }

  @Test
  void whoSaysNoHasAnswered() {
    behaviour = (peer, id, request) -> peer.send(id, new Failure(ErrorCode.NOT_FOUND, "no"));
    failsWith(ErrorCode.NOT_FOUND, () -> ask(LONG, LONG));
    assertThat(signs.asked).hasValue(0);
  }

  @Test
  void whoKeepsAnAnswerBackAndSaysThatItLivesIsWaitedFor() throws Exception {
    server.setDeaf(true); // The script answers these questions, and counts them.
    var questions = new AtomicInteger();
    behaviour =
        new ScriptedServer.Script() {
          private long kept;

          @Override
          public void on(ScriptedServer.Peer peer, long id, Message request)
              throws java.io.IOException {
            if (!(request instanceof PingMessage)) {
              kept = id;
            } else {
              peer.send(id, new Ok());
              if (questions.incrementAndGet() == 3) {
                peer.send(kept, new Ok());
              }
            }
          }
        };
    assertThat(ask(ANSWERS, LONG)).isEqualTo(new Ok());
    assertThat(signs.asked).hasValue(3);
    assertThat(signs.alive).hasValue(3);
  }

  @Test
  void whoSaysNothingIsSilentAfterTwiceTheTime() {
    server.setDeaf(true);
    long began = System.nanoTime();
    failsWith(ErrorCode.DEADLINE, () -> ask(SILENCE, LONG))
        .isInstanceOf(SilentPeerException.class)
        .hasMessage("no sign of life within 800 ms: the question");
    assertThat(System.nanoTime() - began)
        .isBetween(2 * SILENCE.toNanos(), Duration.ofSeconds(20).toNanos());
    assertThat(signs.asked).hasValue(1);
    assertThat(signs.alive).hasValue(0);
    await().until(() -> server.requests().size() >= 2); // The server may be behind.
    assertThat(server.requests()).hasSize(2);
  }

  @Test
  void whoAnswersInsteadOfSayingThatItLivesHasAnswered() throws Exception {
    server.setDeaf(true);
    behaviour =
        (peer, id, request) -> {
          if (request instanceof PingMessage) {
            peer.send(id - 1, new Ok()); // The question before.
          }
        };
    assertThat(ask(ANSWERS, LONG)).isEqualTo(new Ok());
    assertThat(signs.alive).hasValue(1);
  }

  @Test
  void howeverMuchItLivesTheDeadlineHolds() {
    long began = System.nanoTime();
    failsWith(ErrorCode.DEADLINE, () -> ask(ANSWERS, Duration.ofSeconds(5)))
        .isNotInstanceOf(SilentPeerException.class)
        .hasMessage("no answer within 5000 ms: the question");
    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(5_000_000_000L);
    assertThat(signs.alive).as("one as each 2 s are over").hasValueLessThanOrEqualTo(2);
    failsWith(ErrorCode.DEADLINE, () -> ask(LONG, Duration.ofMillis(20)))
        .as("a deadline shorter than the silence")
        .isNotInstanceOf(SilentPeerException.class);
  }

  @Test
  void whoSendsALotIsAlive() throws Exception {
    var wait = new LiveWait(SILENCE, LONG, signs);
    long floor = (1 << 20) * SILENCE.toMillis() / 1000; // 1 MiB a second
    wait.requireMoved(floor, "the question");
    failsWith(ErrorCode.DEADLINE, () -> wait.requireMoved(floor - 1, "the question"))
        .isInstanceOf(SilentPeerException.class)
        .hasMessage("no sign of life within 800 ms: the question");
  }

  @Test
  void whatComesWhileItIsAskedCounts() {
    server.setDeaf(true);
    // Twice the least of 2 s, which a machine that is busy has time for.
    behaviour = (peer, id, request) -> send(peer, request instanceof PingMessage ? 300 : 0);
    failsWith(ErrorCode.DEADLINE, () -> ask(Duration.ofSeconds(2), Duration.ofSeconds(5)))
        .isNotInstanceOf(SilentPeerException.class);
    assertThat(signs.asked.get()).isPositive();
    assertThat(signs.alive).as("it has not said so").hasValue(0);
  }

  @Test
  void whoTricklesIsNot() {
    server.setDeaf(true);
    behaviour = (peer, id, request) -> send(peer, request instanceof PingMessage ? 1 : 40);
    failsWith(ErrorCode.DEADLINE, () -> ask(SILENCE, LONG))
        .as("what came before the question does not count")
        .isInstanceOf(SilentPeerException.class);
  }

  private static void send(ScriptedServer.Peer peer, int times) throws java.io.IOException {
    for (int i = 0; i < times; i++) {
      peer.send(FrameHeader.PUSH, new Why(List.of("x".repeat(7_000), "y".repeat(7_000))));
    }
  }

  @Test
  void aConnectionThatEndsIsNoSilence() {
    behaviour = (peer, id, request) -> peer.hangUp();
    failsWith(ErrorCode.UNAVAILABLE, () -> ask(SILENCE, LONG));
  }

  @Test
  void aConnectionThatEndsBecauseThePeerTakesNothingIsSilence(@TempDir Path temp) throws Exception {
    var released = new CountDownLatch(1);
    behaviour =
        (peer, id, request) -> {
          try {
            released.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    int length = ScratchMessage.PIECE_MAX;
    var piece = new WriteScratch(1, 0, 0, length);
    var answers = new ArrayList<CompletableFuture<Message>>();
    try (var file = FileChannel.open(Files.write(temp.resolve("file"), new byte[length]))) {
      while (connection.isOpen()) {
        answers.add(connection.request(piece, new FilePayload(file, 0, length), SILENCE));
      }
    } finally {
      released.countDown();
    }
    var wait = new LiveWait(LONG, LONG, signs);
    for (var answer : answers) {
      failsWith(ErrorCode.DEADLINE, () -> wait.done(connection, answer, "a piece"))
          .isInstanceOf(SilentPeerException.class)
          .hasMessageContaining("takes nothing any more");
    }
    assertThat(signs.asked).hasValue(0);
  }

  @Test
  void anInterruptEndsTheWaitAndStaysSet() {
    var answer = connection.request(new EndPhase("a"));
    Thread.currentThread().interrupt();
    failsWith(
        ErrorCode.INTERRUPTED,
        () -> new LiveWait(LONG, LONG, signs).done(connection, answer, "the question"));
    assertThat(Thread.interrupted()).isTrue();
  }
}
