package io.eley.bb.api.client;

import static io.eley.bb.api.client.FakeDeployment.BLOCK;
import static io.eley.bb.api.client.FakeDeployment.CHUNK;
import static io.eley.bb.api.client.FakeDeployment.at;
import static io.eley.bb.api.client.FakeDeployment.usualPatience;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.PingMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Peers that hang instead of dying: no read stands still for more than a second, less what the
 * machine kept all threads from running meanwhile.
 */
@Timeout(60)
@Tag("slow")
class HangingPeersTest {
  private static final long SECOND = 1_000_000_000;

  /**
   * So long after a call began nobody tries its peer again: two silences of 0.3 s, and the shortest
   * back-off.
   */
  private static final long LEFT_ALONE = 11 * SECOND / 10;

  /** How often a time of which a stall of one thread is a large part is measured, at most. */
  private static final int ATTEMPTS = 3;

  private static final int LENGTH = 8 * BLOCK;
  private final byte[] content = new byte[LENGTH];
  private final CountDownLatch released = new CountDownLatch(1);
  private final Lag lag = new Lag();
  private FakeDeployment deployment;
  private ScriptedServer node;
  private EleyClient client;
  private volatile ScriptedServer.Script behaviour = this::serve;

  @BeforeEach
  void start(@TempDir Path temp) throws Exception {
    new Random(3).nextBytes(content);
    deployment = new FakeDeployment(temp);
    Files.write(deployment.origin.resolve("f"), content);
    node = deployment.node((peer, id, request) -> behaviour.on(peer, id, request));
    deployment.view(BufferMode.FULL_DELAY, at("n", node));
    client = deployment.client(usualPatience(Map.of("eley.client.connections", "1")));
  }

  @AfterEach
  void stop() throws Exception {
    released.countDown();
    lag.close();
    deployment.close();
  }

  @Test
  void aNodeThatHangsIsAskedOnceAndThenLeftAlone() throws Exception {
    hang((peer, id, request) -> {});
    try (var file = client.openFile("/f")) {
      long began = System.nanoTime();
      assertThat(standstill(file, 0, 100)).isLessThan(SECOND);
      await().until(() -> pings() > 0); // The node may be behind.
      assertThat(reads()).as("reads that the node was sent").hasSize(1);
      assertThat(pings()).isEqualTo(1);
      assertThat(client.counters().retries()).isZero();
      int more = 0;
      while (more < 50) {
        more++;
        long retries = client.counters().retries();
        long took = standstill(file, more * 100, 100);
        if (System.nanoTime() - began >= LEFT_ALONE) {
          break; // This one may have tried again.
        }
        assertThat(took).isLessThan(SECOND / 2);
        assertThat(reads()).as("reads that the node was sent").hasSize(1);
        assertThat(pings()).isEqualTo(1);
        assertThat(client.counters().retries() - retries).isZero();
      }
      assertThat(client.counters().bytes(Source.FALLBACK)).isEqualTo(100 + 100L * more);
    }
  }

  @Test
  void aNodeThatHangsInMidPayloadLeavesNoByteBehind() throws Exception {
    hang(
        (peer, id, request) -> {
          if (request instanceof ReadBlock read) {
            peer.data(id, block(read), read.length(), new byte[read.length() / 2]);
          }
        });
    try (var file = client.openFile("/f")) {
      assertThat(standstill(file, 5, BLOCK - 5)).isLessThan(SECOND);
      assertThat(reads()).hasSize(1);
    }
  }

  @Test
  void aNodeThatTricklesIsANodeThatHangs() throws Exception {
    hang(
        (peer, id, request) -> {
          if (request instanceof ReadBlock read) {
            peer.data(id, block(read), read.length(), new byte[0]);
            for (int i = 0; i < 200 && released.getCount() > 0; i++) {
              peer.raw(new byte[1]);
              java.util.concurrent.locks.LockSupport.parkNanos(SECOND / 100);
            }
          }
        });
    try (var file = client.openFile("/f")) {
      assertThat(standstill(file, 0, BLOCK)).isLessThan(SECOND);
      assertThat(reads()).hasSize(1);
    }
  }

  @Test
  void aNodeThatKeepsAReadBackAndSaysThatItLivesIsWaitedFor() throws Exception {
    var held = new CompletableFuture<Void>();
    behaviour =
        (peer, id, request) -> {
          var unused = held.thenRun(() -> serveIfThere(peer, id, request));
        };
    // Signs of life may be late on a busy machine, and still are signs of life.
    var patient = deployment.client(usualPatience(Map.of("eley.client.silence", "1s")));
    try (var file = patient.openFile("/f")) {
      var read = CompletableFuture.supplyAsync(() -> unchecked(() -> read(file, 7, 1000)));
      CompletableFuture.delayedExecutor(5, java.util.concurrent.TimeUnit.SECONDS)
          .execute(() -> held.complete(null));
      assertThat(read.get()).isEqualTo(bytes(7, 1000));
      assertThat(patient.counters().bytes(Source.REMOTE_RAM)).isEqualTo(1000);
      assertThat(patient.counters().fallbacks()).isZero();
    }
  }

  @Test
  void theNewOwnerInANewerViewIsAskedInsteadOfTheOrigin() throws Exception {
    var heir = deployment.node(this::serve);
    hang((peer, id, request) -> deployment.view(BufferMode.FULL_DELAY, at("heir", heir)));
    // The view is asked for after the first silence, and must be there at the end of the second; so
    // they are long, and what may be lost is enough for the heir, too.
    var patient =
        deployment.client(
            Map.of(
                "eley.client.connections",
                "1",
                "eley.client.connect-timeout",
                "3s",
                "eley.client.silence",
                "1s"));
    try (var file = patient.openFile("/f")) {
      assertThat(standstill(file, 0, 1000)).isLessThan(24 * SECOND / 10);
      assertThat(standstill(file, 1000, 1000)).isLessThan(SECOND / 2);
      assertThat(reads()).hasSize(1);
      assertThat(heir.requests()).hasSize(2);
      assertThat(patient.counters().fallbacks()).isZero();
    }
  }

  @Test
  void aNodeThatGoesOnIsFoundByOneReadAndItsLateAnswerGoesNowhere() throws Exception {
    var late = new AtomicReference<Runnable>(() -> {});
    hang(
        (peer, id, request) -> {
          if (request instanceof ReadBlock) {
            late.set(() -> serveIfThere(peer, id, request));
          }
        });
    try (var file = client.openFile("/f")) {
      assertThat(standstill(file, 0, 100)).isLessThan(SECOND);
      behaviour = this::serve;
      node.setDeaf(false);
      Objects.requireNonNull(late.get()).run();
      await()
          .until(
              () -> {
                assertThat(standstill(file, 200, 100)).isLessThan(SECOND);
                return client.counters().bytes(Source.REMOTE_RAM) > 0;
              });
      assertThat(reads()).as("the one that hung and the one that tried again").hasSize(2);
      assertThat(read(file, 300, 100)).isEqualTo(bytes(300, 100));
      assertThat(reads()).hasSize(3);
      assertThat(node.connections())
          .as("the one that hung, the one of who tried again, and one for who reads now")
          .isEqualTo(3);
    }
  }

  @Test
  void manyReadersOfANodeThatHangsSendItOneReadEachAndNoneLater() throws Exception {
    hang((peer, id, request) -> {});
    try (var file = client.openFile("/f")) {
      var all = new ArrayList<CompletableFuture<Long>>();
      var readers = Executors.newFixedThreadPool(8);
      long began = System.nanoTime();
      for (int i = 0; i < 8; i++) {
        int at = i * CHUNK;
        all.add(
            CompletableFuture.supplyAsync(
                () -> unchecked(() -> standstill(file, at, 50)), readers));
      }
      for (var one : all) {
        assertThat(one.get()).isLessThan(SECOND);
      }
      readers.shutdown();
      read(file, 9, 9);
      boolean alone = System.nanoTime() - began < LEFT_ALONE;
      await().until(() -> pings() > 0); // The node may be behind.
      // By what they ask for: of the eight, too, one may come to the script when all is over.
      int later = (int) reads().stream().filter(read -> read.offset() == 9).count();
      assertThat(later).isBetween(0, alone ? 0 : 1);
      assertThat(reads().size() - later).isBetween(1, 8);
    }
  }

  @Test
  void aNodeThatAcceptsAndNeverSpeaksDelaysOneRead() throws Exception {
    try (var mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertDelaysOneRead(mute.getLocalPort());
    }
  }

  @Test
  void aHostThatDropsPacketsDelaysOneRead() throws Exception {
    var fill = new ArrayList<Socket>();
    try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      // Linux drops the SYN of a connection that the listener's queue has no room for.
      for (int i = 0; i < 4; i++) {
        var socket = new Socket();
        fill.add(socket);
        try {
          socket.connect(full.getLocalSocketAddress(), 100);
        } catch (IOException e) {
          // The queue is full now.
        }
      }
      assertDelaysOneRead(full.getLocalPort());
    } finally {
      for (Socket socket : fill) {
        socket.close();
      }
    }
  }

  /**
   * To dial in vain takes 0.8 s, and a stall of the reader's thread alone may take the rest of the
   * second: then clients that do not know the peer yet read once more.
   */
  private void assertDelaysOneRead(int port) throws Exception {
    deployment.view(BufferMode.FULL_DELAY, nodeAt(port));
    for (int left = ATTEMPTS - 1; ; left--) {
      var stranger = deployment.client(usualPatience(Map.of("eley.client.connections", "1")));
      try (var file = stranger.openFile("/f")) {
        long took = standstill(file, 0, 100);
        if (took >= SECOND && left > 0) {
          continue;
        }
        assertThat(took).isLessThan(SECOND);
        assertThat(standstill(file, 100, 100)).isLessThan(SECOND / 2);
        return;
      }
    }
  }

  @Test
  void aTaskThatIsInterruptedStopsAtOnceAndReadsNothingFurther() throws Exception {
    behaviour = (peer, id, request) -> {};
    try (var file = client.openFile("/f")) {
      var error = new CompletableFuture<Throwable>();
      Thread task = startReading(file, error);
      await().until(() -> !reads().isEmpty());
      var watch = lag.start();
      task.interrupt();
      assertInterrupted(error);
      assertThat(watch.nanos()).isLessThan(SECOND / 2);
      assertThat(client.counters().fallbacks()).isZero();
      behaviour = this::serve;
      assertThat(read(file, 3, 3)).isEqualTo(bytes(3, 3));
      assertThat(node.connections()).as("his, and a new one").isEqualTo(2);
    }
  }

  @Test
  void aTaskThatIsInterruptedBetweenTwoTriesStops() throws Exception {
    behaviour =
        (peer, id, request) ->
            peer.send(
                id,
                new io.eley.bb.api.wire.ReplyMessage.Failure(ErrorCode.UNAVAILABLE, "starting"));
    var patient = deployment.client(Map.of("eley.client.retries", "20"));
    try (var file = patient.openFile("/f")) {
      var error = new CompletableFuture<Throwable>();
      Thread task = startReading(file, error);
      await().until(() -> reads().size() >= 4);
      task.interrupt();
      assertInterrupted(error);
      assertThat(patient.counters().fallbacks()).isZero();
    }
  }

  /** A task that reads; its error is handed over. */
  private Thread startReading(BbFile file, CompletableFuture<Throwable> error) {
    var task =
        new Thread(
            () -> {
              try {
                read(file, 0, 100);
              } catch (Exception e) {
                error.complete(e);
              }
            });
    task.start();
    return task;
  }

  private static void assertInterrupted(CompletableFuture<Throwable> error) throws Exception {
    assertThat(error.get())
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
  }

  @Test
  void aCoordinatorThatHangsStallsOneOpeningAndIsFoundAgain() throws Exception {
    client.openFile("/f").close();
    deployment.coordinator().setDeaf(true);
    deployment.coordinate((peer, id, request) -> {});
    long began = System.nanoTime();
    assertThat(opening()).isLessThan(SECOND);
    assertThat(deployment.asked(GetStatus.class)).as("one answered, one not").isEqualTo(2);
    for (int i = 0; i < 20; i++) {
      long took = opening();
      if (System.nanoTime() - began >= LEFT_ALONE) {
        break; // This one may have tried again.
      }
      assertThat(took).isLessThan(SECOND / 2);
      assertThat(deployment.asked(GetStatus.class)).as("one answered, one not").isEqualTo(2);
    }
    long before = deployment.asked(GetStatus.class);
    deployment.coordinator().setDeaf(false);
    deployment.coordinate(deployment::answer);
    await()
        .until(
            () -> {
              assertThat(opening()).isLessThan(SECOND);
              return deployment.asked(GetStatus.class) == before + 1;
            });
    client.openFile("/f").close();
    assertThat(deployment.asked(GetStatus.class)).isEqualTo(before + 2);
  }

  @Test
  void aCoordinatorThatWaitsForTheOriginIsNotOneThatHangs() throws Exception {
    deployment.coordinate(
        (peer, id, request) ->
            CompletableFuture.delayedExecutor(3, java.util.concurrent.TimeUnit.SECONDS)
                .execute(
                    () ->
                        unchecked(
                            () -> {
                              deployment.answer(peer, id, request);
                              return 0;
                            })));
    var patient = deployment.client(usualPatience(Map.of("eley.client.silence", "1s")));
    patient.stat("/f");
    assertThat(deployment.asked(GetStatus.class)).isEqualTo(1);
    assertThat(patient.coordinator().orElseThrow().connected()).isTrue();
  }

  @Test
  void aCallThatMeetsOnlyPeersThatHangLosesToThemTogetherWhatItMayLoseToOne() throws Exception {
    var nodes = new NodeAddress[4];
    for (int i = 0; i < nodes.length; i++) {
      var silent = deployment.node((peer, id, request) -> {});
      silent.setDeaf(true);
      nodes[i] = at("n" + i, silent);
    }
    deployment.view(BufferMode.FULL_DELAY, nodes);
    try (var file = client.openFile("/f")) {
      client.view();
      deployment.coordinator().setDeaf(true);
      deployment.coordinate((peer, id, request) -> {});
      // 1.1 s for the nodes of its five blocks together, 0.6 s for the question whether the origin
      // may be read.
      assertThat(standstill(file, BLOCK / 2, 4 * BLOCK)).isLessThan(2 * SECOND);
    }
  }

  @Test
  void aCoordinatorThatGoesUnderAQuestionAndHangsAtTheNextTryCostsOnePatience() throws Exception {
    var patient =
        deployment.client(
            Map.of("eley.client.connect-timeout", "3s", "eley.client.silence", "1500ms"));
    patient.openFile("/f").close();
    // Midway between the first silence, after which it is asked whether it lives, and the second,
    // after which it would be given up: so that a busy machine moves it past neither.
    deployment.coordinate(
        (peer, id, request) ->
            CompletableFuture.delayedExecutor(2250, java.util.concurrent.TimeUnit.MILLISECONDS)
                .execute(
                    () ->
                        unchecked(
                            () -> {
                              deployment.coordinator().freeze();
                              peer.hangUp();
                              return 0;
                            })));
    deployment.coordinator().setDeaf(true);
    long began = System.nanoTime();
    var watch = lag.start();
    patient.openFile("/f").close();
    // The patience of 4.5 s. Two silences are 3 s, and the whole time to connect ends at 5.25 s.
    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(4 * SECOND);
    assertThat(watch.nanos()).isLessThanOrEqualTo(51 * SECOND / 10);
  }

  private long opening() throws Exception {
    var watch = lag.start();
    client.openFile("/f").close();
    return watch.nanos();
  }

  /** The node answers nobody any more but by this script. */
  private void hang(ScriptedServer.Script script) {
    node.setDeaf(true);
    behaviour = script;
  }

  private static NodeAddress nodeAt(int port) {
    return new NodeAddress(new NodeId("mute"), "127.0.0.1", port, "");
  }

  /** Nanoseconds that a read took; its bytes are those of the file. */
  private long standstill(BbFile file, int position, int length) throws Exception {
    var watch = lag.start();
    byte[] got = read(file, position, length);
    long took = watch.nanos();
    assertThat(got).isEqualTo(bytes(position, length));
    return took;
  }

  private void serve(ScriptedServer.Peer peer, long id, Message request) throws IOException {
    var read = (ReadBlock) request;
    int from = read.block().index() * BLOCK + read.offset();
    peer.data(id, block(read), read.length(), bytes(from, read.length()));
  }

  /** The reader may have hung up. */
  private void serveIfThere(ScriptedServer.Peer peer, long id, Message request) {
    try {
      serve(peer, id, request);
    } catch (IOException e) {
      // as expected
    }
  }

  private static BlockData block(ReadBlock read) {
    return new BlockData(read.offset(), true, true, List.of());
  }

  private byte[] bytes(int at, int length) {
    return Arrays.copyOfRange(content, at, at + length);
  }

  private List<ReadBlock> reads() {
    return node.requests().stream()
        .filter(ReadBlock.class::isInstance)
        .map(ReadBlock.class::cast)
        .toList();
  }

  private long pings() {
    return node.requests().stream().filter(PingMessage.class::isInstance).count();
  }

  private static byte[] read(BbFile file, int position, int length) throws Exception {
    var target = ByteBuffer.allocate(length);
    file.readFully(position, target);
    return target.array();
  }

  private static <T> T unchecked(java.util.concurrent.Callable<T> call) {
    try {
      return call.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
