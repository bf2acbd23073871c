package io.eley.bb.api.client;

import static io.eley.bb.api.client.FakeDeployment.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.MapOutput;
import io.eley.bb.api.NetworkProtection;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Placement;
import io.eley.bb.api.StayCause;
import io.eley.bb.api.client.ScratchOutputs.Introduction;
import io.eley.bb.api.client.ScratchOutputs.Placed;
import io.eley.bb.api.client.ScratchOutputs.Source;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PingMessage;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.ScratchMessage;
import io.eley.bb.api.wire.ScratchMessage.AbandonScratch;
import io.eley.bb.api.wire.ScratchMessage.CommitScratch;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.api.wire.ScratchMessage.OpenScratch;
import io.eley.bb.api.wire.ScratchMessage.ReserveScratch;
import io.eley.bb.api.wire.ScratchMessage.ScratchOpened;
import io.eley.bb.api.wire.ScratchMessage.ScratchReserved;
import io.eley.bb.api.wire.ScratchMessage.WriteScratch;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which node an output goes to when nodes are slow or silent. */
@Timeout(60)
class ScratchOutputsTest {
  private static final OpenScratch APPLICATION = new OpenScratch("app-1", Map.of(), "");

  /** As many pieces as a node that many write to lets one of them have under way. */
  private static final int GRANTED = 2;

  /** Half of the time in which a thread that writes must have had its turn. */
  private static final Duration SHORT = Duration.ofMillis(150);

  /** Longer than a busy machine makes the quick node silent for. */
  private static final Duration BRIEF = Duration.ofSeconds(2);

  private static final Duration LONG = Duration.ofSeconds(20);

  /** More than four times the short silence, and much less than the long one. */
  private static final long BUSY_MILLIS = 700;

  private static final int WRITERS = 8;

  /** What so many writers have under way at once is much more than two ends of a socket keep. */
  private static final long LARGE = 8 << 20;

  private FakeDeployment deployment;
  private ScriptedServer slow;
  private ScriptedServer quick;
  private NodeAddress[] nodes;
  private MapOutput output;
  private List<Source> files;
  private volatile ScriptedServer.Script behaviour = ScratchOutputsTest::take;

  @BeforeEach
  void start(@TempDir Path temp) throws Exception {
    deployment = new FakeDeployment(temp);
    slow = deployment.node((peer, id, request) -> behaviour.on(peer, id, request));
    quick = deployment.node(ScratchOutputsTest::take);
    nodes = new NodeAddress[] {at("slow", slow), at("quick", quick)};
    deployment.view(BufferMode.FULL_DELAY, nodes);
    output = firstOn("slow", nodes);
    files = List.of(new Source("data", Files.createFile(temp.resolve("data"))));
  }

  @AfterEach
  void stop() throws IOException {
    deployment.close();
  }

  /** An output that rendezvous gives to that node. */
  private static MapOutput firstOn(String node, NodeAddress... nodes) {
    var view = viewOf(nodes);
    for (int map = 0; ; map++) {
      var output = new MapOutput("app-1", 0, map);
      if (Placement.rank(view, output.toString()).get(0).id().equals(new NodeId(node))) {
        return output;
      }
    }
  }

  private static ClusterView viewOf(NodeAddress... nodes) {
    return new ClusterView(
        2,
        new BlockGeometry(FakeDeployment.BLOCK, FakeDeployment.CHUNK),
        BufferMode.FULL_DELAY,
        List.of(nodes));
  }

  private static void take(ScriptedServer.Peer peer, long id, Message request) throws IOException {
    if (request instanceof OpenScratch) {
      peer.send(id, new ScratchOpened("eley-1", 7337, "/ram"));
    } else if (request instanceof ReserveScratch) {
      peer.send(id, new ScratchReserved(1, "/ram/incoming/7.given", 8));
    } else {
      peer.send(id, new Ok());
    }
  }

  /** A node whose host has no processor for it: neither answers nor signs of life for a while. */
  private static void takeLate(ScriptedServer.Peer peer, long id, Message request) {
    if (!(request instanceof PingMessage)) {
      CompletableFuture.delayedExecutor(
              request instanceof OpenScratch ? BUSY_MILLIS : 0, TimeUnit.MILLISECONDS)
          .execute(() -> takeUnchecked(peer, id, request));
    }
  }

  private static void takeUnchecked(ScriptedServer.Peer peer, long id, Message request) {
    try {
      take(peer, id, request);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ScratchOutputs outputs(EleyClient client, Duration silence) {
    return new ScratchOutputs(client, silence, APPLICATION);
  }

  /** It knows the nodes already: a busy machine makes the coordinator, too, silent for so long. */
  private EleyClient impatient() throws EleyException {
    var client =
        deployment.client(
            Map.of("eley.client.silence", SHORT.toMillis() + "ms", "eley.client.connections", "1"));
    await().until(() -> client.view().isPresent());
    return client;
  }

  private static String node(Placed placed) {
    assertThat(placed.places()).hasSize(1);
    assertThat(placed.stays()).isEmpty();
    return placed.places().get(0).node().id().toString();
  }

  @Test
  void whatANodeOfThisMachineDoesNotTakeIsTakenBack(@TempDir Path ram) throws Exception {
    Path data = Files.write(ram.resolve("data"), new byte[7]);
    var seen = new CopyOnWriteArrayList<Path>();
    String given = ram.resolve("7.given").toString();
    behaviour =
        (peer, id, request) -> {
          if (request instanceof ReserveScratch) {
            peer.send(id, new ScratchReserved(1, given, 8));
          } else if (request instanceof CommitScratch) {
            try (var there = Files.list(ram)) {
              there.forEach(seen::add);
            }
            peer.send(id, new Failure(ErrorCode.ACCESS_DENIED, "another user's"));
          } else {
            take(peer, id, request);
          }
        };
    NodeAddress at = at("slow", slow);
    String machine = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    deployment.view(BufferMode.FULL_DELAY, new NodeAddress(at.id(), at.host(), at.port(), machine));

    var placed =
        outputs(deployment.client(Map.of("eley.client.local", "true")), LONG)
            .put(output, List.of(new Source("data", data)), 1, place -> {});

    assertThat(placed).isEqualTo(staying(StayCause.NO_ANSWER));
    assertThat(seen).containsExactlyInAnyOrder(data, Path.of(given + ".0"));
    assertThat(ram).isDirectoryNotContaining(file -> !file.equals(data));
    await()
        .untilAsserted(
            () -> assertThat(slow.requests()).hasAtLeastOneElementOfType(AbandonScratch.class));
  }

  @Test
  void roomThatComesWhenNobodyWaitsForItIsGivenBack() throws Exception {
    var late = new CompletableFuture<Void>();
    behaviour =
        (peer, id, request) -> {
          if (request instanceof ReserveScratch) {
            var unused = late.thenRun(() -> takeUnchecked(peer, id, request));
          } else {
            take(peer, id, request);
          }
        };
    var outputs = outputs(deployment.client(Map.of("eley.client.connections", "1")), LONG);
    var error = new CompletableFuture<Throwable>();
    var task =
        new Thread(
            () -> {
              try {
                outputs.put(output, files, 1, place -> {});
              } catch (Exception e) {
                error.complete(e);
              }
            });
    task.start();
    // Who is interrupted while it still writes would close the connection.
    await()
        .until(() -> slow.requests().size() == 2 && task.getState() == Thread.State.TIMED_WAITING);
    task.interrupt();
    assertThat(error.get(20, TimeUnit.SECONDS))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
    assertThat(slow.requests()).hasSize(2);
    late.complete(null);
    await().untilAsserted(() -> assertThat(slow.requests()).hasSize(3));
    assertThat(slow.requests().get(2)).isEqualTo(new AbandonScratch(1));
  }

  /** Spark interrupts the loser of a speculation; others write over the same connection. */
  @Test
  void whoIsInterruptedLeavesOtherTasksTheirConnection() throws Exception {
    var reserved = new AtomicLong();
    var goOn = new CompletableFuture<Void>();
    behaviour =
        (peer, id, request) -> {
          if (request instanceof ReserveScratch) {
            peer.send(
                id, new ScratchReserved(reserved.incrementAndGet(), "/ram/incoming/7.given", 8));
          } else if (request instanceof CommitScratch) {
            var unused = goOn.thenRun(() -> takeUnchecked(peer, id, request));
          } else {
            take(peer, id, request);
          }
        };
    var outputs = outputs(deployment.client(Map.of("eley.client.connections", "1")), LONG);
    var loser = new Writer(outputs);
    awaitCommit(loser, 1);
    var other = new Writer(outputs);
    awaitCommit(other, 2);

    loser.thread.interrupt();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> loser.put.get(20, TimeUnit.SECONDS))
        .havingCause()
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
    assertThat(loser.stillInterrupted.get(20, TimeUnit.SECONDS)).isTrue();
    await().until(() -> slow.requests().contains(new AbandonScratch(1)));
    goOn.complete(null);

    assertThat(node(other.put.get(20, TimeUnit.SECONDS))).isEqualTo("slow");
    assertThat(slow.connections()).isEqualTo(1);
    assertThat(quick.requests()).isEmpty();
  }

  /** A task that writes the output. */
  private final class Writer {
    final FutureTask<Placed> put;
    final CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
    final Thread thread;

    Writer(ScratchOutputs outputs) {
      put = new FutureTask<>(() -> outputs.put(output, files, 1, place -> {}));
      thread =
          new Thread(
              () -> {
                put.run();
                stillInterrupted.complete(Thread.currentThread().isInterrupted());
              });
      thread.start();
    }
  }

  /** Until so many ask to commit and this one waits for the answer. */
  private void awaitCommit(Writer writer, long commits) {
    await()
        .until(
            () ->
                slow.requests().stream().filter(CommitScratch.class::isInstance).count() == commits
                    && writer.thread.getState() == Thread.State.TIMED_WAITING);
  }

  private static Placed staying(StayCause why) {
    return new Placed(List.of(), Optional.of(why));
  }

  /** What both nodes say to an output, one after the other, and why it stays then. */
  @ParameterizedTest
  @CsvSource({
    "NO_SPACE, NO_SPACE, NO_ROOM",
    "NO_SPACE, UNAVAILABLE, NO_ANSWER",
    "UNAVAILABLE, NO_SPACE, NO_ANSWER",
    "UNAVAILABLE, UNAVAILABLE, NO_ANSWER",
    "NO_SPACE, ENDED,",
    "ENDED, NO_SPACE,",
  })
  void anOutputThatStaysSaysWhy(ErrorCode first, ErrorCode second, @Nullable StayCause why)
      throws Exception {
    ErrorCode[] codes = {first, second};
    var asked = new AtomicInteger();
    ScriptedServer.Script refuse =
        (peer, id, request) -> {
          if (request instanceof ReserveScratch) {
            peer.send(id, new Failure(codes[asked.getAndIncrement()], "no"));
          } else {
            take(peer, id, request);
          }
        };
    behaviour = refuse;
    var other = deployment.node(refuse);
    deployment.view(BufferMode.FULL_DELAY, nodes[0], at("other", other));
    assertThat(outputs(deployment.client(Map.of()), LONG).put(output, files, 1, place -> {}))
        .isEqualTo(new Placed(List.of(), Optional.ofNullable(why)));
    assertThat(asked).hasValue(first == ErrorCode.ENDED ? 1 : 2);
  }

  @Test
  void anOutputStaysWhereNoNodeIsKnownOrNoServiceAnswers() throws Exception {
    Introduction deaf =
        place -> {
          throw new IOException("no answer");
        };
    assertThat(outputs(deployment.client(Map.of()), LONG).put(output, files, 1, deaf))
        .isEqualTo(staying(StayCause.NO_ANSWER));
    deployment.view(BufferMode.FULL_DELAY);
    assertThat(outputs(deployment.client(Map.of()), LONG).put(output, files, 1, place -> {}))
        .isEqualTo(staying(StayCause.NO_NODE));
  }

  @Test
  void aWriterHasNoMorePiecesUnderWayThanItsNodeGrants() throws Exception {
    var underWay = new AtomicLong();
    var most = new AtomicLong();
    behaviour =
        (peer, id, request) -> {
          if (request instanceof ReserveScratch) {
            peer.send(id, new ScratchReserved(1, "/ram/incoming/7.given", GRANTED));
          } else if (request instanceof WriteScratch) {
            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS)
                .execute(
                    () -> {
                      underWay.decrementAndGet(); // before the answer, which brings another one
                      takeUnchecked(peer, id, request);
                    });
          } else {
            take(peer, id, request);
          }
        };
    Path data = deployment.directory.resolve("pieces");
    try (var file = new RandomAccessFile(data.toFile(), "rw")) {
      file.setLength(LARGE);
    }
    var outputs =
        outputs(
            deployment.client(FakeDeployment.usualPatience(Map.of("eley.client.connections", "1"))),
            LONG);
    var places = outputs.put(output, List.of(new Source("data", data)), 1, place -> {});
    assertThat(node(places)).isEqualTo("slow");
    assertThat(slow.requests())
        .filteredOn(WriteScratch.class::isInstance)
        .hasSize((int) (LARGE / ScratchMessage.PIECE_MAX));
    assertThat(most).hasValue(GRANTED);
  }

  @Test
  void theServiceOfANodeThatIsFullIsNotAskedForAgain() throws Exception {
    behaviour =
        (peer, id, request) -> {
          if (request instanceof ReserveScratch) {
            peer.send(id, new Failure(ErrorCode.NO_SPACE, "no room"));
          } else {
            take(peer, id, request);
          }
        };
    var outputs = outputs(deployment.client(Map.of("eley.client.connections", "1")), LONG);
    for (int i = 0; i < 3; i++) {
      assertThat(node(outputs.put(output, files, 1, place -> {}))).isEqualTo("quick");
    }
    assertThat(slow.requests()).filteredOn(ReserveScratch.class::isInstance).hasSize(3);
    assertThat(slow.requests()).filteredOn(OpenScratch.class::isInstance).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void theSecretLeavesAHostEncryptedOrNotAtAll(NetworkProtection protection) throws Exception {
    slow.with(protection);
    quick.with(protection);
    var secret = new OpenScratch("app-1", Map.of(), "word");
    var away = new ScratchOutputs(deployment.client(Map.of()), LONG, secret, connection -> false);
    away.openAll();
    if (protection == NetworkProtection.ENCRYPT) {
      assertThat(node(away.put(output, files, 1, place -> {}))).isEqualTo("slow");
      assertThat(slow.requests()).contains(secret);
      return;
    }
    assertThatExceptionOfType(EleyException.class)
        .isThrownBy(() -> away.put(output, files, 1, place -> {}))
        .withMessageContaining("would cross the network in the clear")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
    assertThat(slow.requests()).isEmpty();
    assertThat(quick.requests()).isEmpty();

    var here = new ScratchOutputs(deployment.client(Map.of()), LONG, secret);
    assertThat(node(here.put(output, files, 1, place -> {}))).as("in a host").isEqualTo("slow");
    var open =
        new ScratchOutputs(deployment.client(Map.of()), LONG, APPLICATION, connection -> false);
    assertThat(node(open.put(output, files, 1, place -> {}))).as("no secret").isEqualTo("slow");
  }

  @Test
  void oneNodeThatMayHaveTheSecretIsEnough() throws Exception {
    slow.with(NetworkProtection.AUTHENTICATE);
    quick.with(NetworkProtection.ENCRYPT);
    var secret = new OpenScratch("app-1", Map.of(), "word");
    var away = new ScratchOutputs(deployment.client(Map.of()), LONG, secret, connection -> false);
    assertThat(node(away.put(output, files, 2, place -> {}))).isEqualTo("quick");
    assertThat(slow.requests()).isEmpty();
  }

  @Test
  void aNodeThatIsOnlyBusyTakesItsOutput() throws Exception {
    slow.setDeaf(true);
    behaviour = ScratchOutputsTest::takeLate;
    var placed = outputs(impatient(), LONG).put(output, files, 1, place -> {});
    assertThat(node(placed)).isEqualTo("slow");
    assertThat(slow.requests()).hasAtLeastOneElementOfType(CommitScratch.class);
    assertThat(quick.requests()).isEmpty();
  }

  @Test
  void aNodeThatIsSilentForLongerIsPassed() throws Exception {
    slow.setDeaf(true);
    behaviour = (peer, id, request) -> {};
    var client = impatient();
    assertThat(node(outputs(client, BRIEF).put(output, files, 1, place -> {}))).isEqualTo("quick");
    assertThat(client.counters().retries()).isEqualTo(1);
  }

  /** What a reader could not wait for may still be the only place there is. */
  @Test
  void whoWasPassedComesLastAndIsAskedAllTheSame() throws Exception {
    slow.setDeaf(true);
    behaviour = (peer, id, request) -> {};
    var client = impatient();
    assertThat(node(outputs(client, BRIEF).put(output, files, 1, place -> {}))).isEqualTo("quick");
    slow.setDeaf(false);
    behaviour = ScratchOutputsTest::take;
    quick.close();
    await()
        .until(() -> !outputs(client, LONG).put(output, files, 1, place -> {}).places().isEmpty());
    assertThat(slow.requests()).hasAtLeastOneElementOfType(CommitScratch.class);
  }

  @Test
  void aNodeThatTakesNoMoreBytesIsPassedAndKeepsNoReadFromTheOrigin() throws Exception {
    var released = new CountDownLatch(1);
    var reserving = new CopyOnWriteArrayList<Long>();
    behaviour =
        (peer, id, request) -> {
          if (request instanceof WriteScratch) {
            awaitUninterruptibly(released);
          } else if (request instanceof ReserveScratch) {
            reserving.add(id);
            for (int i = 0; reserving.size() == WRITERS && i < WRITERS; i++) {
              take(peer, reserving.get(i), request); // so that all write at the same time
            }
          } else {
            take(peer, id, request);
          }
        };
    Path large = deployment.directory.resolve("large");
    try (var file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(LARGE);
    }
    byte[] content = {1, 2, 3};
    String path = "/" + nameOn("slow");
    Files.write(deployment.origin.resolve(path.substring(1)), content);
    var client =
        deployment.client(
            FakeDeployment.usualPatience(
                Map.of(
                    ClientKeys.CONNECTIONS.name(), "1", ClientKeys.CONNECT_TIMEOUT.name(), "20s")));
    await().until(() -> client.view().isPresent());
    var all = List.of(new Source("data", large));
    var outputs = outputs(client, Duration.ofSeconds(3));
    var puts = new ArrayList<FutureTask<Placed>>();
    var writers = new ArrayList<Thread>();
    for (int i = 0; i < WRITERS; i++) {
      var put = new FutureTask<>(() -> outputs.put(output, all, 1, place -> {}));
      puts.add(put);
      writers.add(new Thread(put));
    }
    writers.forEach(Thread::start);
    try (var lag = new Lag();
        var file = client.openFile(path)) {
      OutboxTest.awaitBlocked(writers);
      var watch = lag.start();
      var target = ByteBuffer.allocate(content.length);
      file.readFully(0, target);
      assertThat(watch.nanos()).isLessThan(TimeUnit.SECONDS.toNanos(1));
      assertThat(target.array()).isEqualTo(content);
      assertThat(client.counters().fallbacks()).isEqualTo(1);
      for (var put : puts) {
        assertThat(node(put.get(30, TimeUnit.SECONDS))).isEqualTo("quick");
      }
    } finally {
      released.countDown();
    }
    assertThat(quick.requests())
        .filteredOn(WriteScratch.class::isInstance)
        .hasSize((int) (WRITERS * LARGE / ScratchMessage.PIECE_MAX));
    assertThat(slow.connections()).as("the writers' and the reader's").isEqualTo(2);
    assertThat(client.suspects(nodes[0])).isTrue();
  }

  /** A file whose first block rendezvous gives to that node. */
  private String nameOn(String node) {
    for (int i = 0; ; i++) {
      String name = "f" + i;
      if (Placement.rank(viewOf(nodes), "/" + name).get(0).id().equals(new NodeId(node))) {
        return name;
      }
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Spark forgets a shuffle once, and some twenty of them together. */
  @Test
  void aNodeThatCouldNotBeReachedHearsOfEachDropOnceItCan() throws Exception {
    slow.as(Identity.COORDINATOR); // so that nobody shakes its hand
    var client = deployment.client(Map.of());
    var outputs = outputs(client, LONG);
    outputs.drop(1);
    outputs.drop(2);
    assertThat(slow.requests()).isEmpty();
    assertThat(quick.requests()).containsExactly(dropping(1), dropping(2));
    assertThat(client.suspects(nodes[0])).isTrue();

    slow.as(Identity.node(nodes[0].id()));
    await().untilAsserted(() -> assertThat(slow.requests()).hasSize(2));
    await().until(() -> !client.suspects(nodes[0]));
    outputs.drop(3);
    outputs.drop(4);
    assertThat(slow.requests())
        .as("each once, and the later ones at once")
        .containsExactly(dropping(1), dropping(2), dropping(3), dropping(4));
    assertThat(quick.requests()).hasSize(4);
  }

  /**
   * The coordinator takes a node that stands still out of the view, and in again with its outputs.
   */
  @Test
  void aNodeThatHasLeftTheViewHearsOfEachDropOnceItIsBack() throws Exception {
    slow.as(Identity.COORDINATOR); // so that nobody shakes its hand
    var client = deployment.client(Map.of());
    var outputs = outputs(client, LONG);
    outputs.drop(1);
    deployment.view(BufferMode.FULL_DELAY, nodes[1]);
    await().until(() -> client.nodes().equals(List.of(nodes[1])));
    outputs.drop(2);
    assertThat(quick.requests()).containsExactly(dropping(1), dropping(2));
    slow.as(Identity.node(nodes[0].id()));
    deployment.view(BufferMode.FULL_DELAY, nodes);
    await().untilAsserted(() -> assertThat(slow.requests()).hasSize(2));
    assertThat(slow.requests()).containsExactly(dropping(1), dropping(2));
  }

  /** Executors that have come since know of it, and bring it outputs. */
  @Test
  void aNodeThatHasComeSinceHearsOfTheNextDrop() throws Exception {
    deployment.view(BufferMode.FULL_DELAY, nodes[1]);
    var outputs = outputs(deployment.client(Map.of()), LONG);
    outputs.drop(1);
    deployment.view(BufferMode.FULL_DELAY, nodes);
    outputs.drop(2);
    assertThat(slow.requests()).containsExactly(dropping(2));
    assertThat(quick.requests()).containsExactly(dropping(1), dropping(2));
  }

  /** That its driver has seen it once is enough: what took it out need not be a drop. */
  @Test
  void aNodeThatIsAwayAtTheFirstDropHearsOfItOnceItIsBack() throws Exception {
    var client = deployment.client(Map.of());
    var outputs = outputs(client, LONG);
    outputs.openAll();
    deployment.view(BufferMode.FULL_DELAY, nodes[1]);
    assertThat(client.refreshView(client.patience())).isPresent();
    outputs.drop(1);
    assertThat(slow.requests()).doesNotContain(dropping(1));
    deployment.view(BufferMode.FULL_DELAY, nodes);
    await().untilAsserted(() -> assertThat(slow.requests()).contains(dropping(1)));
  }

  @Test
  void whatANodeHasNotAnsweredItIsToldOnceMoreOverItsNextConnection() throws Exception {
    behaviour = (peer, id, request) -> peer.hangUp();
    outputs(deployment.client(Map.of("eley.client.connections", "1")), LONG).drop(1);
    behaviour = ScratchOutputsTest::take;
    await().untilAsserted(() -> assertThat(slow.requests()).hasSizeGreaterThan(1));
    assertThat(slow.requests()).containsOnly(dropping(1));
    assertThat(quick.requests()).containsExactly(dropping(1));
  }

  /** One without scratch has nothing to drop, and would say so each second. */
  @Test
  void aNodeThatSaysNoHasHeardIt() throws Exception {
    behaviour =
        (peer, id, request) -> peer.send(id, new Failure(ErrorCode.UNAVAILABLE, "no scratch here"));
    var client = deployment.client(Map.of());
    var outputs = outputs(client, LONG);
    outputs.drop(1);
    outputs.drop(2);
    assertThat(slow.requests()).containsExactly(dropping(1), dropping(2));
    assertThat(client.suspects(nodes[0])).isFalse();
  }

  private static DropScratch dropping(int shuffle) {
    return new DropScratch("app-1", shuffle);
  }

  @Test
  void anApplicationThatEndsDoesNotWaitForANodeThatHangs() throws Exception {
    var client = deployment.client(Map.of());
    var outputs = outputs(client, LONG);
    outputs.openAll();
    slow.setDeaf(true);
    behaviour = (peer, id, request) -> {};
    try (var lag = new Lag()) {
      var watch = lag.start();
      outputs.drop(DropScratch.ALL);
      assertThat(watch.nanos()).isLessThan(TimeUnit.SECONDS.toNanos(8));
    }
    assertThat(quick.requests()).contains(dropping(DropScratch.ALL));
    // Its pool knows, unless this thread stood still, and left too little time to know it.
    while (!client.suspects(nodes[0])) {
      outputs.drop(DropScratch.ALL);
    }
  }

  @Test
  void theClientsOwnSilenceCountsWhereItIsLonger() throws Exception {
    slow.setDeaf(true);
    behaviour = ScratchOutputsTest::takeLate;
    var patient = deployment.client(Map.of("eley.client.connections", "1"));
    assertThat(node(outputs(patient, SHORT).put(output, files, 1, place -> {}))).isEqualTo("slow");
  }
}
