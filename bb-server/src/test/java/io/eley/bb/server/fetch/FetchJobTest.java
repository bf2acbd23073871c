package io.eley.bb.server.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.GuardedFile;
import io.eley.bb.api.origin.GuardedOrigin;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.BlockWriter;
import io.eley.bb.server.store.DropReason;
import io.eley.bb.server.store.StoreListener;
import io.eley.bb.server.store.StoreOptions;
import io.eley.test.fixtures.FakeOrigin;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fetch of one block, step by step, and what the store has of the block after each. */
class FetchJobTest {
  private static final int PAGE = 16 << 10;
  private static final int CHUNK = 4 * PAGE;
  private static final BlockGeometry GEOMETRY = new BlockGeometry(2 * CHUNK, CHUNK);
  private static final int BLOCK = GEOMETRY.blockSize();
  private final EleyException why = new EleyException(ErrorCode.ORIGIN_HUNG, "it hangs");

  @TempDir Path directory;

  private final FakeOrigin origin = new FakeOrigin();
  private final BlockId block = new BlockId(origin.put("/a", BLOCK, 1), 0);
  private final BlockId small = new BlockId(origin.put("/b", 2 * PAGE, 1), 0);
  private final List<String> events = new CopyOnWriteArrayList<>();
  private BlockStore store;

  @BeforeEach
  void open() throws EleyException {
    var listener =
        new StoreListener() {
          @Override
          public void committed(BlockId id) {
            events.add("committed");
          }

          @Override
          public void partArrived(BlockId id) {
            events.add("part");
          }

          @Override
          public void dropped(BlockId id, DropReason reason) {
            events.add("dropped");
          }
        };
    store = BlockStore.open(new StoreOptions(directory, GEOMETRY, 4L * BLOCK), listener);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static FetchJob job(BlockId id, Want want) {
    var job = new FetchJob(id, ReadCause.PREFETCH, new WantedPages(GEOMETRY, id));
    job.wanted.add(want);
    return job;
  }

  private static FetchJob whole(BlockId id) {
    return job(id, new Want.Whole());
  }

  private BlockWriter writer(FetchJob job) throws EleyException {
    return job.writer(store, ReadCause.PREFETCH).orElseThrow();
  }

  @Test
  void oneChunkOfWhichAllIsWantedIsSmallUntilAThreadHasBegunIt() {
    FetchJob job = whole(small);
    assertThat(job.small()).isTrue();
    assertThat(job.nextBytes()).as("it is opened and read at once").isEqualTo(2 * PAGE);
    job.begun = true;
    assertThat(job.small()).isFalse();
    assertThat(job.nextBytes()).as("its file is to be opened").isZero();
    assertThat(whole(block).small()).as("two chunks").isFalse();
    assertThat(job(small, new Want.Bytes(0, 1, 0)).small()).as("one page of two").isFalse();
  }

  @Test
  void openingReadsNothingAndWhatFollowsIsTheNextPiece() throws Exception {
    FetchJob job = whole(block);
    assertThat(job.nextBytes()).isZero();
    try (var guard = new GuardedOrigin("test", 1, Duration.ofSeconds(30))) {
      job.file = GuardedFile.open(guard, block.file(), () -> origin.open(block.file()));
      assertThat(job.nextBytes()).isEqualTo(CHUNK);
      writer(job).write(0, ByteBuffer.allocate(CHUNK));
      assertThat(job.nextBytes()).as("the other chunk").isEqualTo(CHUNK);
      assertThat(job.satisfied()).isFalse();
      writer(job).write(CHUNK, ByteBuffer.allocate(CHUNK));
      assertThat(job.nextBytes()).isZero();
      assertThat(job.satisfied()).isTrue();
      job.file.close();
    }
    job.finish();
  }

  @Test
  void theSpaceIsReservedOnceAndTheBlockIsCommittedOnce() throws Exception {
    FetchJob job = whole(small);
    BlockWriter writer = writer(job);
    assertThat(writer(job)).isSameAs(writer);
    assertThat(store.usedBytes()).isEqualTo(store.footprintBytes(small));
    assertThat(whole(small).writer(store, ReadCause.PREFETCH)).as("another fetch of it").isEmpty();
    writer.write(0, ByteBuffer.wrap(origin.bytes("/b", 0, 2 * PAGE)));
    job.finish();
    assertThat(events).containsExactly("committed");
    assertThat(job.writer(store, ReadCause.PREFETCH)).as("it is over").isEmpty();
    assertThat(job.pin(store, ReadCause.DEMAND)).isEmpty();
    job.finish();
    job.abort(why);
    assertThat(store.inventory()).containsExactly(small);
  }

  @Test
  void whatIsLeftAsAPartIsReportedWhenSomebodyOrderedIt() throws Exception {
    var pages = new BitSet();
    pages.set(0, 2);
    for (Want want : List.of(new Want.Bytes(0, 2 * PAGE, 0), new Want.Part(pages))) {
      FetchJob job = job(block, want);
      BlockWriter writer = writer(job);
      if (writer.written().isEmpty()) {
        writer.write(0, ByteBuffer.allocate(2 * PAGE));
      }
      assertThat(job.satisfied()).isTrue();
      job.finish();
      assertThat(store.partialBytes()).isEqualTo(2 * PAGE);
      assertThat(job.writer(store, ReadCause.PREFETCH))
          .as("who wants more makes a new fetch")
          .isEmpty();
    }
    assertThat(events).as("of the second").containsExactly("part");
  }

  @Test
  void aPartWhoseOrderWasTakenBackIsReportedToNobodyAndKeptForNobody() throws Exception {
    FetchJob job = job(block, new Want.Part(PageSet.range(0, 2).bits(2)));
    job.disown();
    writer(job).write(0, ByteBuffer.allocate(2 * PAGE));
    job.finish();
    assertThat(events).isEmpty();
    long allButOne = store.capacityBytes() - 2 * PAGE - store.footprintBytes(small) + 1;
    assertThat(store.reserveScratch(allButOne)).isTrue();
    assertThat(writer(whole(small)).full()).isFalse();
    assertThat(store.partialBytes()).as("it has left for a prefetch").isZero();
  }

  @Test
  void aBlockThatAnotherFetchHasBroughtIsKeptForWhoeverOrderedIt() throws Exception {
    FetchJob first = whole(small);
    writer(first).write(0, ByteBuffer.allocate(2 * PAGE));
    assertThat(whole(small).foundWhole(store)).as("it is arriving").isFalse();
    first.finish();
    store.forgetPlans();
    assertThat(job(small, new Want.Bytes(0, 1, 0)).foundWhole(store)).isTrue();
    assertThat(store.tryCreate(block, ReadCause.PREFETCH, true)).as("beside it").isPresent();
    assertThat(whole(small).foundWhole(store)).isTrue();
    var next = origin.put("/c", 4 * BLOCK, 1);
    for (int i = 0; i < 2; i++) {
      writer(whole(new BlockId(next, i)));
    }
    assertThatThrownBy(() -> writer(whole(new BlockId(next, 2))))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE));
    assertThat(store.inventory()).containsExactly(small);
  }

  @Test
  void whoHasPinnedWhatArrivesLearnsWhyItDoesNot() throws Exception {
    FetchJob job = whole(block);
    try (var pinned = job.pin(store, ReadCause.DEMAND).orElseThrow()) {
      writer(job).write(0, ByteBuffer.allocate(CHUNK));
      job.abort(why);
      assertThatThrownBy(() -> pinned.whenArrived(CHUNK, 1).get())
          .isInstanceOf(ExecutionException.class)
          .hasCause(why);
    }
    assertThat(store.usedBytes()).isZero();
    assertThat(job.writer(store, ReadCause.PREFETCH)).isEmpty();
    job.finish();
    assertThat(events).isEmpty();
  }

  @Test
  void aFetchThatIsGivenUpBeforeItHasSpaceNeverTakesAny() throws Exception {
    FetchJob job = whole(block);
    assertThat(job.satisfied()).isFalse();
    job.finish();
    job.abort(why);
    assertThat(job.writer(store, ReadCause.PREFETCH)).isEmpty();
    assertThat(store.usedBytes()).isZero();
  }

  private static FetchQueue openQueue() {
    var gate = new PermitGate(Duration.ofHours(1), 1 << 20, 2, System::nanoTime);
    gate.apply(new Permit(1, Lane.OPEN, Lane.OPEN, Duration.ofHours(1), "test"));
    return new FetchQueue(gate, CHUNK, 1);
  }

  private FetchJob enroll(FetchQueue queue) throws EleyException {
    return queue.enroll(small, ReadCause.DEMAND, new Want.Whole(), () -> whole(small));
  }

  /** A reader's try while there is no space; afterwards there is. */
  private void refuse(FetchJob job) {
    assertThat(store.reserveScratch(store.capacityBytes())).isTrue();
    assertThatThrownBy(() -> job.pin(store, ReadCause.DEMAND))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE));
    store.releaseScratch(store.capacityBytes());
  }

  @Test
  void aFetchForWhichAnotherReaderFindsSpaceOutlivesTheRefusalOfTheFirst() throws Exception {
    FetchQueue queue = openQueue();
    FetchJob job = enroll(queue);
    assertThat(enroll(queue)).as("of the other reader").isSameAs(job);
    refuse(job);
    try (var pinned = job.pin(store, ReadCause.DEMAND).orElseThrow()) {
      assertThat(queue.discard(job)).isFalse();
      assertThat(queue.waiting()).isEqualTo(1);
      FetchQueue.Turn turn = Objects.requireNonNull(queue.take());
      assertThat(turn.job()).isSameAs(job);
      writer(job).write(0, ByteBuffer.wrap(origin.bytes("/b", 0, 2 * PAGE)));
      job.finish();
      queue.finish(turn);
      assertThat(pinned.complete()).isTrue();
    }
    assertThat(store.inventory()).containsExactly(small);
  }

  @Test
  void aFetchThatItsFirstReaderHasGivenUpTakesNoSpaceForAnother() throws Exception {
    FetchQueue queue = openQueue();
    FetchJob job = enroll(queue);
    refuse(job);
    assertThat(queue.discard(job)).isTrue();
    assertThat(job.pin(store, ReadCause.DEMAND))
        .as("of the other reader, who comes late")
        .isEmpty();
    assertThat(store.usedBytes()).isZero();
    FetchJob again = enroll(queue);
    assertThat(again).isNotSameAs(job);
    again.pin(store, ReadCause.DEMAND).orElseThrow().close();
    assertThat(queue.waiting()).isEqualTo(1);
  }
}
