package io.eley.bb.api.client;

import static io.eley.bb.api.client.Failures.failsWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.client.LiveWait.SilentPeerException;
import io.eley.bb.api.client.SoleConnection.EndedUnnoticedException;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.PingMessage;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the reader of a connection of his own sees of nodes, those that hang included. */
@Timeout(60)
class SoleConnectionTest {
  private static final Identity NODE = Identity.node(new NodeId("a"));
  private static final Duration SILENCE = Duration.ofMillis(200);

  /** The silence of a node that lives, whose answers a busy machine keeps back for a while. */
  private static final Duration ANSWERS = Duration.ofSeconds(2);

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int LENGTH = 3000;
  private static final ReadBlock READ =
      new ReadBlock(
          new BlockId(new FileVersion("/f", 1 << 20, 1), 0),
          1 << 20,
          0,
          LENGTH,
          ReadCause.DEMAND,
          false);

  private final Secret secret = Secret.random();
  private final CountedSigns signs = new CountedSigns();
  private final ByteBuffer target = ByteBuffer.allocate(LENGTH);
  private volatile ScriptedServer.Script behaviour =
      (peer, id, request) -> peer.data(id, whole(0, true), LENGTH, bytes(LENGTH));
  private ScriptedServer server;
  private SoleConnection connection;

  @BeforeEach
  void connect() throws Exception {
    server =
        new ScriptedServer(secret, (peer, id, request) -> behaviour.on(peer, id, request)).as(NODE);
    connection =
        SoleConnection.open(
            server.address(),
            new Credentials(secret, Identity.CLIENT),
            ConnectionOptions.toNode(new NodeId("a"), "test", LONG));
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    server.close();
  }

  private BlockReply read(Duration silence, Duration deadline) throws EleyException {
    Arrays.fill(target.array(), (byte) 0);
    return connection.read(
        READ, target, ArrivalListener.UNNOTICED, new LiveWait(silence, deadline, signs));
  }

  private static BlockData whole(int offset, boolean last) {
    return new BlockData(offset, last, true, List.of());
  }

  private static byte[] bytes(int count) {
    var bytes = new byte[count];
    Arrays.fill(bytes, (byte) 5);
    return bytes;
  }

  @Test
  void readsFollowEachOther() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(read(LONG, LONG).hitBytes()).isEqualTo(LENGTH);
      assertThat(target.array()).isEqualTo(bytes(LENGTH));
      assertThat(target.position()).isZero();
    }
    assertThat(server.connections()).isEqualTo(1);
    assertThat(signs.asked).hasValue(0);
  }

  @Test
  void anAnswerMayComeInPieces() throws Exception {
    behaviour =
        (peer, id, request) -> {
          peer.data(id, whole(0, false), 1000, bytes(1000));
          peer.data(id, whole(1000, true), 2000, bytes(700));
          peer.raw(bytes(1300));
        };
    assertThat(read(LONG, LONG).bytes()).isEqualTo(LENGTH);
    assertThat(target.array()).isEqualTo(bytes(LENGTH));
  }

  @Test
  void whoSaysNoHasAnswered() throws Exception {
    behaviour = (peer, id, request) -> peer.send(id, new Failure(ErrorCode.NO_SPACE, "no"));
    failsWith(ErrorCode.NO_SPACE, () -> read(LONG, LONG));
    assertThat(connection.isOpen()).isTrue();
    behaviour = (peer, id, request) -> peer.data(id, whole(0, true), LENGTH, bytes(LENGTH));
    assertThat(read(LONG, LONG).bytes()).isEqualTo(LENGTH);
  }

  @Test
  void whoSaysThatItLivesIsWaitedFor() throws Exception {
    var answer = new CountDownLatch(2);
    behaviour =
        (peer, id, request) ->
            new Thread(
                    () -> {
                      await().until(() -> signs.alive.get() >= 2);
                      answer.countDown();
                      try {
                        peer.data(id, whole(0, true), LENGTH, bytes(LENGTH));
                      } catch (IOException e) {
                        throw new AssertionError(e);
                      }
                    })
                .start();
    assertThat(read(ANSWERS, LONG).bytes()).isEqualTo(LENGTH);
    assertThat(signs.asked.get()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void whoDoesNotIsAsGoodAsGone() {
    server.setDeaf(true);
    behaviour = (peer, id, request) -> {};
    assertThatThrownBy(() -> read(SILENCE, LONG)).isInstanceOf(SilentPeerException.class);
    assertThat(signs.asked).hasValue(1);
    assertThat(connection.isOpen()).as("its answer may be on its way").isFalse();
  }

  @Test
  void whoTricklesIsTakenForOneThatHangs() {
    server.setDeaf(true);
    behaviour =
        (peer, id, request) -> {
          if (request instanceof ReadBlock) {
            peer.data(id, whole(0, true), LENGTH, bytes(1));
            new Thread(() -> trickle(peer)).start();
          }
        };
    assertThatThrownBy(() -> read(SILENCE, LONG)).isInstanceOf(SilentPeerException.class);
  }

  private void trickle(ScriptedServer.Peer peer) {
    await().until(() -> signs.asked.get() > 0);
    try {
      peer.raw(bytes(1));
    } catch (IOException e) {
      // The reader has given up, as expected.
    }
  }

  @Test
  void aSignOfLifeThatComesAfterItsReadIsNoAnswerToTheNext() throws Exception {
    server.setDeaf(true);
    var question = new AtomicReference<Runnable>(() -> {});
    behaviour =
        (peer, id, request) -> {
          if (request instanceof PingMessage) {
            question.set(() -> send(peer, id));
            peer.data(id - 1, whole(0, true), LENGTH, bytes(LENGTH));
          }
        };
    assertThat(read(ANSWERS, LONG).bytes()).isEqualTo(LENGTH);
    Objects.requireNonNull(question.get()).run();
    behaviour = (peer, id, request) -> peer.data(id, whole(0, true), LENGTH, bytes(LENGTH));
    assertThat(read(LONG, LONG).bytes()).isEqualTo(LENGTH);
    assertThat(signs.alive).hasValue(0);
  }

  private static void send(ScriptedServer.Peer peer, long id) {
    try {
      peer.send(id, new Ok());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDeadlineEndsItHoweverAliveTheNodeIs() {
    behaviour = (peer, id, request) -> {};
    failsWith(ErrorCode.DEADLINE, () -> read(ANSWERS, Duration.ofSeconds(5)))
        .isNotInstanceOf(SilentPeerException.class);
    assertThat(signs.alive.get()).isPositive();
    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void anInterruptionEndsItAtOnce() throws Exception {
    behaviour = (peer, id, request) -> {};
    var outcome = new CompletableFuture<Throwable>();
    var reader =
        new Thread(
            () -> {
              try {
                read(LONG, LONG);
              } catch (EleyException e) {
                outcome.complete(e);
              }
            });
    reader.start();
    await().until(() -> server.requests().size() == 1);
    reader.interrupt();
    failsWith(
        ErrorCode.INTERRUPTED,
        () -> {
          throw outcome.get();
        });
    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void closingItEndsWhoReads() throws Exception {
    behaviour = (peer, id, request) -> {};
    var outcome = CompletableFuture.supplyAsync(this::failure);
    await().until(() -> server.requests().size() == 1);
    connection.close();
    assertThat(outcome.get()).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  /** Not only while he waits for the socket: between two pieces of a payload, too. */
  @Test
  void closingItEndsWhoIsBusyWithWhatHasCome() {
    behaviour = (peer, id, request) -> peer.data(id, whole(0, true), LENGTH, bytes(400));
    ArrivalListener closing =
        new ArrivalListener() {
          @Override
          public void expect(List<Integer> checksums) {
            connection.close();
          }

          @Override
          public void arrived(int bytes) {}
        };
    failsWith(
        ErrorCode.UNAVAILABLE,
        () -> connection.read(READ, target, closing, new LiveWait(LONG, LONG, signs)));
  }

  private ErrorCode failure() {
    try {
      read(LONG, LONG);
      throw new AssertionError("nobody has answered");
    } catch (EleyException e) {
      return e.code();
    }
  }

  @Test
  void aNodeThatHadHungUpBeforeIsToldFromOneThatHangsUpWithin() throws Exception {
    behaviour = (peer, id, request) -> peer.hangUp();
    assertThatThrownBy(() -> read(LONG, LONG)).isInstanceOf(EndedUnnoticedException.class);
    close();
    behaviour =
        (peer, id, request) -> {
          peer.data(id, whole(0, true), LENGTH, bytes(400));
          peer.hangUp();
        };
    connect();
    failsWith(ErrorCode.UNAVAILABLE, () -> read(LONG, LONG))
        .isNotInstanceOf(EndedUnnoticedException.class);
  }

  @Test
  void readsThatWereBegunLeaveTogetherAndAreAnsweredInAnyOrder() throws Exception {
    var asked = new ArrayList<Long>();
    behaviour =
        (peer, id, request) -> {
          asked.add(id);
          if (asked.size() == 3) {
            for (int i : new int[] {2, 0, 1}) {
              peer.data(asked.get(i), whole(0, true), LENGTH, filled(i));
            }
          }
        };
    List<ByteBuffer> targets = new ArrayList<>();
    List<Pending.Read> reads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      targets.add(ByteBuffer.allocate(LENGTH));
      reads.add(connection.begin(READ, targets.get(i), ArrivalListener.UNNOTICED));
    }
    assertThat(server.requests()).as("nobody waits yet").isEmpty();
    for (int i = 0; i < 3; i++) {
      assertThat(finish(reads.get(i)).bytes()).isEqualTo(LENGTH);
      assertThat(targets.get(i).array()).isEqualTo(filled(i));
      assertThat(connection.answersAreDue()).as("the last came first").isEqualTo(i == 0);
    }
    assertThat(connection.isOpen()).isTrue();
  }

  private BlockReply finish(Pending.Read read) throws EleyException {
    return connection.finish(read, new LiveWait(LONG, LONG, signs));
  }

  private static byte[] filled(int value) {
    var bytes = new byte[LENGTH];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  @Test
  void readsThatWereBegunLeaveBeforeAnybodyWaits() throws Exception {
    connection.begin(READ, target, ArrivalListener.UNNOTICED);
    var read = connection.begin(READ, ByteBuffer.allocate(LENGTH), ArrivalListener.UNNOTICED);
    connection.leave(LONG);
    await().until(() -> server.requests().size() == 2);
    connection.leave(LONG);
    assertThat(finish(read).bytes()).isEqualTo(LENGTH);
    assertThat(server.requests()).as("each once").hasSize(2);
  }

  @Test
  void whatCannotLeaveIsAsIfItHadEndedBefore() {
    var read = connection.begin(READ, target, ArrivalListener.UNNOTICED);
    connection.close();
    connection.leave(LONG);
    assertThatThrownBy(() -> finish(read)).isInstanceOf(EndedUnnoticedException.class);
  }

  @Test
  void aReadThatIsRefusedLeavesTheOthers() throws Exception {
    behaviour =
        (peer, id, request) -> {
          if (server.requests().size() == 1) {
            peer.send(id, new Failure(ErrorCode.NO_SPACE, "no"));
          } else {
            peer.data(id, whole(0, true), LENGTH, bytes(LENGTH));
          }
        };
    var refused = connection.begin(READ, ByteBuffer.allocate(LENGTH), ArrivalListener.UNNOTICED);
    var other = connection.begin(READ, target, ArrivalListener.UNNOTICED);
    failsWith(ErrorCode.NO_SPACE, () -> finish(refused));
    assertThat(finish(other).bytes()).isEqualTo(LENGTH);
    assertThat(target.array()).isEqualTo(bytes(LENGTH));
  }

  @Test
  void aReadThatEndsWithoutAnAnswerEndsThoseThatHaveNone() throws Exception {
    behaviour =
        (peer, id, request) -> {
          switch (server.requests().size()) {
            case 1 -> peer.data(id, whole(0, false), 400, bytes(400));
            case 3 -> peer.data(id, whole(0, true), LENGTH, bytes(LENGTH));
            default -> {}
          }
          if (server.requests().size() == 3) {
            peer.hangUp();
          }
        };
    var begun = connection.begin(READ, ByteBuffer.allocate(LENGTH), ArrivalListener.UNNOTICED);
    var untouched = connection.begin(READ, ByteBuffer.allocate(LENGTH), ArrivalListener.UNNOTICED);
    var whole = connection.begin(READ, target, ArrivalListener.UNNOTICED);
    assertThatThrownBy(() -> finish(untouched))
        .as("others have come before it")
        .isNotInstanceOf(EndedUnnoticedException.class);
    failsWith(ErrorCode.UNAVAILABLE, () -> finish(begun))
        .as("a part of it has come")
        .isNotInstanceOf(EndedUnnoticedException.class);
    assertThat(finish(whole).bytes()).as("it has come").isEqualTo(LENGTH);
    assertThat(connection.isOpen()).isFalse();
    var late = connection.begin(READ, target, ArrivalListener.UNNOTICED);
    assertThatThrownBy(() -> finish(late)).isInstanceOf(EndedUnnoticedException.class);
  }

  @Test
  void anAnswerToSomethingElseIsARefusal() {
    behaviour = (peer, id, request) -> peer.data(id, whole(5, true), 10, bytes(10));
    failsWith(ErrorCode.MALFORMED, () -> read(LONG, LONG));
    assertThat(connection.isOpen()).isFalse();
  }
}
