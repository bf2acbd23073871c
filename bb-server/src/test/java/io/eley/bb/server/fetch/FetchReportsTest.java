package io.eley.bb.server.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.StoreListener;
import io.eley.bb.server.store.StoreOptions;
import io.eley.test.fixtures.FakeOrigin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a fetcher tells of its reads, and whom it refuses. */
class FetchReportsTest {
  private static final int CHUNK = 4096;
  private static final BlockGeometry GEOMETRY = new BlockGeometry(4 * CHUNK, CHUNK);
  private static final int BLOCK = GEOMETRY.blockSize();

  /** Of a thread that has begun to close a fetcher whose read does not end. */
  private static final Set<Thread.State> CLOSING =
      EnumSet.of(Thread.State.TIMED_WAITING, Thread.State.TERMINATED);

  private record ChunkRead(long endedAt, long tookNanos, int bytes, double underWay) {}

  @TempDir Path directory;

  private final FakeOrigin origin = new FakeOrigin();
  private final Map<BlockId, EleyException> failed = new ConcurrentHashMap<>();
  private final List<ChunkRead> chunks = new CopyOnWriteArrayList<>();
  private final AtomicLong clock = new AtomicLong();
  private final PermitGate gate = new PermitGate(Duration.ofHours(1), 1 << 20, 8, clock::get);
  private final CountDownLatch goOn = new CountDownLatch(1);

  /** The listener fails at this chunk. */
  private volatile int defectAt;

  private BlockStore store;
  private BlockFetcher fetcher;

  @BeforeEach
  void start() throws EleyException {
    store = BlockStore.open(new StoreOptions(directory, GEOMETRY, 1 << 20), StoreListener.NONE);
    var listener =
        new FetchListener() {
          @Override
          public void alreadyThere(BlockId block) {}

          @Override
          public void failed(BlockId block, EleyException error) {
            failed.put(block, error);
          }

          @Override
          public void chunkRead(long endedAt, long tookNanos, int bytes, double underWay) {
            chunks.add(new ChunkRead(endedAt, tookNanos, bytes, underWay));
            if (chunks.size() == defectAt) {
              throw new IllegalStateException("a defect of ours");
            }
          }
        };
    fetcher =
        BlockFetcher.start(
            new FetchOptions(2, Duration.ofSeconds(30), 4), origin, store, gate, listener);
  }

  @AfterEach
  void close() {
    goOn.countDown();
    fetcher.close();
    store.close();
  }

  private void permit(Lane lane) {
    gate.apply(new Permit(gate.sequence() + 1, lane, lane, Duration.ofHours(1), "test"));
  }

  private void holdReads() {
    origin.beforeRead = (n, read) -> pass(goOn);
  }

  private static void pass(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<BlockId> blocks(FileVersion file) {
    return IntStream.range(0, GEOMETRY.blockCount(file.length()))
        .mapToObj(i -> new BlockId(file, i))
        .toList();
  }

  @Test
  void eachChunkIsReportedWithItsBytesAndWhenItEnded() {
    FileVersion file = origin.put("/a", BLOCK + 100, 1);
    long before = System.nanoTime();
    permit(Lane.OPEN);
    fetcher.order(BlockPart.whole(blocks(file)));
    await().until(() -> store.blockCount() == 2);
    assertThat(chunks).extracting(ChunkRead::bytes).hasSize(5).containsOnlyOnce(100);
    assertThat(chunks.stream().mapToInt(ChunkRead::bytes).sum()).isEqualTo(BLOCK + 100);
    assertThat(chunks)
        .allSatisfy(
            chunk -> {
              assertThat(chunk.endedAt()).isBetween(before, System.nanoTime());
              assertThat(chunk.tookNanos()).isBetween(0L, chunk.endedAt() - before);
              assertThat(chunk.underWay()).isBetween(1.0, 2.0);
            });
  }

  @Test
  void aReadThatFailsSaysNothingOfHowLongReadsTake() {
    FileVersion file = origin.put("/a", BLOCK, 1);
    origin.beforeRead =
        (n, read) -> {
          if (n == 2) {
            throw new EleyException(ErrorCode.ORIGIN_FAILED, "input/output error");
          }
        };
    permit(Lane.OPEN);
    fetcher.order(BlockPart.whole(blocks(file)));
    await().until(() -> failed.size() == 1);
    assertThat(chunks).hasSize(1);
    assertThat(fetcher.readsUnderWay()).isEmpty();
  }

  @Test
  void readsThatHangAreSeenWhileTheyDo() {
    FileVersion file = origin.put("/a", 2 * BLOCK, 1);
    holdReads();
    permit(Lane.OPEN);
    fetcher.order(BlockPart.whole(blocks(file)));
    await().until(() -> fetcher.readsUnderWay().size() == 2);
    assertThat(fetcher.readsUnderWay()).allMatch(read -> read.bytes() == CHUNK);
    await().until(() -> fetcher.readsUnderWay().stream().allMatch(r -> r.tookNanos() > 1_000_000));
    goOn.countDown();
    await().until(() -> store.blockCount() == 2);
    assertThat(fetcher.readsUnderWay()).isEmpty();
    assertThat(chunks).extracting(ChunkRead::bytes).hasSize(8).containsOnly(CHUNK);
  }

  @Test
  void aLimitedRateCountsChunksAsLargeAsTheyAre() {
    // 1 chunk a second: the clock stands, so one chunk is read, and the next when its time comes.
    FileVersion file = origin.put("/a", BLOCK, 1);
    permit(new Lane(CHUNK, 1));
    fetcher.order(BlockPart.whole(blocks(file)));
    await().until(() -> origin.bytesRead.get() == CHUNK && fetcher.queued() == 1);
    long wait = gate.nanosUntilOpen(ReadCause.PREFETCH);
    assertThat(wait).isEqualTo(TimeUnit.SECONDS.toNanos(1));
    clock.addAndGet(wait - 1);
    assertThat(gate.nanosUntilOpen(ReadCause.PREFETCH)).isEqualTo(1);
    clock.addAndGet(1);
    await().until(() -> origin.bytesRead.get() == 2 * CHUNK);
  }

  @Test
  void nobodyAsksForBytesOutsideABlock() {
    FileVersion file = origin.put("/a", BLOCK + 100, 1);
    BlockId last = new BlockId(file, 1);
    for (int outside : new int[] {-1, 100, BLOCK}) {
      assertThatThrownBy(() -> fetcher.demand(last, outside, 1, 0, ReadCause.DEMAND))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED));
    }
    assertThat(fetcher.queued()).isZero();
    assertThat(store.usedBytes()).isZero();
  }

  @Test
  void onlyReadersDemand() throws EleyException {
    FileVersion file = origin.put("/a", 2 * BLOCK, 1);
    for (var cause : List.of(ReadCause.PREFETCH, ReadCause.FALLBACK, ReadCause.DIRECT)) {
      assertThatThrownBy(() -> fetcher.demand(new BlockId(file, 0), 0, 1, 0, cause))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(cause.name());
    }
    fetcher.demand(new BlockId(file, 0), BLOCK - 1, 1, 0, ReadCause.DEMAND).close();
    fetcher.demand(new BlockId(file, 1), 0, 1, BLOCK, ReadCause.READ_AHEAD).close();
    assertThat(fetcher.queued()).isEqualTo(2);
  }

  @Test
  void aDefectCostsItsBlockAndTellsWhoWaitsForIt() throws Exception {
    FileVersion file = origin.put("/a", 2 * BLOCK, 1);
    origin.beforeRead =
        (n, read) -> {
          if (read.position() < BLOCK) {
            throw new IllegalStateException("a defect");
          }
        };
    BlockId broken = new BlockId(file, 0);
    permit(Lane.OPEN);
    try (var held = fetcher.demand(broken, 0, 1, BLOCK, ReadCause.DEMAND)) {
      assertThatThrownBy(() -> held.whenArrived(0, 1).get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
    }
    await().until(() -> failed.containsKey(broken));
    fetcher.order(List.of(BlockPart.whole(new BlockId(file, 1))));
    await().until(() -> store.inventory().equals(List.of(new BlockId(file, 1))));
  }

  @Test
  void aDefectOfOursCostsItsBlockAndNoFetcher() throws Exception {
    FileVersion file = origin.put("/a", 4 * BLOCK, 1);
    for (int i = 0; i < 3; i++) { // more often than there are fetchers
      chunks.clear();
      defectAt = 2;
      BlockId broken = new BlockId(file, i);
      permit(Lane.OPEN);
      // A fetch that fails before its block is pinned is begun anew, and the second is not broken.
      var pinned = new CountDownLatch(1);
      origin.beforeRead = (n, read) -> pass(pinned);
      try (var held = fetcher.demand(broken, 0, 1, BLOCK, ReadCause.DEMAND)) {
        pinned.countDown();
        assertThatThrownBy(() -> held.whenArrived(0, BLOCK).get(30, TimeUnit.SECONDS))
            .hasCauseInstanceOf(EleyException.class);
      }
      await().until(() -> failed.containsKey(broken));
      assertThat(failed.get(broken)).hasRootCauseMessage("a defect of ours");
    }
    assertThat(failed.values()).extracting(EleyException::code).containsOnly(ErrorCode.INTERNAL);
    fetcher.order(List.of(BlockPart.whole(new BlockId(file, 3))));
    await().until(() -> store.inventory().equals(List.of(new BlockId(file, 3))));
    await().until(() -> origin.closes.get() == 4);
  }

  @Test
  @Tag("slow")
  void aReadThatHangsIsToldOnce() {
    FileVersion file = origin.put("/a", BLOCK, 1);
    holdReads();
    permit(Lane.OPEN);
    fetcher.order(BlockPart.whole(blocks(file)));
    await().until(() -> fetcher.readsUnderWay().stream().anyMatch(ReadTime::hangs));
    assertThat(fetcher.readsUnderWay()).hasSize(1);
  }

  @Test
  void closingWaitsForNoReadThatHangs() {
    FileVersion file = origin.put("/a", BLOCK, 1);
    holdReads();
    permit(Lane.OPEN);
    fetcher.order(BlockPart.whole(blocks(file)));
    await().until(() -> fetcher.readsUnderWay().size() == 1);
    fetcher.close();
    assertThat(fetcher.readsUnderWay()).as("it still hangs").hasSize(1);
    goOn.countDown();
    await().until(() -> origin.closes.get() == 1 && store.usedBytes() == 0);
  }

  @Test
  void closingWaitsForAReadThatIsUnderWay() throws Exception {
    FileVersion file = origin.put("/a", BLOCK, 1);
    holdReads();
    permit(Lane.OPEN);
    fetcher.order(BlockPart.whole(blocks(file)));
    await().until(() -> fetcher.readsUnderWay().size() == 1);
    var waited = new AtomicLong();
    var closing =
        new Thread(
            () -> {
              long began = System.nanoTime();
              fetcher.close();
              waited.set(System.nanoTime() - began);
            });
    closing.start();
    await().until(() -> CLOSING.contains(closing.getState()));
    goOn.countDown();
    closing.join(30_000);
    if (waited.get() >= TimeUnit.SECONDS.toNanos(2)) {
      // The machine stood still for longer than close waits; then the read ends by itself.
      await().until(() -> store.usedBytes() == 0 && origin.closes.get() == 1);
    }
    assertThat(fetcher.readsUnderWay()).isEmpty();
    assertThat(store.usedBytes()).isZero();
    assertThat(origin.closes).hasValue(1);
    assertThat(origin.reads).hasSize(1);
  }
}
