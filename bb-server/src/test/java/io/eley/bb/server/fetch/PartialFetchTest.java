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
import io.eley.bb.server.store.DropReason;
import io.eley.bb.server.store.StoreListener;
import io.eley.bb.server.store.StoreOptions;
import io.eley.bb.server.store.StoredBlock;
import io.eley.test.fixtures.FakeOrigin;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks of which only a part is wanted. */
class PartialFetchTest {
  private static final int PAGE = 16 << 10;
  private static final int CHUNK = 4 * PAGE;
  private static final BlockGeometry GEOMETRY = new BlockGeometry(4 * CHUNK, CHUNK);
  private static final int BLOCK = GEOMETRY.blockSize();

  /** Two blocks and some parts. */
  private static final int CAPACITY = 2 * BLOCK + CHUNK;

  @TempDir Path directory;

  private final FakeOrigin origin = new FakeOrigin();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final PermitGate gate = new PermitGate(Duration.ofHours(1), 1 << 30, 8, System::nanoTime);
  private FileVersion file;
  private BlockId block;
  private BlockStore store;
  private BlockFetcher fetcher;

  private final class Events implements StoreListener, FetchListener {
    @Override
    public void committed(BlockId id) {
      events.add("committed " + id.index());
    }

    @Override
    public void partArrived(BlockId id) {
      events.add("part of " + id.index());
    }

    @Override
    public void dropped(BlockId id, DropReason reason) {
      events.add("dropped " + id.index());
    }

    @Override
    public void alreadyThere(BlockId id) {
      events.add("already " + id.index());
    }

    @Override
    public void failed(BlockId id, EleyException error) {
      events.add("failed " + id.index() + " " + error.code());
    }
  }

  @BeforeEach
  void start() throws EleyException {
    file = origin.put("/a", 8 * BLOCK - 100, 1);
    block = new BlockId(file, 1);
    var listener = new Events();
    store = BlockStore.open(new StoreOptions(directory, GEOMETRY, CAPACITY), listener);
    fetcher =
        BlockFetcher.start(
            new FetchOptions(2, Duration.ofSeconds(30), 4), origin, store, gate, listener);
    permit(Lane.OPEN);
  }

  @AfterEach
  void close() {
    fetcher.close();
    store.close();
  }

  private void permit(Lane lane) {
    gate.apply(new Permit(gate.sequence() + 1, lane, lane, Duration.ofHours(1), "test"));
  }

  /** Reads bytes of a block as a reader does, and compares them with the origin's. */
  private void read(BlockId id, int offset, int length, int ahead) throws Exception {
    try (StoredBlock held = fetcher.demand(id, offset, length, ahead, ReadCause.DEMAND)) {
      held.whenArrived(offset, length).get(30, TimeUnit.SECONDS);
      var bytes = ByteBuffer.allocate(length);
      while (bytes.hasRemaining()) {
        assertThat(held.channel().read(bytes, offset + bytes.position())).isPositive();
      }
      long from = GEOMETRY.range(id).offset() + offset;
      assertThat(bytes.array()).isEqualTo(origin.bytes(file.path(), from, length));
    }
  }

  private void awaitRest(long bytes) {
    await().until(() -> store.usedBytes() == bytes);
  }

  /** What the fetches had open: the last thing that they do. */
  private void awaitClosed() {
    await().until(() -> origin.opens.get() == origin.closes.get());
  }

  private static PageSet some(int... pages) {
    return PageSet.of(IntStream.of(pages).collect(BitSet::new, BitSet::set, BitSet::or));
  }

  /** What is probably read next is worth no refusal of what is here, in a hold least of all. */
  @Test
  void bytesThatAreHereAreReadThoughThereIsNoRoomForThoseAhead() throws Exception {
    fetcher.order(List.of(new BlockPart(block, some(0))));
    await().until(() -> events.contains("part of 1"));
    try (var second = fetcher.demand(new BlockId(file, 2), 0, BLOCK, 0, ReadCause.DEMAND);
        var third = fetcher.demand(new BlockId(file, 3), 0, BLOCK, 0, ReadCause.DEMAND)) {
      await().until(() -> second.complete() && third.complete());
      read(block, 10, 20, BLOCK);
      assertThatThrownBy(() -> read(block, PAGE, 20, BLOCK)).hasMessageContaining("room");
      // Who finds it out tells, the reader or a fetcher that has just taken the wish; of the first
      // read's, too, in the second case. While the others are pinned there is no room for either.
      await()
          .untilAsserted(
              () ->
                  assertThat(events)
                      .filteredOn(e -> e.startsWith("failed"))
                      .containsOnly("failed 1 NO_SPACE"));
    }
  }

  /** Who ordered it waits for a word of it, and orders it once more when there may be room. */
  @Test
  void anOrderThatAWishTakesAlongIsToldAsFailed() throws Exception {
    fetcher.order(List.of(new BlockPart(block, some(0))));
    await().until(() -> events.contains("part of 1"));
    try (var second = fetcher.demand(new BlockId(file, 2), 0, BLOCK, 0, ReadCause.DEMAND);
        var third = fetcher.demand(new BlockId(file, 3), 0, BLOCK, 0, ReadCause.DEMAND)) {
      await().until(() -> second.complete() && third.complete());
      permit(Lane.CLOSED);
      fetcher.order(List.of(BlockPart.whole(block)));
      read(block, 10, 20, BLOCK);
      await().untilAsserted(() -> assertThat(events).endsWith("failed 1 NO_SPACE"));
    }
  }

  /** What columns need lies in runs; behind a long way each would cost a way there and back. */
  @Test
  void runsOfABlockAreReadAtOnceWhereTheOriginCan() throws Exception {
    origin.readsAtOnce = true;
    fetcher.order(List.of(new BlockPart(block, some(0, 5, 6, 10))));
    await().until(() -> events.contains("part of 1"));
    long begin = GEOMETRY.range(block).offset();
    assertThat(origin.atOnce)
        .containsExactly(List.of(begin, begin + 5L * PAGE, begin + 10L * PAGE));
    assertThat(fetcher.originBytes()).containsEntry(ReadCause.PREFETCH, 4L * PAGE);
    read(block, 5 * PAGE, 2 * PAGE, 0);
    assertThat(origin.bytesRead).as("read before").hasValue(4 * PAGE);
  }

  @Test
  void runsThatAreReadAtOnceAreOneVersion() throws Exception {
    origin.readsAtOnce = true;
    origin.beforeRead = (n, read) -> origin.put("/a", 8 * BLOCK - 100, 2);
    fetcher.order(List.of(new BlockPart(block, some(0, 5))));
    await().until(() -> events.contains("failed 1 STALE_VERSION"));
    awaitRest(0);
    assertThat(origin.opens.get() - origin.closes.get()).isZero();
  }

  @Test
  void aDemandReadsItsPagesOnceAndTheyTakeNoMoreRoomThanTheyAre() throws Exception {
    read(block, 5 * PAGE + 100, PAGE, 0);
    assertThat(origin.bytesRead).hasValue(2 * PAGE);
    awaitRest(2 * PAGE);
    read(block, 5 * PAGE, 2 * PAGE, 0);
    assertThat(origin.bytesRead).as("read before").hasValue(2 * PAGE);
    read(block, 4 * PAGE + 1, 4 * PAGE, 0);
    assertThat(origin.bytesRead)
        .as("the two around it and the next chunk's first")
        .hasValue(5 * PAGE);
    awaitRest(5 * PAGE);
    awaitClosed();
    assertThat(events).as("nobody ordered it").isEmpty();
    assertThat(store.inventory()).isEmpty();
  }

  @Test
  void whatTheReaderWillProbablyWantIsFetchedBehindItUpToTheBlocksEnd() throws Exception {
    read(block, 10 * PAGE, 10, 3 * PAGE);
    await().until(() -> origin.bytesRead.get() == 4 * PAGE);
    awaitRest(4 * PAGE);
    read(block, 14 * PAGE, 10, Integer.MAX_VALUE);
    await().until(() -> origin.bytesRead.get() == 6 * PAGE);
    awaitRest(6 * PAGE);
  }

  @Test
  void anOrderOfTheWholeBlockBringsWhatIsMissing() throws Exception {
    read(block, 3 * PAGE, 2 * PAGE, 0);
    awaitRest(2 * PAGE);
    fetcher.order(List.of(BlockPart.whole(block)));
    await().until(() -> store.inventory().equals(List.of(block)));
    assertThat(origin.bytesRead).hasValue(BLOCK);
    await().until(() -> events.size() == 1); // it is told outside the store's lock
    assertThat(events).containsExactly("committed 1");
    read(block, 0, BLOCK, 0);
    assertThat(fetcher.originBytes())
        .containsEntry(ReadCause.DEMAND, 2L * PAGE)
        .containsEntry(ReadCause.PREFETCH, (long) BLOCK - 2 * PAGE);
  }

  @Test
  void demandsThatTogetherWantAllOfABlockCommitIt() throws Exception {
    for (int chunk = 3; chunk >= 0; chunk--) {
      read(block, chunk * CHUNK, CHUNK, 0);
    }
    await().until(() -> store.inventory().equals(List.of(block)));
    assertThat(origin.bytesRead).hasValue(BLOCK);
  }

  @Test
  void theFilesLastPageIsShort() throws Exception {
    var last = new BlockId(file, 7);
    int length = GEOMETRY.length(last);
    read(last, length - 8, 8, 1000);
    assertThat(origin.bytesRead).hasValue(PAGE - 100);
    awaitRest(PAGE); // RAM-disks allocate pages
  }

  @Test
  void manyPartsFitWhereTwoBlocksDo() throws Exception {
    for (int i = 0; i < 7; i++) {
      read(new BlockId(file, i), 8 * PAGE, 3 * PAGE, 0);
      awaitRest((i + 1) * 3L * PAGE);
    }
    for (int i = 0; i < 7; i++) {
      read(new BlockId(file, i), 8 * PAGE, 3 * PAGE, 0);
    }
    assertThat(origin.bytesRead).as("each once").hasValue(7 * 3 * PAGE);
    assertThat(store.evictedBlocks()).isZero();
  }

  @Test
  void aPartLeavesForABlockThatNeedsItsRoom() throws Exception {
    read(block, 0, BLOCK - PAGE, 0);
    awaitRest(BLOCK - PAGE);
    awaitClosed(); // until then the part is pinned
    fetcher.order(BlockPart.whole(List.of(new BlockId(file, 2), new BlockId(file, 3))));
    await().until(() -> store.blockCount() == 2);
    assertThat(store.evictedBlocks()).isEqualTo(1);
    await().until(() -> events.size() == 2); // they are told outside the store's lock
    assertThat(events).containsExactlyInAnyOrder("committed 2", "committed 3");
    awaitClosed();
    read(block, 0, 1, 0);
    assertThat(origin.bytesRead).hasValue(3 * BLOCK - PAGE + PAGE);
  }

  @Test
  void aPartOfAFileThatHasChangedIsNeverShown() throws Exception {
    read(block, 0, PAGE, 0);
    awaitRest(PAGE);
    origin.put("/a", 8 * BLOCK - 100, 2);
    try (StoredBlock held = fetcher.demand(block, 4 * PAGE, 1, 0, ReadCause.DEMAND)) {
      assertThatThrownBy(() -> held.whenArrived(4 * PAGE, 1).get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasRootCauseInstanceOf(EleyException.class);
    }
    await().until(() -> events.contains("failed 1 " + ErrorCode.STALE_VERSION));
    awaitRest(0);
  }

  @Test
  void whoeverGetsMoreOfAPartHoldsItOnceAndLetsItGo() throws Exception {
    read(block, 0, PAGE, 0);
    awaitRest(PAGE);
    read(block, 4 * PAGE, PAGE, 0);
    read(block, 0, 5 * PAGE, 0);
    awaitRest(5 * PAGE);
    awaitClosed();
    store.dropOtherVersions(origin.put("/a", 1, 2));
    assertThat(store.usedBytes()).as("RAM of what nobody holds").isZero();
  }

  @Test
  void aPartIsGoneAfterARestart() throws Exception {
    read(block, 0, PAGE, 0);
    awaitRest(PAGE);
    fetcher.close();
    store.close();
    assertThat(directory.resolve("tmp")).isEmptyDirectory();
    store = BlockStore.open(new StoreOptions(directory, GEOMETRY, CAPACITY), StoreListener.NONE);
    assertThat(store.usedBytes()).isZero();
    assertThat(store.acquire(block)).isEmpty();
  }

  @Test
  void anOrderedPartIsToldOfOnceItIsThereAndWhenItIsDropped() throws Exception {
    fetcher.order(List.of(new BlockPart(block, PageSet.range(3, 6))));
    await().until(() -> events.contains("part of 1"));
    assertThat(origin.bytesRead).hasValue(3 * PAGE);
    assertThat(origin.reads).as("its pages lie in two chunks").hasSize(2);
    awaitRest(3 * PAGE);
    fetcher.order(List.of(new BlockPart(block, PageSet.range(4, 5))));
    fetcher.order(List.of(new BlockPart(block, PageSet.range(5, 8))));
    await().until(() -> events.size() == 3);
    assertThat(events).containsExactly("part of 1", "already 1", "part of 1");
    assertThat(origin.bytesRead).as("what was missing").hasValue(5 * PAGE);
    read(block, 3 * PAGE, 5 * PAGE, 0);
    assertThat(fetcher.originBytes()).isEqualTo(Map.of(ReadCause.PREFETCH, 5L * PAGE));
    store.dropOtherVersions(origin.put("/a", 1, 2));
    await().untilAsserted(() -> assertThat(events).last().isEqualTo("dropped 1"));
  }

  @Test
  void aPartThatDoesNotFitTheBlockIsRefused() {
    fetcher.order(List.of(new BlockPart(block, PageSet.range(3, 17))));
    assertThat(events).containsExactly("failed 1 " + ErrorCode.MALFORMED);
  }

  @Test
  void aPartThatIsCancelledBeforeItBeginsIsNotFetched() {
    permit(Lane.CLOSED);
    fetcher.order(List.of(new BlockPart(block, PageSet.range(0, 2))));
    assertThat(fetcher.queued()).isEqualTo(1);
    fetcher.cancel(List.of(block));
    permit(Lane.OPEN);
    assertThat(fetcher.queued()).isZero();
    assertThat(origin.opens).hasValue(0);
  }
}
