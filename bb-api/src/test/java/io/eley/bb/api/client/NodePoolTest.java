package io.eley.bb.api.client;

import static io.eley.bb.api.client.Failures.failsWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NodePoolTest {
  private static final Identity NODE = Identity.node(new NodeId("a"));
  private final EleyException silent = new LiveWait.SilentPeerException("silent");

  /** Of the back-off. */
  private final AtomicLong clock = new AtomicLong();

  @Test
  void connectionsAreUsedInTurnAndOpenedAnewWhenTheyHaveEnded() throws Exception {
    var secret = Secret.random();
    try (var server = new ScriptedServer(secret, (peer, correlation, request) -> {}).as(NODE);
        var pool =
            new NodePool(
                node(server.address().getPort()),
                FakeDeployment.credentials(secret),
                2,
                Duration.ofSeconds(10),
                Duration.ofSeconds(10))) {
      Connection first = connect(pool);
      Connection second = connect(pool);
      assertThat(second).isNotSameAs(first);
      assertThat(connect(pool)).isSameAs(first);
      assertThat(connect(pool)).isSameAs(second);
      first.close();
      assertThat(connect(pool)).isNotSameAs(first);
      assertThat(server.connections()).isEqualTo(3);
    }
  }

  @Test
  void eachReaderHasAConnectionOfHisOwnUntilAllAreLent() throws Exception {
    var secret = Secret.random();
    try (var server = server(secret)) {
      var pool = pool(server, secret, 1);
      SoleConnection first = sole(pool).orElseThrow();
      SoleConnection second = sole(pool).orElseThrow();
      assertThat(List.of(sole(pool), sole(pool))).doesNotContain(Optional.empty());
      assertThat(sole(pool)).as("all are lent").isEmpty();
      assertThat(server.connections()).isEqualTo(4);
      pool.giveBack(first);
      pool.giveBack(second);
      assertThat(sole(pool)).as("the latest first").hasValue(second);
      assertThat(sole(pool)).hasValue(first);
      first.close();
      pool.giveBack(first);
      SoleConnection another = sole(pool).orElseThrow();
      assertThat(another).as("in place of the one that has ended").isNotIn(first, second);
      assertThat(server.connections()).isEqualTo(5);
      pool.close();
      assertThat(second.isOpen()).isFalse();
      assertThat(another.isOpen()).isFalse();
      pool.giveBack(another);
      assertThat(sole(pool)).isEmpty();
    }
  }

  @Test
  void connectionsThatNobodyHasNeededSinceAPeakAreEnded() throws Exception {
    var secret = Secret.random();
    try (var server = server(secret);
        var pool = pool(server, secret, 4)) {
      var peak = new ArrayList<SoleConnection>();
      for (int i = 0; i < 16; i++) {
        peak.add(sole(pool).orElseThrow());
      }
      peak.forEach(pool::giveBack);
      clock.addAndGet(Duration.ofSeconds(10).toNanos() - 1);
      use(pool, 2);
      assertThat(peak).allMatch(SoleConnection::isOpen);
      clock.addAndGet(1);
      use(pool, 1);
      assertThat(peak).filteredOn(SoleConnection::isOpen).hasSize(2);
      assertThat(server.connections()).as("none was dialled for that").isEqualTo(16);
      use(pool, 16);
      assertThat(server.connections()).as("the others' places are free").isEqualTo(16 + 14);
    }
  }

  /** By so many readers at a time. */
  private static void use(NodePool pool, int readers) throws Exception {
    var lent = new ArrayList<SoleConnection>();
    for (int i = 0; i < readers; i++) {
      lent.add(sole(pool).orElseThrow());
    }
    lent.forEach(pool::giveBack);
  }

  @Test
  void aConnectionThatOwesAnAnswerIsNotLentAgain() throws Exception {
    var secret = Secret.random();
    try (var server = server(secret);
        var pool = pool(server, secret, 1)) {
      SoleConnection lent = sole(pool).orElseThrow();
      var block = new BlockId(new FileVersion("/f", 100, 1), 0);
      lent.begin(
          new ReadBlock(block, 1 << 20, 0, 10, ReadCause.DEMAND, false),
          ByteBuffer.allocate(10),
          ArrivalListener.UNNOTICED);
      pool.giveBack(lent);
      assertThat(lent.isOpen()).isFalse();
      assertThat(sole(pool)).isPresent().get().isNotSameAs(lent);
    }
  }

  @Test
  void aNodeThatIsSuspectIsTriedOverSharedConnections() throws Exception {
    var secret = Secret.random();
    try (var server = server(secret);
        var pool = pool(server, secret, 1)) {
      SoleConnection lent = sole(pool).orElseThrow();
      pool.noteOutcome(lent, new EleyException(ErrorCode.NO_SPACE, "no"));
      assertThat(pool.suspect()).as("it has answered").isFalse();
      pool.noteOutcome(lent, silent);
      lent.close();
      pool.giveBack(lent);
      assertThat(pool.suspect()).isTrue();
      assertThat(sole(pool)).isEmpty();
      pool.noteOutcome(lent, new EleyException(ErrorCode.INTERRUPTED, "interrupted"));
      assertThat(pool.suspect()).as("an interruption tells nothing").isTrue();
      pool.noteAnswer();
      assertThat(sole(pool)).isPresent();
    }
  }

  /** Spark kills a task; those that go on would go past the node. */
  @Test
  void whoIsInterruptedWhileItDialsSaysNothingOfTheNode() throws Exception {
    var secret = Secret.random();
    try (var server = server(secret);
        var pool = pool(server, secret, 1)) {
      Thread.currentThread().interrupt();
      failsWith(ErrorCode.INTERRUPTED, () -> sole(pool));
      assertThat(Thread.interrupted()).as("the flag").isTrue();
      assertThat(pool.suspect()).isFalse();
      assertThat(pool.leftAlone()).isFalse();
      assertThat(sole(pool)).isPresent();
    }
  }

  @Test
  void whoIsInterruptedInTheHandshakeSaysNothingOfTheNode() throws Exception {
    var secret = Secret.random();
    try (var dialled = new Dialled(secret);
        var pool = pool(dialled.server, secret, 1)) {
      var connecting = new FutureTask<>(() -> connect(pool));
      var task = new Thread(connecting);
      task.start();
      dialled.begun.acquire();
      task.interrupt();
      failsWith(ErrorCode.INTERRUPTED, () -> result(connecting));
      assertThat(pool.suspect()).isFalse();
      dialled.goOn.countDown();
      assertThat(connect(pool).isOpen()).isTrue();
    }
  }

  private static <T> T result(FutureTask<T> task) throws Throwable {
    try {
      return task.get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  @Test
  void whileAnotherDialsNobodyWaitsForAConnectionOfHisOwn() throws Exception {
    var secret = Secret.random();
    try (var dialled = new Dialled(secret);
        var pool = pool(dialled.server, secret, 2)) {
      var first = CompletableFuture.supplyAsync(() -> connectUnchecked(pool));
      dialled.begun.acquire();
      assertThat(sole(pool)).isEmpty();
      dialled.goOn.countDown();
      assertThat(first.get(30, TimeUnit.SECONDS).isOpen()).isTrue();
    }
  }

  private static Optional<SoleConnection> sole(NodePool pool) throws Exception {
    return pool.sole(
        new Patience(Duration.ofSeconds(10), Duration.ofMillis(300), System::nanoTime));
  }

  @Test
  void aDeadNodeIsLeftAloneForAWhile() throws Exception {
    int port;
    try (var gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = gone.getLocalPort();
    }
    try (var pool =
        new NodePool(
            node(port),
            FakeDeployment.credentials(Secret.random()),
            2,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            new Backoff(() -> 0, () -> 0))) {
      assertThatThrownBy(() -> connect(pool))
          .isInstanceOf(EleyException.class)
          .hasMessageContaining("cannot connect");
      assertThatThrownBy(() -> connect(pool))
          .isInstanceOf(EleyException.class)
          .hasMessageContaining("will try again soon");
    }
  }

  @Test
  void aBackOffDoublesUpToItsBoundAndEndsWithASuccess() {
    var now = new AtomicLong();
    var backoff = new Backoff(now::get, () -> 0);
    long[] pauses = {50, 100, 200, 400, 800, 1600, 2000, 2000};
    for (long pause : pauses) {
      backoff.noteFailure();
      now.addAndGet(pause * 1_000_000 - 1);
      assertThat(backoff.ready()).as("just before %s ms", pause).isFalse();
      now.addAndGet(1);
      assertThat(backoff.ready()).as("after %s ms", pause).isTrue();
    }
    backoff.noteSuccess();
    backoff.noteFailure();
    now.addAndGet(50_000_000);
    assertThat(backoff.ready()).isTrue();
  }

  @Test
  void aClosedPoolOpensNothing() throws Exception {
    var secret = Secret.random();
    try (var server = new ScriptedServer(secret, (peer, correlation, request) -> {}).as(NODE)) {
      var pool =
          new NodePool(
              node(server.address().getPort()),
              FakeDeployment.credentials(secret),
              1,
              Duration.ofSeconds(10),
              Duration.ofSeconds(10));
      Connection connection = connect(pool);
      pool.close();
      assertThat(connection.isOpen()).isFalse();
      assertThatThrownBy(() -> connect(pool)).hasMessageContaining("closed");
      assertThat(server.connections()).as("nobody was dialled for it").isEqualTo(1);
    }
  }

  @Test
  void aNodeThatWasSilentOnceKeepsItsConnectionAndLosesItTheSecondTime() throws Exception {
    var secret = Secret.random();
    try (var server = server(secret);
        var pool = pool(server, secret, 1)) {
      Connection connection = connect(pool);
      assertThat(pool.suspect()).isFalse();
      assertThat(pool.leftAlone()).isFalse();
      pool.noteOutcome(connection, silent);
      pool.noteOutcome(connection, silent); // another reader, of the same silence
      assertThat(pool.suspect()).isTrue();
      assertThat(pool.leftAlone()).isTrue();
      assertThat(connection.isOpen()).isTrue();
      assertThatThrownBy(() -> connect(pool)).hasMessageContaining("will try again soon");
      clock.addAndGet(1_000_000_000L);
      assertThat(pool.leftAlone()).isFalse();
      assertThat(connect(pool)).as("one tries").isSameAs(connection);
      assertThatThrownBy(() -> connect(pool))
          .as("and nobody else meanwhile")
          .hasMessageContaining("will try again soon");
      pool.noteOutcome(connection, silent);
      assertThat(connection.isOpen()).isFalse();
    }
  }

  @Test
  void aNodeThatSaysNoLivesAndAnInterruptOrAnEndedConnectionTellsNothing() throws Exception {
    var secret = Secret.random();
    try (var server = server(secret);
        var pool = pool(server, secret, 1)) {
      Connection connection = connect(pool);
      pool.noteOutcome(connection, silent);
      pool.noteOutcome(connection, new EleyException(ErrorCode.INTERRUPTED, "interrupted"));
      assertThat(pool.suspect()).isTrue();
      pool.noteOutcome(connection, new EleyException(ErrorCode.NO_SPACE, "no"));
      assertThat(pool.suspect()).isFalse();
      assertThat(pool.leftAlone()).isFalse();
      pool.noteOutcome(connection, silent);
      connection.close();
      pool.noteOutcome(connection, new EleyException(ErrorCode.UNAVAILABLE, "it ended"));
      assertThat(pool.suspect()).isTrue();
      pool.noteAnswer();
      assertThat(pool.suspect()).isFalse();
    }
  }

  @Test
  void answersThatComeTooLateAreCountedOverAllConnections() throws Exception {
    var secret = Secret.random();
    var late = new CountDownLatch(1);
    ScriptedServer.Script answersLate =
        (peer, correlation, request) -> {
          pass(late);
          peer.data(correlation, new BlockData(0, true, true, List.of()), 1, new byte[1]);
        };
    try (var server = new ScriptedServer(secret, answersLate).as(NODE);
        var pool = pool(server, secret, 3)) {
      var block = new BlockId(new FileVersion("/f", 1 << 20, 1), 0);
      var read = new ReadBlock(block, 1 << 20, 0, 1, ReadCause.DEMAND, false);
      for (int i = 0; i < 2; i++) {
        Connection connection = connect(pool);
        failsWith(
            ErrorCode.DEADLINE,
            () -> connection.read(read, ByteBuffer.allocate(1), Duration.ofMillis(50)));
      }
      assertThat(pool.lateAnswers()).isZero();
      late.countDown();
      await().until(() -> pool.lateAnswers() == 2);
    }
  }

  @Test
  void whoWaitsWhileAnotherDialsWaitsForNoLongerThanItHasPatience() throws Exception {
    var secret = Secret.random();
    try (var dialled = new Dialled(secret);
        var pool = pool(dialled.server, secret, 2)) {
      var first = CompletableFuture.supplyAsync(() -> connectUnchecked(pool));
      dialled.begun.acquire();
      var impatient = new Patience(Duration.ofMillis(50), Duration.ZERO, System::nanoTime);
      failsWith(ErrorCode.UNAVAILABLE, () -> pool.connection(impatient))
          .hasMessageContaining("is still being dialled");
      dialled.goOn.countDown();
      Connection opened = first.get(30, TimeUnit.SECONDS);
      assertThat(connect(pool)).as("the next in turn").isNotSameAs(opened);
      assertThat(connect(pool)).isSameAs(opened);
    }
  }

  @Test
  void whileOneTriesWhetherTheNodeIsBackTheOthersLearnAtOnceThatItIsNot() throws Exception {
    var secret = Secret.random();
    try (var dialled = new Dialled(secret);
        var pool = pool(dialled.server, secret, 1)) {
      var patience = new Patience(Duration.ofMillis(100), Duration.ZERO, System::nanoTime);
      failsWith(ErrorCode.UNAVAILABLE, () -> pool.connection(patience));
      clock.addAndGet(1_000_000_000L);
      assertThat(pool.leftAlone()).isFalse();
      dialled.begun.acquire();
      var first = CompletableFuture.supplyAsync(() -> connectUnchecked(pool));
      dialled.begun.acquire();
      failsWith(ErrorCode.UNAVAILABLE, () -> connect(pool))
          .hasMessageContaining("will try again soon");
      dialled.goOn.countDown();
      assertThat(first.get(30, TimeUnit.SECONDS).isOpen()).isTrue();
    }
  }

  @Test
  void aNodeThatShakesNoHandCostsNoMoreThanThePatienceAndIsLeftAlone() throws Exception {
    var secret = Secret.random();
    try (var dialled = new Dialled(secret);
        var pool = pool(dialled.server, secret, 2)) {
      var patience = new Patience(Duration.ofMillis(100), Duration.ZERO, System::nanoTime);
      failsWith(ErrorCode.UNAVAILABLE, () -> pool.connection(patience));
      assertThat(dialled.goOn.getCount()).as("still in the handshake").isEqualTo(1);
      assertThat(pool.suspect()).isTrue();
      assertThat(pool.leftAlone()).isTrue();
      dialled.goOn.countDown();
    }
  }

  @Test
  void whoDialsWhileThePoolIsClosedGetsNothingAndLeavesNothingOpen() throws Exception {
    var secret = Secret.random();
    try (var dialled = new Dialled(secret)) {
      var pool = pool(dialled.server, secret, 1);
      var dialling = CompletableFuture.supplyAsync(() -> connectUnchecked(pool));
      dialled.begun.acquire();
      pool.close();
      dialled.goOn.countDown();
      assertThatThrownBy(() -> dialling.get(30, TimeUnit.SECONDS))
          .hasRootCauseMessage("the client is closed");
      await().until(dialled.socket::isClosed); // by the node, which has read to the end
    }
  }

  /** A node that waits in the handshake until it is told to go on. */
  private static final class Dialled implements AutoCloseable {
    /** One for each connection that has got so far. */
    final Semaphore begun = new Semaphore(0);

    final CountDownLatch goOn = new CountDownLatch(1);
    final ScriptedServer server;
    volatile Socket socket = new Socket();

    Dialled(Secret secret) throws IOException {
      server =
          new ScriptedServer(
                  secret,
                  (peer, correlation, request) -> {},
                  accepted -> {
                    socket = accepted;
                    begun.release();
                    pass(goOn);
                    return ScriptedServer.ends(accepted);
                  })
              .as(NODE);
    }

    @Override
    public void close() throws IOException {
      goOn.countDown();
      server.close();
    }
  }

  private static void pass(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Connection connectUnchecked(NodePool pool) {
    try {
      return connect(pool);
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  private static ScriptedServer server(Secret secret) throws IOException {
    return new ScriptedServer(secret, (peer, correlation, request) -> {}).as(NODE);
  }

  private NodePool pool(ScriptedServer server, Secret secret, int size) {
    return new NodePool(
        node(server.address().getPort()),
        FakeDeployment.credentials(secret),
        size,
        Duration.ofSeconds(10),
        Duration.ofSeconds(10),
        new Backoff(clock::get, () -> 0));
  }

  private static NodeAddress node(int port) {
    return new NodeAddress(new NodeId("a"), "127.0.0.1", port, "");
  }

  private static Connection connect(NodePool pool) throws Exception {
    var patience = new Patience(Duration.ofSeconds(10), Duration.ofMillis(300), System::nanoTime);
    return pool.connection(patience);
  }
}
