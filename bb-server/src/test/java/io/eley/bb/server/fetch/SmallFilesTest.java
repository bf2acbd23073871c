package io.eley.bb.server.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.StoreListener;
import io.eley.bb.server.store.StoreOptions;
import io.eley.test.fixtures.FakeOrigin;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a tenth of a chunk, and one fetcher thread. */
class SmallFilesTest {
  private static final int CHUNK = 4096;
  private static final int SMALL = 400;
  private static final BlockGeometry GEOMETRY = new BlockGeometry(8 * CHUNK, CHUNK);

  /** Of a thread that has begun to close a fetcher whose call does not end. */
  private static final Set<Thread.State> CLOSING =
      EnumSet.of(Thread.State.TIMED_WAITING, Thread.State.TERMINATED);

  @TempDir Path directory;

  private final FakeOrigin origin = new FakeOrigin();
  private final Map<BlockId, ErrorCode> failed = new ConcurrentHashMap<>();

  private final PermitGate gate = new PermitGate(Duration.ofHours(1), 1 << 20, 8, System::nanoTime);
  private BlockStore store;
  private BlockFetcher fetcher;

  @BeforeEach
  void start() throws EleyException {
    store = BlockStore.open(new StoreOptions(directory, GEOMETRY, 4 << 20), StoreListener.NONE);
    fetcher = fetcher(Duration.ofSeconds(30));
  }

  private BlockFetcher fetcher(Duration deadline) {
    var listener =
        new FetchListener() {
          @Override
          public void alreadyThere(BlockId block) {}

          @Override
          public void failed(BlockId block, EleyException error) {
            failed.put(block, error.code());
          }
        };
    return BlockFetcher.start(new FetchOptions(1, deadline, 4), origin, store, gate, listener);
  }

  @AfterEach
  void close() {
    origin.thaw();
    fetcher.close();
    store.close();
  }

  private void permit(int sequence, Lane prefetch) {
    gate.apply(new Permit(sequence, prefetch, Lane.OPEN, Duration.ofHours(1), "test"));
  }

  private List<BlockId> order(int count) {
    List<BlockId> blocks =
        IntStream.range(0, count)
            .mapToObj(i -> new BlockId(origin.put(String.format("/d/%04d", i), SMALL), 0))
            .toList();
    fetcher.order(blocks.stream().map(BlockPart::whole).toList());
    return blocks;
  }

  private boolean there(BlockId block) {
    try (var held = store.acquire(block).orElse(null)) {
      return held != null && held.complete();
    } catch (EleyException e) {
      throw new AssertionError(e);
    }
  }

  private void assertContents(BlockId block) throws Exception {
    try (var held = store.acquire(block).orElseThrow()) {
      var bytes = ByteBuffer.allocate(held.length());
      assertThat(held.channel().read(bytes, 0)).isEqualTo(SMALL);
      assertThat(bytes.array()).isEqualTo(origin.bytes(block.file().path(), 0, SMALL));
    }
  }

  @Test
  void aChunkOfThemGoesInOneTurnAndEachCostsOneOpenAndOneRead() throws Exception {
    List<BlockId> blocks = order(100);
    int waiting = fetcher.queued();
    origin.freeze();
    permit(1, Lane.OPEN);
    await().until(() -> origin.opens.get() == 1);
    assertThat(waiting - fetcher.queued()).as("blocks in the first turn").isEqualTo(10);
    origin.thaw();
    await().until(() -> blocks.stream().allMatch(this::there));
    for (BlockId block : blocks) {
      assertContents(block);
    }
    assertThat(origin.opens).hasValue(100);
    assertThat(origin.closes).hasValue(100);
    assertThat(origin.reads).hasSize(100);
    assertThat(fetcher.originBytes()).containsEntry(ReadCause.PREFETCH, 100L * SMALL);
    assertThat(failed).isEmpty();
  }

  @Test
  void aHoldStopsThemBetweenTwoFiles() {
    List<BlockId> blocks = order(100);
    origin.beforeOpen =
        (n, read) -> {
          if (n == 3) {
            permit(2, Lane.CLOSED);
          }
        };
    permit(1, Lane.OPEN);
    await().until(() -> blocks.subList(0, 3).stream().allMatch(this::there));
    assertThat(origin.opens).hasValue(3);
    permit(3, Lane.OPEN);
    await().until(() -> blocks.stream().allMatch(this::there));
    assertThat(origin.opens).hasValue(100);
  }

  @Test
  void oneThatHasChangedOrIsGoneFailsAlone() {
    List<BlockId> blocks = order(20);
    origin.put("/d/0002", SMALL, 77);
    origin.truncateSilently("/d/0004", 10);
    origin.beforeRead =
        (n, read) -> {
          if (read.path().equals("/d/0006")) {
            origin.put("/d/0006", SMALL, 77);
          }
        };
    permit(1, Lane.OPEN);
    await().until(() -> blocks.stream().filter(this::there).count() == 17 && failed.size() == 3);
    assertThat(failed)
        .containsOnlyKeys(blocks.get(2), blocks.get(4), blocks.get(6))
        .allSatisfy((block, code) -> assertThat(code).isEqualTo(ErrorCode.STALE_VERSION));
    assertThat(origin.closes).hasValue(20);
  }

  @Test
  void anOriginThatHangsFailsThoseOfItsTurnAndTouchesNoFurtherFileWhenItComesBack() {
    fetcher.close();
    fetcher = fetcher(Duration.ofSeconds(3));
    List<BlockId> blocks = order(10);
    origin.beforeOpen =
        (n, read) -> {
          if (n == 3) {
            origin.freeze();
          }
        };
    permit(1, Lane.OPEN);
    await().until(() -> failed.size() == 10);
    assertThat(failed.values()).containsOnly(ErrorCode.ORIGIN_HUNG);
    assertThat(fetcher.hungCalls()).isEqualTo(1);
    origin.thaw();
    await().until(() -> fetcher.hungCalls() == 0);
    assertThat(origin.opens).hasValue(3);
    assertThat(origin.closes).hasValue(3);
    fetcher.order(blocks.stream().map(BlockPart::whole).toList());
    await().until(() -> blocks.stream().allMatch(this::there));
  }

  @Test
  void thoseThatAHoldHasStoppedGiveTheirSpaceBackWhenTheNodeStops() throws Exception {
    order(10);
    var second = new CountDownLatch(1);
    var closing = new Thread(fetcher::close);
    origin.beforeOpen =
        (n, read) -> {
          if (n == 2) {
            permit(2, Lane.CLOSED);
            closing.start();
            // It waits for this call, up to 2 s: whoever looks later finds that it has ended.
            await().until(() -> CLOSING.contains(closing.getState()));
            second.countDown();
          }
        };
    permit(1, Lane.OPEN);
    second.await();
    closing.join();
    await()
        .until(
            () ->
                store.usedBytes()
                    == store.inventory().stream().mapToLong(store::footprintBytes).sum());
    assertThat(origin.opens).hasValue(2);
  }

  @Test
  void aPartThatIsThereIsCompletedOnItsOwn() throws Exception {
    permit(1, Lane.OPEN);
    var large = new BlockId(origin.put("/large", CHUNK), 0);
    fetcher.demand(large, 0, 1, 0, ReadCause.DEMAND).close();
    await().until(() -> fetcher.queued() == 0 && origin.closes.get() == 1);
    permit(2, Lane.CLOSED);
    List<BlockId> blocks = order(30);
    fetcher.order(List.of(BlockPart.whole(large)));
    permit(3, Lane.OPEN);
    await().until(() -> blocks.stream().allMatch(this::there) && there(large));
    assertThat(failed).isEmpty();
  }
}
