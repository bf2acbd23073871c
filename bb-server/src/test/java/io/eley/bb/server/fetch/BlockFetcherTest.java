package io.eley.bb.server.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.StoreListener;
import io.eley.bb.server.store.StoreOptions;
import io.eley.bb.server.store.StoredBlock;
import io.eley.test.fixtures.FakeOrigin;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockFetcherTest {
  private static final int CHUNK = 4096;
  private static final BlockGeometry GEOMETRY = new BlockGeometry(8 * CHUNK, CHUNK);
  private static final int BLOCK = GEOMETRY.blockSize();
  private static final Lane OPEN = Lane.OPEN;
  private static final Lane CLOSED = Lane.CLOSED;

  @TempDir Path directory;

  private final FakeOrigin origin = new FakeOrigin();
  private final Map<BlockId, ErrorCode> failed = new ConcurrentHashMap<>();
  private final List<BlockId> alreadyThere = new CopyOnWriteArrayList<>();
  private final PermitGate gate = new PermitGate(Duration.ofHours(1), 1 << 20, 8, System::nanoTime);
  private final AtomicInteger sequence = new AtomicInteger();
  private final AtomicLong clock = new AtomicLong();
  private BlockStore store;
  private @Nullable BlockFetcher started;

  @BeforeEach
  void openStore() throws EleyException {
    store = BlockStore.open(new StoreOptions(directory, GEOMETRY, 1 << 20), StoreListener.NONE);
  }

  @AfterEach
  void close() {
    if (started != null) {
      started.close();
    }
    store.close();
  }

  private BlockFetcher fetcher() {
    return Objects.requireNonNull(started, "start it first");
  }

  private void start(int threads) {
    start(threads, Duration.ofSeconds(30));
  }

  private void start(int threads, Duration deadline) {
    var listener =
        new FetchListener() {
          @Override
          public void alreadyThere(BlockId block) {
            alreadyThere.add(block);
          }

          @Override
          public void failed(BlockId block, EleyException error) {
            failed.put(block, error.code());
          }
        };
    started =
        BlockFetcher.start(
            new FetchOptions(threads, deadline, 4), origin, store, gate, listener, clock::get);
  }

  private void permit(Lane prefetch, Lane demand) {
    gate.apply(
        new Permit(sequence.incrementAndGet(), prefetch, demand, Duration.ofHours(1), "test"));
  }

  private static List<BlockId> blocks(FileVersion file) {
    return IntStream.range(0, GEOMETRY.blockCount(file.length()))
        .mapToObj(i -> new BlockId(file, i))
        .toList();
  }

  private void awaitCommitted(BlockId block) {
    await()
        .until(
            () -> {
              try (var held = store.acquire(block).orElse(null)) {
                return held != null && held.complete();
              }
            });
  }

  private void assertContents(BlockId block) throws Exception {
    try (var held = store.acquire(block).orElseThrow()) {
      held.whenArrived(0, held.length()).get(30, TimeUnit.SECONDS);
      var bytes = ByteBuffer.allocate(held.length());
      while (bytes.hasRemaining()) {
        assertThat(held.channel().read(bytes, bytes.position())).isPositive();
      }
      long offset = GEOMETRY.range(block).offset();
      assertThat(bytes.array()).isEqualTo(origin.bytes(block.file().path(), offset, held.length()));
    }
  }

  private static ErrorCode errorOf(StoredBlock arriving) throws Exception {
    try {
      arriving.whenArrived(0, arriving.length()).get(30, TimeUnit.SECONDS);
      throw new AssertionError("the block arrived");
    } catch (ExecutionException e) {
      return ((EleyException) Objects.requireNonNull(e.getCause())).code();
    }
  }

  @Test
  void fetchesWhatIsOrderedAndReadsEachByteOnce() throws Exception {
    FileVersion file = origin.put("/a", 3 * BLOCK + 5000, 1);
    permit(OPEN, OPEN);
    start(2);
    fetcher().order(BlockPart.whole(blocks(file)));
    for (BlockId block : blocks(file)) {
      awaitCommitted(block);
      assertContents(block);
    }
    assertThat(origin.bytesRead.get()).isEqualTo(file.length());
    assertThat(origin.reads).hasSize(3 * 8 + 2);
    assertThat(fetcher().originBytes()).isEqualTo(Map.of(ReadCause.PREFETCH, file.length()));
    await().until(() -> origin.closes.get() == 4);
    assertThat(origin.opens).hasValue(4);
    assertThat(failed).isEmpty();
  }

  @Test
  void aFetcherReadsIntoOneBufferHoweverMuchItReads() {
    FileVersion file = origin.put("/a", 20 * BLOCK, 1); // more than the permit lets go at once
    permit(OPEN, OPEN);
    start(1);
    fetcher().order(BlockPart.whole(blocks(file)));
    blocks(file).forEach(this::awaitCommitted);
    assertThat(origin.reads).hasSize(160);
    assertThat(origin.targets).hasSize(1);
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("eley-fetch-"))
        .isNotEmpty()
        .allMatch(Thread::isDaemon, "keeps no process alive");
  }

  @Test
  void whatTheRamDiskHasNoFileForIsNotRead() throws Exception {
    BlockId block = new BlockId(origin.put("/a", BLOCK, 1), 0);
    start(1);
    fetcher().order(List.of(BlockPart.whole(block)));
    Files.delete(directory.resolve("tmp"));
    permit(OPEN, OPEN);
    await().until(() -> failed.equals(Map.of(block, ErrorCode.UNAVAILABLE)));
    assertThat(origin.reads).isEmpty();
    await().until(() -> origin.closes.get() == 1 && store.usedBytes() == 0);
  }

  @Test
  void aBlockThatCameWhileItsFetchWaitedIsReportedAndNotRead() throws Exception {
    BlockId block = new BlockId(origin.put("/a", BLOCK, 1), 0);
    start(1);
    fetcher().order(List.of(BlockPart.whole(block)));
    var writer = store.create(block);
    permit(OPEN, OPEN);
    // The fetch looks again and again whether the other writer has come to its end.
    await().until(() -> fetcher().queued() == 0);
    assertThat(alreadyThere).isEmpty();
    writer.write(0, ByteBuffer.wrap(origin.bytes("/a", 0, BLOCK)));
    writer.commit();
    await().until(() -> alreadyThere.equals(List.of(block)));
    await().until(() -> fetcher().queued() == 0);
    assertThat(origin.opens).hasValue(0);
    assertThat(failed).isEmpty();
  }

  @Test
  void aBlockThatIsDroppedAsItsLastBytesArriveFailsAndIsReported() throws Exception {
    FileVersion file = origin.put("/a", 2 * BLOCK, 1);
    BlockId whole = new BlockId(file, 0);
    BlockId part = new BlockId(file, 1);
    start(1);
    for (var each : List.of(whole, part)) {
      int wanted = each.equals(whole) ? BLOCK : CHUNK;
      permit(CLOSED, CLOSED);
      try (var held = fetcher().demand(each, 0, wanted, 0, ReadCause.DEMAND)) {
        // On the fetcher's thread, between the last page and the end of the fetch.
        var dropped =
            held.whenArrived(0, wanted)
                .thenRun(() -> store.dropOtherVersions(new FileVersion("/a", 1, 2)));
        permit(OPEN, OPEN);
        dropped.get(30, TimeUnit.SECONDS);
      }
      await().until(() -> ErrorCode.STALE_VERSION.equals(failed.get(each)));
    }
    await().until(() -> store.usedBytes() == 0 && origin.closes.get() == 2);
    assertThat(store.inventory()).isEmpty();
  }

  @Test
  void readsNothingWithoutAPermit() throws Exception {
    FileVersion file = origin.put("/a", BLOCK, 1);
    start(2);
    BlockId block = new BlockId(file, 0);
    fetcher().order(List.of(BlockPart.whole(block)));
    assertThat(fetcher().queued()).isEqualTo(1);
    assertThat(origin.opens).hasValue(0);
    permit(OPEN, CLOSED);
    awaitCommitted(block);
    assertContents(block);
  }

  @Test
  void readsAtMostOneChunkPerFetcherAfterThePermitCloses() throws Exception {
    FileVersion file = origin.put("/a", 6 * BLOCK, 1);
    var inRead = new Semaphore(0);
    var goOn = new Semaphore(0);
    origin.beforeRead =
        (n, read) -> {
          inRead.release();
          goOn.acquireUninterruptibly();
        };
    permit(OPEN, OPEN);
    start(3);
    fetcher().order(BlockPart.whole(blocks(file)));
    inRead.acquire(3);
    goOn.release(2);
    inRead.acquire(2);
    permit(CLOSED, CLOSED);
    goOn.release(1000);
    // All six fetches are given back to the queue: nobody is in a chunk any more.
    await().until(() -> fetcher().queued() == 6);
    assertThat(origin.reads).hasSize(5);
    permit(OPEN, CLOSED);
    for (BlockId block : blocks(file)) {
      awaitCommitted(block);
    }
    assertThat(origin.bytesRead.get()).isEqualTo(file.length());
  }

  @Test
  void aHeldPrefetchDoesNotKeepAFetcherFromDemand() throws Exception {
    FileVersion file = origin.put("/a", 2 * BLOCK, 1);
    var firstRead = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    origin.beforeRead =
        (n, read) -> {
          firstRead.countDown();
          awaitLatch(goOn);
        };
    permit(OPEN, OPEN);
    start(1);
    fetcher().order(List.of(BlockPart.whole(new BlockId(file, 0))));
    firstRead.await();
    permit(CLOSED, OPEN);
    goOn.countDown();
    try (var held = fetcher().demand(new BlockId(file, 1), 0, 1, BLOCK, ReadCause.DEMAND)) {
      held.whenArrived(0, BLOCK).get(30, TimeUnit.SECONDS);
    }
    assertThat(fetcher().originBytes())
        .containsEntry(ReadCause.PREFETCH, (long) CHUNK)
        .containsEntry(ReadCause.DEMAND, (long) BLOCK);
  }

  @Test
  void aDemandOvertakesThePrefetchBetweenTwoChunks() throws Exception {
    FileVersion file = origin.put("/a", 2 * BLOCK, 1);
    var firstRead = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    origin.beforeRead =
        (n, read) -> {
          firstRead.countDown();
          awaitLatch(goOn);
        };
    permit(OPEN, OPEN);
    start(1);
    fetcher().order(List.of(BlockPart.whole(new BlockId(file, 0))));
    firstRead.await();
    var held = fetcher().demand(new BlockId(file, 1), 0, 1, BLOCK, ReadCause.DEMAND);
    goOn.countDown();
    awaitCommitted(new BlockId(file, 0));
    assertThat(origin.reads.stream().map(FakeOrigin.Read::cause))
        .containsExactlyElementsOf(
            java.util.stream.Stream.of(
                    List.of(ReadCause.PREFETCH),
                    java.util.Collections.nCopies(8, ReadCause.DEMAND),
                    java.util.Collections.nCopies(7, ReadCause.PREFETCH))
                .flatMap(List::stream)
                .toList());
    held.close();
  }

  @Test
  void aDemandBeginsAtTheChunkThatIsWaitedForAndWraps() throws Exception {
    FileVersion file = origin.put("/a", BLOCK, 1);
    start(1);
    BlockId block = new BlockId(file, 0);
    fetcher().order(List.of(BlockPart.whole(block)));
    try (var held = fetcher().demand(block, 5 * CHUNK + 17, 1, 0, ReadCause.DEMAND)) {
      permit(OPEN, OPEN);
      held.whenArrived(0, BLOCK).get(30, TimeUnit.SECONDS);
    }
    assertThat(origin.reads.stream().map(r -> (int) (r.position() / CHUNK)))
        .containsExactly(5, 6, 7, 0, 1, 2, 3, 4);
  }

  @Test
  void prefetchesOfNeighbouringBlocksBeginAtDifferentChunks() throws Exception {
    FileVersion file = origin.put("/a", 3 * BLOCK, 1);
    permit(OPEN, OPEN);
    start(1);
    fetcher().order(BlockPart.whole(blocks(file)));
    blocks(file).forEach(this::awaitCommitted);
    var firstChunks =
        IntStream.range(0, 3)
            .map(i -> (int) (origin.reads.get(8 * i).position() / CHUNK % 8))
            .boxed()
            .toList();
    assertThat(firstChunks).containsExactly(0, 7, 6);
  }

  @Test
  void anOrderedBlockThatIsDemandedIsPromoted() throws Exception {
    FileVersion file = origin.put("/a", 4 * BLOCK, 1);
    start(1);
    fetcher().order(BlockPart.whole(blocks(file)));
    BlockId last = new BlockId(file, 3);
    try (var held = fetcher().demand(last, 0, 1, BLOCK, ReadCause.DEMAND)) {
      assertThat(fetcher().queued()).isEqualTo(4);
      permit(OPEN, OPEN);
      held.whenArrived(0, BLOCK).get(30, TimeUnit.SECONDS);
    }
    blocks(file).forEach(this::awaitCommitted);
    assertThat(origin.reads.get(0).position()).isEqualTo(3L * BLOCK);
    assertThat(fetcher().originBytes())
        .isEqualTo(Map.of(ReadCause.DEMAND, (long) BLOCK, ReadCause.PREFETCH, 3L * BLOCK));
  }

  @Test
  void manyDemandsOfOneBlockReadItOnce() throws Exception {
    FileVersion file = origin.put("/a", BLOCK, 1);
    permit(OPEN, OPEN);
    start(4);
    BlockId block = new BlockId(file, 0);
    var threads =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    java.util.concurrent.CompletableFuture.runAsync(
                        () -> {
                          try (var held =
                              fetcher().demand(block, i * CHUNK, CHUNK, 0, ReadCause.DEMAND)) {
                            held.whenArrived(i * CHUNK, CHUNK).join();
                          } catch (EleyException e) {
                            throw new IllegalStateException(e);
                          }
                        }))
            .toList();
    threads.forEach(java.util.concurrent.CompletableFuture::join);
    awaitCommitted(block);
    assertThat(origin.bytesRead).hasValue(BLOCK);
    assertThat(origin.reads).hasSize(8);
  }

  @Test
  void shortReadsAreContinued() throws Exception {
    FileVersion file = origin.put("/a", BLOCK - 100, 1);
    origin.mostBytesPerRead = 1000;
    permit(OPEN, OPEN);
    start(2);
    fetcher().order(BlockPart.whole(blocks(file)));
    awaitCommitted(new BlockId(file, 0));
    assertContents(new BlockId(file, 0));
    assertThat(origin.bytesRead).hasValue(BLOCK - 100);
    assertThat(fetcher().originBytes()).isEqualTo(Map.of(ReadCause.PREFETCH, BLOCK - 100L));
  }

  @Test
  void aFileOfAnotherVersionIsStaleAndNotRead() throws Exception {
    FileVersion old = origin.put("/a", BLOCK, 1);
    origin.put("/a", BLOCK, 2);
    start(1);
    try (var held = fetcher().demand(new BlockId(old, 0), 0, 1, BLOCK, ReadCause.DEMAND)) {
      permit(OPEN, OPEN); // a fetch that fails before its block is pinned is begun anew
      assertThat(errorOf(held)).isEqualTo(ErrorCode.STALE_VERSION);
    }
    assertThat(origin.reads).isEmpty();
    await().until(() -> store.usedBytes() == 0 && failed.size() == 1);
    assertThat(origin.closes).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 8})
  void aFileThatChangesWhileItIsFetchedIsNeverGivenAsAWhole(int chunk) throws Exception {
    FileVersion old = origin.put("/a", BLOCK, 1);
    origin.beforeRead =
        (n, read) -> {
          if (n == chunk) {
            origin.put("/a", BLOCK, 2);
          }
        };
    permit(OPEN, OPEN);
    start(1);
    BlockId block = new BlockId(old, 0);
    try (var held = fetcher().demand(block, 0, 1, BLOCK, ReadCause.DEMAND)) {
      assertThat(errorOf(held)).isEqualTo(ErrorCode.STALE_VERSION);
      assertThat(held.complete()).isFalse();
    }
    await().until(() -> store.usedBytes() == 0 && failed.size() == 1);
    assertThat(store.acquire(block)).isEmpty();
    assertThat(failed).isEqualTo(Map.of(block, ErrorCode.STALE_VERSION));
  }

  /** As behind a hold in a prefetch: nobody waits for what has come until the next one. */
  @Test
  void whatComesLongAfterTheLastLookIsOfTheSameVersion() throws Exception {
    FileVersion old = origin.put("/a", BLOCK, 1);
    BlockId block = new BlockId(old, 0);
    origin.beforeRead =
        (n, read) -> {
          if (n == 2) {
            clock.addAndGet(1_000_000_000L);
            origin.put("/a", BLOCK, 2);
          }
        };
    start(1);
    fetcher().order(List.of(BlockPart.whole(block)));
    permit(Lane.test(2 * CHUNK), CLOSED);
    await().until(() -> failed.equals(Map.of(block, ErrorCode.STALE_VERSION)));
    assertThat(store.acquire(block)).isEmpty();
  }

  /** He is given his bytes before the block's last ones, and asks for no more. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoWaitsForAPartIsGivenOneVersionOfIt(boolean ordered) throws Exception {
    FileVersion old = origin.put("/a", BLOCK, 1);
    BlockId block = new BlockId(old, 0);
    origin.beforeRead =
        (n, read) -> {
          if (n == 2) {
            origin.put("/a", BLOCK, 2);
          }
        };
    start(1);
    if (ordered) {
      fetcher().order(List.of(BlockPart.whole(block)));
    }
    int ahead = ordered ? 0 : BLOCK;
    try (var held = fetcher().demand(block, 0, 2 * CHUNK, ahead, ReadCause.DEMAND)) {
      var arrival = held.whenArrived(0, 2 * CHUNK);
      permit(OPEN, OPEN);
      assertThatThrownBy(() -> arrival.get(30, TimeUnit.SECONDS))
          .cause()
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_VERSION));
    }
    await().until(() -> store.usedBytes() == 0);
  }

  @Test
  void aFileThatEndsTooEarlyIsStale() throws Exception {
    FileVersion file = origin.put("/a", BLOCK, 1);
    origin.truncateSilently("/a", BLOCK - 10);
    permit(OPEN, OPEN);
    start(2);
    try (var held = fetcher().demand(new BlockId(file, 0), 0, 1, BLOCK, ReadCause.DEMAND)) {
      assertThat(errorOf(held)).isEqualTo(ErrorCode.STALE_VERSION);
    }
    await().until(() -> store.usedBytes() == 0);
  }

  @Test
  void aFailingReadAbortsThatBlockOnly() throws Exception {
    FileVersion file = origin.put("/a", 2 * BLOCK, 1);
    origin.beforeRead =
        (n, read) -> {
          if (n == 3) {
            throw new EleyException(ErrorCode.ORIGIN_FAILED, "input/output error");
          }
        };
    permit(OPEN, OPEN);
    start(1);
    fetcher().order(BlockPart.whole(blocks(file)));
    awaitCommitted(new BlockId(file, 1));
    assertThat(failed).isEqualTo(Map.of(new BlockId(file, 0), ErrorCode.ORIGIN_FAILED));
    assertThat(store.inventory()).containsExactly(new BlockId(file, 1));
    // A later order tries again.
    fetcher().order(BlockPart.whole(blocks(file)));
    awaitCommitted(new BlockId(file, 0));
    assertThat(alreadyThere).containsExactly(new BlockId(file, 1));
    assertThat(store.usedBytes())
        .isEqualTo(blocks(file).stream().mapToLong(store::footprintBytes).sum());
  }

  @Test
  void aMissingFileIsReported() {
    BlockId block = new BlockId(new FileVersion("/gone", BLOCK, 1), 0);
    permit(OPEN, OPEN);
    start(1);
    fetcher().order(List.of(BlockPart.whole(block)));
    await().until(() -> failed.equals(Map.of(block, ErrorCode.NOT_FOUND)));
  }

  @Test
  void aHangingReadCostsAThreadAndABufferButNotTheFetcher() throws Exception {
    FileVersion file = origin.put("/a", 2 * BLOCK, 1);
    var serverIsBack = new CountDownLatch(1);
    origin.beforeRead =
        (n, read) -> {
          if (n == 2) {
            awaitLatch(serverIsBack);
          }
        };
    permit(OPEN, OPEN);
    start(1, Duration.ofSeconds(3));
    BlockId hanging = new BlockId(file, 0);
    try (var held = fetcher().demand(hanging, 0, 1, BLOCK, ReadCause.DEMAND)) {
      assertThat(errorOf(held)).isEqualTo(ErrorCode.ORIGIN_HUNG);
    }
    await().until(() -> failed.equals(Map.of(hanging, ErrorCode.ORIGIN_HUNG)));
    assertThat(fetcher().hungCalls()).isEqualTo(1);
    fetcher().order(List.of(BlockPart.whole(new BlockId(file, 1))));
    awaitCommitted(new BlockId(file, 1));
    await().until(() -> origin.closes.get() == 1); // when it is committed
    // The hung call now writes into its buffer, closes its file, and nobody is disturbed.
    serverIsBack.countDown();
    await().until(() -> origin.closes.get() == 2 && fetcher().hungCalls() == 0);
    assertContents(new BlockId(file, 1));
  }

  @Test
  void aFileThatOpensTooLateIsClosed() {
    FileVersion file = origin.put("/a", BLOCK, 1);
    var serverIsBack = new CountDownLatch(1);
    origin.beforeOpen = (n, read) -> awaitLatch(serverIsBack);
    permit(OPEN, OPEN);
    start(1, Duration.ofSeconds(2)); // a call that had no thread until then is never made
    fetcher().order(BlockPart.whole(blocks(file)));
    await().until(() -> failed.containsValue(ErrorCode.ORIGIN_HUNG));
    serverIsBack.countDown();
    await().until(() -> origin.closes.get() == 1 && fetcher().hungCalls() == 0);
  }

  @Test
  void noRoomIsToldToTheReaderAndReported() throws Exception {
    FileVersion file = origin.put("/a", 64 * BLOCK, 1);
    permit(OPEN, OPEN);
    start(2);
    var pins = new java.util.ArrayList<StoredBlock>();
    assertThatThrownBy(
            () -> {
              for (BlockId block : blocks(file)) {
                pins.add(fetcher().demand(block, 0, 1, BLOCK, ReadCause.DEMAND));
              }
            })
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE));
    await().until(() -> List.copyOf(failed.values()).equals(List.of(ErrorCode.NO_SPACE)));
    pins.forEach(StoredBlock::close);
    assertThat(store.usedBytes()).isLessThanOrEqualTo(store.capacityBytes());
  }

  @Test
  void aDemandThatFindsNoRoomLeavesNothingInTheQueue() throws Exception {
    FileVersion file = origin.put("/a", 64 * BLOCK, 1);
    start(1);
    var pins = new java.util.ArrayList<StoredBlock>();
    assertThatThrownBy(
            () -> {
              for (BlockId block : blocks(file)) {
                pins.add(fetcher().demand(block, 0, BLOCK, 0, ReadCause.DEMAND));
              }
            })
        .isInstanceOf(EleyException.class);
    assertThat(pins).isNotEmpty();
    assertThat(fetcher().queued()).isEqualTo(pins.size());
    assertThat(failed).containsOnlyKeys(new BlockId(file, pins.size()));
    pins.forEach(StoredBlock::close);
  }

  @Test
  void aCancelledOrderIsNotFetchedAndGivesItsSpaceBack() throws Exception {
    FileVersion file = origin.put("/a", 3 * BLOCK, 1);
    var firstRead = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    origin.beforeRead =
        (n, read) -> {
          firstRead.countDown();
          awaitLatch(goOn);
        };
    permit(OPEN, OPEN);
    start(1);
    fetcher().order(BlockPart.whole(blocks(file)));
    firstRead.await();
    var held = fetcher().demand(new BlockId(file, 2), 0, 1, BLOCK, ReadCause.DEMAND);
    fetcher().cancel(blocks(file));
    goOn.countDown();
    held.whenArrived(0, BLOCK).get(30, TimeUnit.SECONDS);
    held.close();
    awaitCommitted(new BlockId(file, 2));
    await().until(() -> store.usedBytes() == store.footprintBytes(new BlockId(file, 2)));
    assertThat(store.inventory()).containsExactly(new BlockId(file, 2));
    assertThat(origin.bytesRead).hasValue(BLOCK + CHUNK);
    assertThat(failed).isEmpty();
  }

  @Test
  void aCancelledFetchThatIsOrderedAgainGoesOn() throws Exception {
    FileVersion file = origin.put("/a", BLOCK, 1);
    var firstRead = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    origin.beforeRead =
        (n, read) -> {
          firstRead.countDown();
          awaitLatch(goOn);
        };
    permit(OPEN, OPEN);
    start(1);
    fetcher().order(BlockPart.whole(blocks(file)));
    firstRead.await();
    fetcher().cancel(blocks(file));
    fetcher().order(BlockPart.whole(blocks(file)));
    goOn.countDown();
    awaitCommitted(new BlockId(file, 0));
    assertThat(origin.bytesRead).hasValue(BLOCK);
  }

  @Test
  void aBlockPastTheEndIsMalformed() {
    FileVersion file = origin.put("/a", BLOCK, 1);
    start(1);
    assertThatThrownBy(() -> fetcher().demand(new BlockId(file, 1), 0, 1, BLOCK, ReadCause.DEMAND))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED));
    fetcher().order(List.of(BlockPart.whole(new BlockId(file, 7))));
    assertThat(failed).isEqualTo(Map.of(new BlockId(file, 7), ErrorCode.MALFORMED));
  }

  @Test
  void aPageBehindTheEndOfItsBlockIsMalformed() {
    var block = new BlockId(origin.put("/a", BLOCK, 1), 0);
    start(1);
    int pages = store.geometry().pageCount(BLOCK);
    fetcher().order(List.of(new BlockPart(block, PageSet.range(0, pages + 1))));
    assertThat(failed).isEqualTo(Map.of(block, ErrorCode.MALFORMED));
    assertThat(fetcher().queued()).isZero();
  }

  @Test
  void closingEndsWhatWaits() throws Exception {
    FileVersion file = origin.put("/a", 2 * BLOCK, 1);
    start(2);
    fetcher().order(List.of(BlockPart.whole(new BlockId(file, 1))));
    try (var held = fetcher().demand(new BlockId(file, 0), 0, 1, BLOCK, ReadCause.DEMAND)) {
      fetcher().close();
      assertThat(errorOf(held)).isEqualTo(ErrorCode.UNAVAILABLE);
    }
    assertThat(store.usedBytes()).isZero();
    assertThatThrownBy(() -> fetcher().demand(new BlockId(file, 0), 0, 1, BLOCK, ReadCause.DEMAND))
        .isInstanceOf(EleyException.class);
  }

  @Test
  void whoIsInterruptedWhileItClosesDoesNotWaitAndStaysInterrupted() throws Exception {
    FileVersion file = origin.put("/a", BLOCK, 1);
    var inRead = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    origin.beforeRead =
        (n, read) -> {
          inRead.countDown();
          awaitLatch(goOn);
        };
    permit(OPEN, OPEN);
    start(1);
    fetcher().order(BlockPart.whole(blocks(file)));
    inRead.await();
    Thread.currentThread().interrupt();
    fetcher().close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(fetcher().readsUnderWay()).as("it was not waited for").hasSize(1);
    goOn.countDown();
    await().until(() -> store.usedBytes() == 0 && origin.closes.get() == 1);
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the test never let go");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
