package io.eley.bb.server.node;

import static io.eley.bb.server.node.NodeFixture.BLOCK;
import static io.eley.bb.server.node.NodeFixture.CHUNK;
import static io.eley.bb.server.node.NodeFixture.read;
import static io.eley.bb.server.node.NodeFixture.readAll;
import static io.eley.bb.server.node.NodeFixture.reading;
import static io.eley.bb.server.node.NodeFixture.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.MountedOrigin;
import io.eley.bb.api.wire.BlockMessage.BlockData;
import io.eley.bb.api.wire.BlockMessage.LocalBlock;
import io.eley.bb.api.wire.BlockMessage.OpenLocal;
import io.eley.bb.api.wire.BlockMessage.ReadBlock;
import io.eley.bb.api.wire.BlockMessage.ReleaseLocal;
import io.eley.bb.api.wire.MetadataMessage.GetView;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.server.net.LeakCheck;
import io.eley.test.fixtures.HangingOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A whole node over real sockets and real files, with a scripted coordinator. */
@ExtendWith(LeakCheck.class)
class NodeServerTest {
  private NodeFixture fixture;

  @BeforeEach
  void begin(@TempDir Path directory) throws IOException {
    fixture = new NodeFixture(directory);
  }

  @AfterEach
  void end() throws Exception {
    fixture.close();
  }

  @Test
  void aNodeIsForsakenWhenItsDirectoryIsReplacedUnderIt() throws Exception {
    var node = fixture.start();
    assertThat(node.forsaken().toCompletableFuture()).isNotDone();
    Path lock = fixture.ramDisk.resolve("a").resolve("lock");
    Files.delete(lock);
    Files.createFile(lock); // of a node that has taken the place
    assertThat(node.forsaken().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(30));
  }

  /** What ends it may remove its directory as soon as it has told it so. */
  @Test
  void aNodeThatTakesItsLeaveIsNotForsaken() throws Exception {
    var dials = new AtomicInteger();
    var thawed = new Semaphore(0);
    NodeOptions options = fixture.options(fixture.ramDisk.resolve("a"));
    NodeOptions.Locator slow =
        () -> {
          if (dials.incrementAndGet() > 1) {
            thawed.acquireUninterruptibly();
          }
          return options.coordinator().locator().locate();
        };
    var node =
        NodeServer.start(
            new NodeOptions(
                options.directory(),
                options.name(),
                options.memoryBytes(),
                options.listening(),
                new NodeOptions.Coordinator(
                    slow, fixture.secret, Duration.ofSeconds(20), Duration.ofSeconds(20)),
                options.fetching()));
    fixture.coordinator.close();
    await().until(() -> dials.get() == 2);
    var closing = new Thread(node::close);
    closing.start();
    try {
      // For its link, up to 5 s.
      await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
      Files.delete(options.directory().resolve("lock"));
      closing.join();
      assertThat(node.forsaken().toCompletableFuture()).isNotDone();
    } finally {
      thawed.release(1_000);
      closing.join();
    }
  }

  @Test
  void whatItDoesNotHaveItFetchesOnceAndServesByteByByteTheSame() throws IOException {
    byte[] bytes = fixture.file("data", 5 * BLOCK + 1234);
    var node = fixture.start();
    fixture.coordinator.open();
    var client = fixture.client(node);

    assertThat(readAll(client, fixture.blocks("data"))).isEqualTo(bytes);
    assertThat(node.counters().hitBytes()).isLessThan(bytes.length);
    assertThat(readAll(client, fixture.blocks("data"))).isEqualTo(bytes);

    assertThat(node.counters().originBytes()).containsEntry(ReadCause.DEMAND, (long) bytes.length);
    assertThat(node.counters().servedBytes()).isEqualTo(2L * bytes.length);
  }

  @Test
  void whatWasOrderedIsAHitInOneFrame() throws IOException {
    byte[] bytes = fixture.file("data", 3 * BLOCK);
    var node = fixture.start();
    fixture.prefetch(fixture.blocks("data"));
    var client = fixture.client(node);

    for (var block : fixture.blocks("data")) {
      assertThat(read(client, whole(block)).frames())
          .containsExactly(new BlockData(0, true, true, List.of()));
    }

    var counters = node.counters();
    assertThat(counters.originBytes().get(ReadCause.PREFETCH)).isEqualTo(bytes.length);
    assertThat(counters.originBytes().getOrDefault(ReadCause.DEMAND, 0L)).isZero();
    assertThat(counters.hitBytes()).isEqualTo(bytes.length);
    assertThat(counters.blocks()).isEqualTo(3);
  }

  @Test
  void anyRangeOfABlockCanBeRead() throws IOException {
    byte[] bytes = fixture.file("data", BLOCK);
    var node = fixture.start();
    fixture.coordinator.open();
    var client = fixture.client(node);
    BlockId block = fixture.blocks("data").get(0);
    int[][] ranges = {{CHUNK + 5, 3 * CHUNK - 5}, {0, 1}, {BLOCK - 1, BLOCK}, {7, CHUNK + 9}};
    for (int[] range : ranges) {
      var request =
          new ReadBlock(block, BLOCK, range[0], range[1] - range[0], ReadCause.DEMAND, false);
      assertThat(read(client, request).bytes())
          .isEqualTo(Arrays.copyOfRange(bytes, range[0], range[1]));
    }
  }

  @Test
  void aReadWaitsWhileThePermitIsClosedAndGoesOnWhenItOpens() throws IOException {
    byte[] bytes = fixture.file("data", BLOCK);
    var node = fixture.start();
    fixture.coordinator.shut();
    var client = fixture.client(node);
    client.send(1, whole(fixture.blocks("data").get(0)));
    await().untilAsserted(() -> assertThat(node.counters().queuedFetches()).isEqualTo(1));
    assertThat(node.counters().originBytes().values()).allMatch(b -> b == 0);

    fixture.coordinator.open();

    var reading = reading(client);
    assertThat(reading.bytes()).isEqualTo(bytes);
    assertThat(reading.frames()).noneMatch(BlockData::arrived);
    assertThat(node.counters().hitBytes()).isZero();
  }

  @Test
  void whenTheLastPermitHasLapsedReadersAreSentOnAndWhatIsHereIsServed() throws IOException {
    byte[] here = fixture.file("here", BLOCK);
    fixture.file("waited-for", 2 * BLOCK);
    var node = fixture.start();
    fixture.prefetch(fixture.blocks("here"));
    // Demand is let go, but so slowly that the read still waits when the permit lapses.
    fixture.coordinator.permit(Permit.Lane.CLOSED, new Permit.Lane(1, 1), Duration.ofMillis(300));
    var client = fixture.client(node);
    long began = System.nanoTime();
    Failure failure = read(client, whole(fixture.blocks("waited-for").get(0))).failed();
    assertThat(System.nanoTime() - began)
        .as("not by the read's deadline of 30 s")
        .isLessThan(10_000_000_000L);
    assertThat(failure.code()).isEqualTo(ErrorCode.DEADLINE);
    assertThat(failure.text()).contains("no permit");

    long fetches = node.counters().queuedFetches();
    assertThat(read(client, whole(fixture.blocks("waited-for").get(1))).failed().code())
        .isEqualTo(ErrorCode.DEADLINE);
    assertThat(node.counters().queuedFetches()).as("nobody will wait for it").isEqualTo(fetches);
    assertThat(read(client, whole(fixture.blocks("here").get(0))).bytes()).isEqualTo(here);
  }

  @Test
  void aHoldThatHasLapsedIsStillAHold() throws IOException {
    byte[] bytes = fixture.file("data", BLOCK);
    var node = fixture.start();
    fixture.coordinator.shut();
    fixture.coordinator.grant(Permit.Lane.CLOSED, Permit.Lane.CLOSED, Duration.ofMillis(50));
    var client = fixture.client(node);
    client.send(1, whole(fixture.blocks("data").get(0)));
    await().until(() -> node.counters().queuedFetches() == 1);
    await().during(Duration.ofMillis(700)).until(() -> node.counters().queuedFetches() == 1);
    fixture.coordinator.open();
    assertThat(reading(client).bytes()).isEqualTo(bytes);
  }

  @Test
  void aHeldReadDoesNotHoldOtherRequestsOfTheSameConnection() throws IOException {
    fixture.file("held", BLOCK);
    byte[] bytes = fixture.file("here", BLOCK);
    var node = fixture.start();
    fixture.prefetch(fixture.blocks("here"));
    fixture.coordinator.shut();
    var client = fixture.client(node);
    client.send(1, whole(fixture.blocks("held").get(0)));

    assertThat(read(client, whole(fixture.blocks("here").get(0))).bytes()).isEqualTo(bytes);
  }

  @Test
  void checksumsComeOnRequest() throws IOException {
    byte[] bytes = fixture.file("data", 2 * CHUNK + 100);
    var node = fixture.start();
    fixture.prefetch(fixture.blocks("data"));
    var client = fixture.client(node);
    var request =
        new ReadBlock(
            fixture.blocks("data").get(0), BLOCK, CHUNK, CHUNK + 100, ReadCause.DEMAND, true);

    var reading = read(client, request);

    assertThat(reading.frames().get(0).checksums())
        .containsExactly(crc(bytes, CHUNK, 2 * CHUNK), crc(bytes, 2 * CHUNK, 2 * CHUNK + 100));
  }

  private static int crc(byte[] bytes, int from, int to) {
    var crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }

  @Test
  void requestsThatMakeNoSenseAreRefusedOneByOne() throws IOException {
    fixture.file("data", BLOCK + 10);
    var node = fixture.start();
    fixture.prefetch(fixture.blocks("data"));
    var client = fixture.client(node);
    BlockId block = fixture.blocks("data").get(0);
    BlockId last = fixture.blocks("data").get(1);
    BlockId past = new BlockId(block.file(), 2);

    assertRefused(
        client, new ReadBlock(block, BLOCK, 0, BLOCK + 1, ReadCause.DEMAND, false), "ends at");
    assertRefused(client, new ReadBlock(last, BLOCK, 5, 6, ReadCause.DEMAND, false), "ends at");
    assertRefused(
        client, new ReadBlock(past, BLOCK, 0, 1, ReadCause.DEMAND, false), "past the end");
    assertRefused(
        client, new ReadBlock(block, BLOCK, 0, 1, ReadCause.DIRECT, false), "cause DIRECT");
    assertRefused(
        client, new ReadBlock(block, BLOCK, 1, CHUNK, ReadCause.DEMAND, true), "whole pages");
    client.send(1, new GetView());
    assertThat(((Failure) client.read().message()).text()).contains("no answer to GET_VIEW");
    assertThat(read(client, whole(last)).failure()).isNull();
  }

  /**
   * A coordinator was started again with another block size, and this node was not: the client's
   * second block is not what is here by that number.
   */
  @Test
  void aBlockIsNotGivenForOneOfAnotherSize() throws IOException {
    fixture.file("data", 2 * BLOCK);
    var node = fixture.start();
    fixture.prefetch(fixture.blocks("data"));
    var client = fixture.client(node);
    BlockId block = fixture.blocks("data").get(1);

    var read = new ReadBlock(block, BLOCK / 2, 0, 1, ReadCause.DEMAND, false);
    assertThat(read(client, read).failed().code()).isEqualTo(ErrorCode.NOT_OWNER);
    client.send(1, new OpenLocal(block, BLOCK / 2));
    assertThat(((Failure) client.read().message()).code()).isEqualTo(ErrorCode.NOT_OWNER);
    assertThat(read(client, whole(block)).failure()).isNull();
  }

  private static void assertRefused(
      io.eley.bb.server.net.BlockingPeer client, ReadBlock request, String text)
      throws IOException {
    Failure failure = read(client, request).failed();
    assertThat(failure.code()).isEqualTo(ErrorCode.MALFORMED);
    assertThat(failure.text()).contains(text);
  }

  @Test
  void aBlockOfAnotherNodeIsNotFetchedButServedWhenItIsHere() throws IOException {
    fixture.file("data", 4 * BLOCK);
    var node = fixture.start();
    var here = fixture.blocks("data");
    fixture.prefetch(here);
    fixture.file("more", 4 * BLOCK);
    fixture.coordinator.pretendNode(new NodeAddress(new NodeId("other"), "127.0.0.1", 1, "m"));
    // Orders are carried out one after the other: behind this one the node knows of the other.
    fixture.file("after", BLOCK);
    fixture.prefetch(fixture.blocks("after"));
    var client = fixture.client(node);

    long refused = 0;
    for (var block : fixture.blocks("more")) {
      var failure = read(client, whole(block)).failure();
      refused += failure != null && failure.code() == ErrorCode.NOT_OWNER ? 1 : 0;
    }
    assertThat(refused).as("every other block is the other node's").isEqualTo(2);
    for (var block : here) {
      assertThat(read(client, whole(block)).failure()).isNull();
    }
  }

  @Test
  void aClientOnTheSameMachineReadsTheFileItself() throws IOException {
    byte[] bytes = fixture.file("data", BLOCK);
    var node = fixture.start();
    fixture.prefetch(fixture.blocks("data"));
    var client = fixture.client(node);

    client.send(1, new OpenLocal(fixture.blocks("data").get(0), BLOCK));
    var local = (LocalBlock) client.read().message();
    byte[] file = Files.readAllBytes(Path.of(local.file()));
    client.send(2, new ReleaseLocal(local.lease(), 1000));

    assertThat(Arrays.copyOf(file, BLOCK)).isEqualTo(bytes);
    assertThat(client.read().message()).isEqualTo(new Ok());
    assertThat(node.counters().servedBytes()).isEqualTo(1000);
    assertThat(node.counters().hitBytes()).isEqualTo(1000);
    client.send(3, new ReleaseLocal(local.lease(), 1000));
    client.read();
    assertThat(node.counters().servedBytes()).as("a lease counts once").isEqualTo(1000);
  }

  @Test
  void whatIsNotCompleteCannotBeReadDirectly() throws IOException {
    fixture.file("data", BLOCK);
    var node = fixture.start();
    var client = fixture.client(node);

    client.send(1, new OpenLocal(fixture.blocks("data").get(0), BLOCK));

    assertThat(((Failure) client.read().message()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void whatADeadClientHasPinnedCanBeEvictedAgain() throws IOException {
    fixture.file("data", 3 * BLOCK);
    fixture.memory = 2L * BLOCK + BLOCK / 2;
    var node = fixture.start();
    var blocks = fixture.blocks("data");
    fixture.prefetch(blocks.subList(0, 2));
    var reader = fixture.client(node);
    var dying = fixture.client(node);
    for (int i = 0; i < 2; i++) {
      dying.send(i + 1, new OpenLocal(blocks.get(i), BLOCK));
      assertThat(dying.read().message()).isInstanceOf(LocalBlock.class);
    }
    assertThat(read(reader, whole(blocks.get(2))).failed().code()).isEqualTo(ErrorCode.NO_SPACE);

    dying.kill();

    await().untilAsserted(() -> assertThat(read(reader, whole(blocks.get(2))).failure()).isNull());
  }

  @Test
  void aRestartKeepsTheNameAndTheInventory() throws IOException {
    byte[] bytes = fixture.file("data", 3 * BLOCK);
    var first = fixture.start();
    fixture.prefetch(fixture.blocks("data"));
    first.close();
    fixture.coordinator.buffered.clear();

    var second = fixture.start();

    assertThat(second.address().id()).isEqualTo(first.address().id());
    await()
        .untilAsserted(
            () ->
                assertThat(fixture.coordinator.buffered)
                    .containsExactlyInAnyOrderElementsOf(unchecked("data")));
    assertThat(readAll(fixture.client(second), fixture.blocks("data"))).isEqualTo(bytes);
    assertThat(second.counters().originBytes().values()).allMatch(b -> b == 0);
  }

  private List<BlockId> unchecked(String name) {
    try {
      return fixture.blocks(name);
    } catch (EleyException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aHungOriginCostsThatReadAndNoOther() throws IOException {
    fixture.file("frozen", BLOCK);
    byte[] bytes = fixture.file("fine", BLOCK);
    fixture.origins = a -> new HangingOrigin(MountedOrigin.open(Path.of(a)), "/frozen");
    fixture.originDeadline = Duration.ofSeconds(3);
    var node = fixture.start();
    fixture.coordinator.open();
    var stuck = fixture.client(node);
    var client = fixture.client(node);
    stuck.send(1, whole(fixture.blocks("frozen").get(0)));
    await().until(() -> node.counters().hungOriginCalls() > 0);

    assertThat(read(client, whole(fixture.blocks("fine").get(0))).bytes()).isEqualTo(bytes);

    assertThat(reading(stuck).failed().code()).isEqualTo(ErrorCode.ORIGIN_HUNG);
    await()
        .until(
            () ->
                fixture.coordinator.changes.stream()
                    .flatMap(c -> c.failed().stream())
                    .anyMatch(f -> f.code() == ErrorCode.ORIGIN_HUNG));
  }

  @Test
  void aFileThatHasChangedIsNeverServedUnderItsOldVersion() throws IOException {
    fixture.file("data", BLOCK);
    FileVersion old = fixture.version("data");
    var node = fixture.start();
    fixture.coordinator.open();
    fixture.file("data", BLOCK + 1);

    var reading = read(fixture.client(node), whole(new BlockId(old, 0)));

    assertThat(reading.failed().code()).isEqualTo(ErrorCode.STALE_VERSION);
    assertThat(reading.bytes()).isEmpty();
  }

  @Test
  void startsBeforeItsCoordinatorAndJoinsWhenItComes() throws Exception {
    var late = fixture.coordinator.address();
    fixture.coordinator.close();
    var starting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return fixture.start();
              } catch (EleyException e) {
                throw new java.util.concurrent.CompletionException(e);
              }
            });
    fixture.coordinator = new FakeCoordinator(fixture.origin, fixture.secret, late.getPort());

    var node = starting.join();

    assertThat(fixture.coordinator.nodes).containsKey(node.address().id());
    fixture.coordinator.open();
  }

  @Test
  void joinsARestartedCoordinatorSomewhereElseAndReportsItsInventory() throws IOException {
    fixture.file("data", 2 * BLOCK);
    var node = fixture.start();
    fixture.prefetch(fixture.blocks("data"));
    fixture.coordinator.close();

    fixture.coordinator = new FakeCoordinator(fixture.origin, fixture.secret);

    await()
        .untilAsserted(
            () ->
                assertThat(fixture.coordinator.buffered)
                    .containsExactlyInAnyOrderElementsOf(unchecked("data")));
    fixture.coordinator.open();
    await().untilAsserted(() -> assertThat(node.counters().permitOpen()).isTrue());
  }

  @Test
  void freedBlocksMakeRoomFirstAndCancelledOnesAreNotFetched() throws IOException {
    fixture.file("data", 3 * BLOCK);
    var node = fixture.start();
    fixture.coordinator.shut();
    fixture.coordinator.fetch(fixture.blocks("data"));
    await().until(() -> node.counters().queuedFetches() == 3);

    fixture.coordinator.free(fixture.blocks("data"));

    await().until(() -> node.counters().queuedFetches() == 0);
    fixture.coordinator.open();
    assertThat(node.counters().originBytes().values()).allMatch(b -> b == 0);
  }

  @Test
  void twoNodesLiveInOneProcess() throws IOException {
    byte[] bytes = fixture.file("data", 4 * BLOCK);
    var nodes = List.of(fixture.start("a"), fixture.start("b"));
    await().until(() -> fixture.coordinator.nodes.size() == 2);
    fixture.coordinator.sessions.values().forEach(s -> s.push(fixture.coordinator.view()));
    fixture.coordinator.open();
    var clients = List.of(fixture.client(nodes.get(0)), fixture.client(nodes.get(1)));
    for (var block : fixture.blocks("data")) {
      byte[] expected =
          Arrays.copyOfRange(bytes, block.index() * BLOCK, (block.index() + 1) * BLOCK);
      var owners =
          IntStream.range(0, 2)
              .filter(n -> owns(nodes.get(n), block))
              .mapToObj(clients::get)
              .toList();
      assertThat(owners).hasSize(1);
      await()
          .untilAsserted(
              () -> assertThat(read(owners.get(0), whole(block)).bytes()).isEqualTo(expected));
    }
  }

  private boolean owns(NodeServer node, BlockId block) {
    return new Ownership(node.address().id(), fixture.coordinator.view().view()).owns(block);
  }

  @Test
  void aDirectoryInUseIsOneClearError() throws IOException {
    fixture.start();

    assertThatThrownBy(() -> fixture.start())
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .hasMessageContaining(fixture.ramDisk.resolve("a").toString());
  }

  @Test
  void tooSmallARamDiskIsOneClearError() {
    fixture.memory = 1L << 60;

    assertThatThrownBy(() -> fixture.start())
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE));
  }

  @Test
  void aMissingOriginIsOneClearErrorAndNothingIsLeftRunning() throws IOException {
    fixture.origins = a -> MountedOrigin.open(Path.of(a, "missing"));

    assertThatThrownBy(() -> fixture.start()).hasMessageContaining("does not exist");

    fixture.origins = a -> MountedOrigin.open(Path.of(a));
    assertThat(fixture.start().address().host()).isEqualTo("127.0.0.1");
  }
}
