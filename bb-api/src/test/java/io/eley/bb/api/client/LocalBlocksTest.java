package io.eley.bb.api.client;

import static io.eley.bb.api.client.Failures.failsWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.BlockMessage.LocalBlock;
import io.eley.bb.api.wire.BlockMessage.OpenLocal;
import io.eley.bb.api.wire.BlockMessage.ReleaseLocal;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Blocks of a node on this machine, whose files a scripted node names. */
@Timeout(60)
class LocalBlocksTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final ClientOptions.Timeouts TIMEOUTS =
      new ClientOptions.Timeouts(PATIENCE, PATIENCE, PATIENCE, PATIENCE, PATIENCE);
  private static final BlockGeometry GEOMETRY = BlockGeometry.DEFAULT;
  private static final FileVersion FILE = new FileVersion("/f", 1 << 20, 1);
  private static final FileVersion OTHER = new FileVersion("/g", 1 << 20, 1);
  private final Secret secret = Secret.random();
  private static final ClientOptions.Local EIGHT = new ClientOptions.Local(true, 8);
  private final AtomicLong clock = new AtomicLong();
  private final LocalBlocks blocks = new LocalBlocks(EIGHT, TIMEOUTS, clock::get);
  private Path directory;
  private ScriptedServer node;
  private NodePool pool;
  private volatile ScriptedServer.Script behaviour = this::lend;

  @BeforeEach
  void start(@TempDir Path temp) throws Exception {
    directory = temp;
    node =
        new ScriptedServer(secret, (peer, id, request) -> behaviour.on(peer, id, request))
            .as(Identity.node(new NodeId("n")));
    pool = pool(machine());
  }

  @AfterEach
  void stop() throws Exception {
    blocks.close();
    pool.close();
    node.close();
  }

  @Test
  void aBlockIsLeasedOnceAndReadFromItsFileFromThenOn() {
    assertThat(read(FILE, 3, 0, 5)).contains("block");
    assertThat(read(FILE, 3, 6, 100)).as("as far as the file goes").contains("3 of /f");
    assertThat(node.requests())
        .containsExactly(new OpenLocal(new BlockId(FILE, 3), GEOMETRY.blockSize()));
  }

  /** After a change of the coordinator's block size the third block begins elsewhere. */
  @Test
  void aLeasedBlockIsNotTakenForThatOfAnotherSize() throws Exception {
    var smaller = new BlockGeometry(1 << 20, 1 << 20);
    var block = new BlockId(FILE, 3);
    var target = ByteBuffer.allocate(5);
    assertThat(read(FILE, 3, 0, 5)).isPresent();
    assertThat(blocks.read(block, smaller, 0, target, at(pool))).isPresent();
    await().until(() -> node.requests().size() >= 3);
    assertThat(node.requests())
        .contains(new OpenLocal(block, GEOMETRY.blockSize()), new OpenLocal(block, 1 << 20))
        .hasAtLeastOneElementOfType(ReleaseLocal.class);
  }

  @Test
  void aNodeOnAnotherMachineIsNotAskedAndNobodyWhenItIsTurnedOff() throws Exception {
    try (var far = pool("elsewhere");
        var unknown = pool("");
        var off = new LocalBlocks(new ClientOptions.Local(false, 8), TIMEOUTS)) {
      var block = new BlockId(FILE, 0);
      assertThat(blocks.read(block, GEOMETRY, 0, ByteBuffer.allocate(1), at(far))).isEmpty();
      assertThat(blocks.read(block, GEOMETRY, 0, ByteBuffer.allocate(1), at(unknown))).isEmpty();
      assertThat(off.read(block, GEOMETRY, 0, ByteBuffer.allocate(1), at(pool))).isEmpty();
      assertThat(off.read(block, GEOMETRY, 0, ByteBuffer.allocate(1), at(unknown))).isEmpty();
    }
    assertThat(node.connections()).isZero();
  }

  @Test
  void aNodeWhoseFileCannotBeOpenedIsGivenItsLeaseBackAndNotTriedAgain() {
    behaviour =
        (peer, id, request) ->
            peer.send(id, new LocalBlock(directory + "/not-there/f", 77, List.of()));
    assertThat(read(FILE, 0, 0, 1)).isEmpty();
    assertThat(read(FILE, 0, 0, 1)).isEmpty();
    assertThat(read(FILE, 1, 0, 1)).isEmpty();
    await().until(() -> node.requests().size() == 2);
    assertThat(node.requests())
        .containsExactly(
            new OpenLocal(new BlockId(FILE, 0), GEOMETRY.blockSize()), new ReleaseLocal(77, 0));
  }

  /** Somebody has found it damaged, or its file is there in a newer version. */
  @Test
  void aBlockThatWasDroppedMeanwhileIsReadElsewhereAndTheNextOneFromItsFile() throws Exception {
    behaviour =
        (peer, id, request) -> peer.send(id, new LocalBlock(directory + "/dropped", 77, List.of()));
    assertThat(read(FILE, 0, 0, 1)).isEmpty();
    await().until(() -> released().size() == 1);
    assertThat(released()).containsExactly(new ReleaseLocal(77, 0));
    assertThat(blocks.mayRead(pool.node())).isTrue();
    behaviour = this::lend;
    assertThat(read(FILE, 1, 0, 5)).contains("block");
    await().until(() -> read(FILE, 0, 0, 5).isPresent());
  }

  @Test
  void aBlockThatIsNotCompleteYetIsAskedForAgainAfterAWhile() {
    behaviour = (peer, id, request) -> peer.send(id, new Failure(ErrorCode.UNAVAILABLE, "soon"));
    long began = System.nanoTime();
    assertThat(read(FILE, 0, 0, 1)).isEmpty();
    while (node.requests().size() < 2) {
      assertThat(read(FILE, 0, 0, 1)).isEmpty();
    }
    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(20_000_000);
    assertThat(read(FILE, 1, 0, 1)).as("another block is asked for at once").isEmpty();
    assertThat(opened(1)).isEqualTo(1);
    behaviour = this::lend;
    await().until(() -> read(FILE, 0, 0, 5).isPresent());
  }

  @Test
  void whatNoWaitMendsIsNotWaitedFor() {
    behaviour = (peer, id, request) -> peer.send(id, new Failure(ErrorCode.NO_SPACE, "never"));
    for (int i = 0; i < 3; i++) {
      assertThat(read(FILE, 0, 0, 1)).isEmpty();
    }
    assertThat(opened(0)).isEqualTo(3);
    behaviour = (peer, id, request) -> peer.send(id, new Ok());
    assertThat(read(FILE, 0, 0, 1)).as("an answer that makes no sense").isEmpty();
  }

  @Test
  void aReadBehindTheEndOfTheFileIsLeftToTheConnection() {
    assertThat(read(FILE, 0, 1000, 5)).isEmpty();
    assertThat(read(FILE, 0, 0, 5)).contains("block");
  }

  @Test
  void aConnectionThatEndsTakesItsLeasesWithIt() {
    assertThat(read(FILE, 0, 0, 5)).isPresent();
    assertThat(read(FILE, 0, 0, 5)).isPresent();
    behaviour = (peer, id, request) -> peer.hangUp();
    assertThat(read(FILE, 1, 0, 5)).isEmpty();
    behaviour = this::lend;
    await().until(() -> read(FILE, 0, 0, 5).isPresent() && opened(0) == 2);
  }

  @Test
  void aConnectionThatEndsTakesNoLeaseOfAnother() throws Exception {
    pool.close();
    pool = pool(machine(), 2);
    Connection one = at(pool).connection();
    Connection other = at(pool).connection();
    assertThat(read(FILE, 0, 0, 5)).as("over the one, whose turn it is").isPresent();
    blocks.readToEnd(new BlockId(FILE, 0));
    assertThat(read(FILE, 0, 0, 5)).as("over the other").isPresent();
    one.close();
    assertThat(read(FILE, 0, 0, 5)).isPresent();
    assertThat(opened(0)).isEqualTo(2);
    other.close();
    assertThat(read(FILE, 0, 0, 5)).isPresent();
    assertThat(opened(0)).isEqualTo(3);
  }

  @Test
  void whatIsGivenBackOrEndsWithItsConnectionIsClosed() throws Exception {
    read(FILE, 1, 0, 5);
    read(FILE, 2, 0, 5);
    assertThat(openFiles()).isEqualTo(2);
    blocks.readToEnd(new BlockId(FILE, 1));
    assertThat(openFiles()).isEqualTo(1);
    at(pool).connection().close();
    assertThat(openFiles()).isZero();
    for (int index = 0; index < 9; index++) {
      read(FILE, index, 0, 5);
    }
    assertThat(openFiles()).as("those that are kept").isEqualTo(8);
  }

  @Test
  void aNodeThatWasSilentIsTrustedAgainWhenItAnswersEvenByARefusal() throws Exception {
    for (var answer : List.<ScriptedServer.Script>of(this::lend, this::refuse)) {
      behaviour = this::lend;
      pool.noteOutcome(at(pool).connection(), new LiveWait.SilentPeerException("test"));
      assertThat(pool.suspect()).isTrue();
      int before = node.requests().size();
      behaviour = answer;
      await()
          .until(
              () -> {
                read(OTHER, before, 0, 5);
                return node.requests().size() > before;
              });
      assertThat(pool.suspect()).isFalse();
    }
  }

  private void refuse(ScriptedServer.Peer peer, long id, Message request) throws IOException {
    peer.send(id, new Failure(ErrorCode.UNAVAILABLE, "soon"));
  }

  /** Files of the node that this process has open. */
  private long openFiles() throws IOException {
    long open = 0;
    try (var descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : descriptors) {
        try {
          open += Files.readSymbolicLink(each).startsWith(directory) ? 1 : 0;
        } catch (IOException e) {
          // It was closed meanwhile, and so is none of ours.
        }
      }
    }
    return open;
  }

  @Test
  void theLeastRecentlyUsedIsGivenBackFirst() {
    for (int index = 0; index < 8; index++) {
      read(FILE, index, 0, 5);
    }
    read(FILE, 0, 0, 5);
    assertThat(released()).isEmpty();
    read(FILE, 8, 0, 5);
    await().until(() -> released().size() == 1);
    assertThat(released()).containsExactly(new ReleaseLocal(1, 5));
    read(FILE, 0, 0, 5);
    assertThat(opened(0)).as("it was used and kept").isEqualTo(1);
  }

  @Test
  void aThousandBlocksAreLeasedOnceEachByDefault() throws Exception {
    var usual = ClientOptions.from(Settings.of(Map.of())).local();
    // None becomes idle, however slowly this goes.
    try (var many = new LocalBlocks(usual, TIMEOUTS, clock::get)) {
      for (int i = 0; i < 2000; i++) {
        var block = new BlockId(FILE, i % 1000);
        assertThat(many.read(block, GEOMETRY, 0, ByteBuffer.allocate(5), at(pool))).contains(5);
      }
      assertThat(node.requests()).hasSize(1000).allMatch(OpenLocal.class::isInstance);
    }
    await().until(() -> released().size() == 1000);
  }

  @Test
  void leasesTakeAQuarterOfTheDescriptorsAtMost() {
    assertThat(LocalBlocks.affordable(1024, Long.MAX_VALUE)).isEqualTo(1024);
    assertThat(LocalBlocks.affordable(1024, 4096)).isEqualTo(1024);
    assertThat(LocalBlocks.affordable(1024, 1024)).isEqualTo(256);
    assertThat(LocalBlocks.affordable(7, 1024)).isEqualTo(7);
    assertThat(LocalBlocks.affordable(1024, 3)).isEqualTo(1);
  }

  @Test
  void aLeaseThatNobodyUsesIsGivenBackAndOneThatIsUsedIsKept() {
    read(FILE, 1, 0, 5);
    read(FILE, 2, 0, 5);
    clock.addAndGet(KeptLeases.IDLE.toNanos() - 1);
    blocks.dropIdle();
    read(FILE, 1, 0, 5);
    clock.addAndGet(1);
    blocks.dropIdle();
    await().until(() -> released().size() == 1);
    assertThat(released()).containsExactly(new ReleaseLocal(2, 5));
    read(FILE, 1, 0, 5);
    assertThat(opened(1)).as("it was used and kept").isEqualTo(1);
  }

  @Test
  void leasesAreGivenBackByThemselvesAgainAndAgain() throws Exception {
    try (var live = new LocalBlocks(EIGHT, TIMEOUTS)) {
      for (int round = 1; round <= 2; round++) {
        int expected = round;
        assertThat(live.read(new BlockId(FILE, 1), GEOMETRY, 0, ByteBuffer.allocate(5), at(pool)))
            .isPresent();
        await().until(() -> released().size() == expected);
      }
    }
  }

  @Test
  void halfOfTheLeasesAreGivenBackWhenAFileCannotBeOpenedForNow() throws Exception {
    for (int index = 1; index <= 3; index++) {
      read(FILE, index, 0, 5);
    }
    // More links than the system follows: it fails as want of descriptors does.
    Path circle = Files.createSymbolicLink(directory.resolve("circle"), Path.of("circle"));
    behaviour =
        (peer, id, request) -> peer.send(id, new LocalBlock(circle.toString(), 77, List.of()));
    assertThat(read(FILE, 4, 0, 5)).isEmpty();
    await().until(() -> released().size() == 3);
    assertThat(released()).extracting(ReleaseLocal::lease).containsExactlyInAnyOrder(77L, 1L, 2L);
    behaviour = this::lend;
    read(FILE, 3, 0, 5);
    assertThat(opened(3)).as("it was the last one used").isEqualTo(1);
  }

  @Test
  void whatWasReadIsToldWhenABlockIsGivenBack() {
    read(FILE, 5, 0, 5);
    read(FILE, 5, 2, 7);
    blocks.readToEnd(new BlockId(FILE, 5));
    await().until(() -> released().size() == 1);
    assertThat(released()).containsExactly(new ReleaseLocal(5, 12));
    blocks.readToEnd(new BlockId(FILE, 5));
    read(FILE, 5, 0, 1);
    assertThat(opened(5)).isEqualTo(2);
  }

  @Test
  void aFileThatIsClosedGivesBackItsOwnBlocksAndNoOthers() {
    read(FILE, 1, 0, 5);
    read(FILE, 2, 0, 5);
    read(OTHER, 3, 0, 5);
    blocks.release(FILE);
    await().until(() -> released().size() == 2);
    assertThat(released()).extracting(ReleaseLocal::lease).containsExactlyInAnyOrder(1L, 2L);
    read(OTHER, 3, 0, 5);
    assertThat(opened(3)).isEqualTo(1);
    blocks.close();
    await().until(() -> released().size() == 3);
    assertThat(released().get(2)).isEqualTo(new ReleaseLocal(3, 10));
  }

  @Test
  void aFileThatIsOpenedAgainSoonNeedsNoNewLease() {
    // How soon is soon depends on the machine: once in a while it is.
    await()
        .until(
            () -> {
              read(FILE, 1, 0, 5);
              long leased = opened(1);
              blocks.release(FILE);
              read(FILE, 1, 0, 5);
              return opened(1) == leased;
            });
    blocks.release(FILE);
    await().until(() -> released().size() == opened(1));
  }

  @Test
  void aLeaseThatComesWhenTheNodeCountsAsSilentIsGivenBack() throws Exception {
    var late = keepLeasesBack();
    node.setDeaf(true);
    var impatient =
        new ClientOptions.Timeouts(PATIENCE, Duration.ofMillis(50), PATIENCE, PATIENCE, PATIENCE);
    try (var brief = new LocalBlocks(EIGHT, impatient, clock::get)) {
      var attempt = new NodeAttempt(pool, impatient.patience());
      assertThat(brief.read(new BlockId(FILE, 3), GEOMETRY, 0, ByteBuffer.allocate(5), attempt))
          .isEmpty();
      late.complete(null);
      await().until(() -> released().size() == 1);
    }
    assertThat(released()).containsExactly(new ReleaseLocal(3, 0));
    assertThat(opened(3)).isEqualTo(1);
  }

  @Test
  void aLeaseThatATaskWasInterruptedForIsGivenBack() throws Exception {
    var late = keepLeasesBack();
    var block = new BlockId(FILE, 3);
    var reading =
        new FutureTask<>(() -> blocks.read(block, GEOMETRY, 0, ByteBuffer.allocate(5), at(pool)));
    var stillInterrupted = new CompletableFuture<Boolean>();
    var task =
        new Thread(
            () -> {
              reading.run();
              stillInterrupted.complete(Thread.currentThread().isInterrupted());
            });
    task.start();
    // Who is interrupted while it still writes would close the connection.
    await().until(() -> opened(3) == 1 && task.getState() == Thread.State.TIMED_WAITING);
    task.interrupt();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> reading.get(20, TimeUnit.SECONDS))
        .havingCause()
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
    assertThat(stillInterrupted.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(released()).isEmpty();
    late.complete(null);
    await().until(() -> released().size() == 1);
    assertThat(released()).containsExactly(new ReleaseLocal(3, 0));
  }

  /** The node leases nothing until this is completed. */
  private CompletableFuture<Void> keepLeasesBack() {
    var late = new CompletableFuture<Void>();
    behaviour =
        (peer, id, request) -> {
          if (request instanceof OpenLocal) {
            var unused =
                late.thenRun(
                    () -> {
                      try {
                        lend(peer, id, request);
                      } catch (IOException e) {
                        throw new UncheckedIOException(e);
                      }
                    });
          }
        };
    return late;
  }

  /** Whoever reads unverified falls back for it, as who verifies does. */
  @Test
  void whatAnEnginesClientSaysIsSaidAndTheLeaseGivenBack() throws Exception {
    var hung = new EleyException(ErrorCode.ORIGIN_HUNG, "the worker does not answer");
    EngineFiles engine =
        (place, block) ->
            new EngineFiles.Opened() {
              @Override
              public int read(ByteBuffer target, long position) throws IOException {
                throw hung;
              }

              @Override
              public void close() {}
            };
    try (var there = pool(NodeAddress.ENGINE);
        var its = new LocalBlocks(EIGHT, TIMEOUTS, clock::get, engine)) {
      assertThatThrownBy(
              () -> its.read(new BlockId(FILE, 3), GEOMETRY, 0, ByteBuffer.allocate(5), at(there)))
          .isSameAs(hung);
      await().until(() -> released().size() == 1);
      assertThat(released()).containsExactly(new ReleaseLocal(3, 0));
    }
  }

  /**
   * Spark interrupts the loser of a speculation; others read under leases of the same connection.
   */
  @Test
  void aTaskThatIsInterruptedWhileItReadsLeavesOthersTheirConnectionAndTheirLeases()
      throws Exception {
    EngineFiles engine = (place, block) -> block.index() == 3 ? interrupts() : zeros();
    var block = new BlockId(FILE, 3);
    var others = new BlockId(FILE, 4);
    try (var there = pool(NodeAddress.ENGINE);
        var its = new LocalBlocks(EIGHT, TIMEOUTS, clock::get, engine)) {
      assertThat(its.read(others, GEOMETRY, 0, ByteBuffer.allocate(5), at(there))).contains(5);
      Connection shared = at(there).connection();
      failsWith(
          ErrorCode.INTERRUPTED,
          () -> its.read(block, GEOMETRY, 0, ByteBuffer.allocate(5), at(there)));
      assertThat(Thread.interrupted()).as("the flag").isTrue();
      await().until(() -> released().size() == 1);
      assertThat(released()).containsExactly(new ReleaseLocal(3, 0));
      assertThat(shared.isOpen()).isTrue();
      assertThat(there.suspect()).isFalse();
      assertThat(its.read(others, GEOMETRY, 0, ByteBuffer.allocate(5), at(there))).contains(5);
      assertThat(opened(4)).isEqualTo(1);
    }
  }

  /** As a file's channel that an interrupted thread reads from. */
  private static EngineFiles.Opened interrupts() {
    return new EngineFiles.Opened() {
      @Override
      public int read(ByteBuffer target, long position) throws IOException {
        Thread.currentThread().interrupt();
        throw new ClosedByInterruptException();
      }

      @Override
      public void close() {}
    };
  }

  private static EngineFiles.Opened zeros() {
    return new EngineFiles.Opened() {
      @Override
      public int read(ByteBuffer target, long position) {
        int count = target.remaining();
        target.put(new byte[count]);
        return count;
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void whoIsInterruptedWhileAnEngineOpensABlockReadsNothingFurther() throws Exception {
    EngineFiles engine =
        (place, block) -> {
          Thread.currentThread().interrupt();
          throw new EleyException(ErrorCode.INTERRUPTED, "interrupted: open");
        };
    try (var there = pool(NodeAddress.ENGINE);
        var its = new LocalBlocks(EIGHT, TIMEOUTS, clock::get, engine)) {
      failsWith(
          ErrorCode.INTERRUPTED,
          () -> its.read(new BlockId(FILE, 3), GEOMETRY, 0, ByteBuffer.allocate(5), at(there)));
      assertThat(Thread.interrupted()).as("the flag").isTrue();
      await().until(() -> released().size() == 1);
      assertThat(released()).containsExactly(new ReleaseLocal(3, 0));
      assertThat(at(there).connection().isOpen()).isTrue();
      assertThat(node.connections()).isEqualTo(1);
    }
  }

  @Test
  void closingTwiceGivesBackOnce() {
    read(FILE, 1, 0, 5);
    blocks.close();
    blocks.close();
    // Its question comes behind whatever was given back, on the same connection.
    read(FILE, 2, 0, 5);
    assertThat(released()).containsExactly(new ReleaseLocal(1, 5));
  }

  /** Names a file for each block; the lease is the block's index. */
  private void lend(ScriptedServer.Peer peer, long id, Message request) throws IOException {
    if (request instanceof OpenLocal open) {
      BlockId block = open.block();
      Path file = directory.resolve(block.file().path().substring(1) + block.index());
      Files.writeString(file, "block " + block.index() + " of " + block.file().path());
      peer.send(id, new LocalBlock(file.toString(), block.index(), List.of()));
    } else {
      peer.send(id, new Ok());
    }
  }

  private Optional<String> read(FileVersion file, int index, int offset, int length) {
    var target = ByteBuffer.allocate(length);
    try {
      return blocks
          .read(new BlockId(file, index), GEOMETRY, offset, target, at(pool))
          .map(
              count -> {
                assertThat(target.position()).isEqualTo(count);
                return StandardCharsets.UTF_8.decode(target.flip()).toString();
              });
    } catch (EleyException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long opened(int index) {
    return node.requests().stream()
        .filter(m -> m instanceof OpenLocal open && open.block().index() == index)
        .count();
  }

  private List<ReleaseLocal> released() {
    return node.requests().stream()
        .filter(ReleaseLocal.class::isInstance)
        .map(ReleaseLocal.class::cast)
        .toList();
  }

  private NodePool pool(String machine) {
    return pool(machine, 1);
  }

  private NodePool pool(String machine, int connections) {
    var address = new NodeAddress(new NodeId("n"), "127.0.0.1", node.address().getPort(), machine);
    return new NodePool(
        address, FakeDeployment.credentials(secret), connections, PATIENCE, PATIENCE);
  }

  private static String machine() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
  }

  private static NodeAttempt at(NodePool pool) {
    return new NodeAttempt(pool, TIMEOUTS.patience());
  }
}
