package io.eley.bb.server.engine;

import static java.lang.Thread.State.BLOCKED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Permit;
import io.eley.bb.api.Permit.Lane;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.permit.PermitGate;
import io.eley.bb.server.fetch.FetchListener;
import io.eley.bb.server.fetch.FetchOptions;
import io.eley.bb.server.store.DropReason;
import io.eley.bb.server.store.StoreListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Loads under permits, over an engine that ends its loads when the test says so. */
final class EngineLoaderTest {
  private static final int THREADS = 3;
  private static final FileVersion FILE = new FileVersion("/f", 100L << 20, 1);

  private final FaultyEngine engine = new FaultyEngine(8L << 20);
  private final PermitGate gate = new PermitGate(Duration.ofHours(1), 1, THREADS, System::nanoTime);
  private EngineLoader loader;
  private long sequence;

  @BeforeEach
  void start() {
    loader = start(engine, gate);
  }

  private static EngineLoader start(BlockEngine engine, PermitGate gate) {
    return start(engine, gate, StoreListener.NONE);
  }

  private static EngineLoader start(BlockEngine engine, PermitGate gate, StoreListener changes) {
    return EngineLoader.start(
        engine,
        FaultyEngine.GEOMETRY,
        gate,
        new FetchOptions(THREADS, Duration.ofSeconds(60), 1),
        new EngineLoader.Reports(changes, FetchListener.NONE));
  }

  @AfterEach
  void end() {
    engine.endAll();
    loader.close();
  }

  private void grant(Lane prefetch, Lane demand) {
    gate.apply(new Permit(++sequence, prefetch, demand, Duration.ofHours(1), "test"));
  }

  private static List<BlockId> blocks(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> new BlockId(FILE, i)).toList();
  }

  @Test
  void loadsNothingWithoutAPermit() {
    loader.order(blocks(0, 4));
    grant(Lane.CLOSED, Lane.CLOSED);
    assertThat(engine.begun()).isEmpty();
    assertThat(loader.counters().queued()).isEqualTo(4);
  }

  @Test
  void aHoldLetsAtMostOneBlockOfEachThreadGoOn() {
    grant(Lane.OPEN, Lane.OPEN);
    loader.order(blocks(0, 8));
    await().until(() -> engine.begun().size() == THREADS);
    grant(Lane.CLOSED, Lane.CLOSED);
    assertThat(gate.bytesUnderWay()).isEqualTo(loader.mostBytesAtOnce());
    engine.endAll();
    await().until(() -> loader.inventory().size() == THREADS);
    assertThat(gate.bytesUnderWay()).isZero();
    assertThat(engine.begun()).hasSize(THREADS);
    assertThat(loader.counters().originBytes())
        .containsEntry(ReadCause.PREFETCH, (long) THREADS << 20);
  }

  @Test
  void aTaskGoesBeforeThePlanAndUnderItsOwnLane() throws Exception {
    grant(Lane.CLOSED, Lane.OPEN);
    engine.endAll();
    loader.order(blocks(0, 3));
    var here = new CompletableFuture<String>();
    loader.lease(new BlockId(FILE, 9), waiter(here));
    assertThat(here.get()).isEqualTo("here");
    assertThat(engine.begun()).containsExactly(new BlockId(FILE, 9));
    assertThat(loader.counters().originBytes()).containsOnlyKeys(ReadCause.DEMAND);
  }

  @Test
  void freesBehindOnceItsReaderHasEnded() throws Exception {
    grant(Lane.OPEN, Lane.OPEN);
    engine.endAll();
    BlockId block = new BlockId(FILE, 0);
    var here = new CompletableFuture<String>();
    loader.lease(block, waiter(here));
    here.get();
    loader.free(List.of(block));
    assertThat(engine.removed()).isEmpty();
    loader.release(block);
    await().until(() -> engine.removed().contains(block));
    await().until(() -> loader.counters().usedBytes() == 0);
  }

  @Test
  void anEngineThatFailsCostsItsReaderTheBlockAndNothingElse() throws Exception {
    grant(Lane.OPEN, Lane.OPEN);
    engine.endAll();
    engine.fail(new EleyException(ErrorCode.UNAVAILABLE, "worker killed"));
    var failed = new CompletableFuture<String>();
    loader.lease(new BlockId(FILE, 0), waiter(failed));
    assertThat(failed.get()).isEqualTo("UNAVAILABLE");
    assertThat(loader.counters().usedBytes()).isZero();
    engine.fail(null);
    await().until(() -> lease(0).get().equals("here"));
  }

  @Test
  void loadsThatHangAreCountedUntilOneReadsTheOrigin() throws Exception {
    grant(Lane.OPEN, Lane.OPEN);
    engine.endAll();
    engine.fail(new EleyException(ErrorCode.ORIGIN_HUNG, "no answer"));
    assertThat(lease(0).get()).isEqualTo("ORIGIN_HUNG");
    assertThat(lease(1).get()).isEqualTo("ORIGIN_HUNG");
    assertThat(loader.counters().hung()).isEqualTo(2);
    engine.fail(null);
    engine.haveAll(true);
    assertThat(lease(0).get()).isEqualTo("here");
    assertThat(loader.counters().hung()).as("the engine had that").isEqualTo(2);
    engine.haveAll(false);
    assertThat(lease(1).get()).isEqualTo("here");
    assertThat(loader.counters().hung()).isZero();
  }

  @Test
  void whatWasReadInVainIsOursAndWhatWasNotReadIsNot() throws Exception {
    grant(Lane.OPEN, Lane.OPEN);
    engine.endAll();
    var stale = new EleyException(ErrorCode.STALE_VERSION, "another file");
    engine.fail(stale);
    assertThat(lease(0).get()).isEqualTo("STALE_VERSION");
    assertThat(loader.counters().originBytes()).isEmpty();
    engine.fail(new ReadInVainException(1000, stale));
    assertThat(lease(0).get()).isEqualTo("STALE_VERSION");
    assertThat(loader.counters().originBytes())
        .containsExactlyEntriesOf(Map.of(ReadCause.DEMAND, 1000L));
  }

  /** Each round that a loader makes ends with a wait; the JVM counts those. */
  @Test
  void loadersForWhichThereIsNoRoomRest() throws Exception {
    var full = new FaultyEngine(2L << 20);
    full.endAll();
    full.holdRemovals();
    var open = new PermitGate(Duration.ofHours(1), 1, THREADS, System::nanoTime);
    try (var crowded = start(full, open)) {
      open.apply(new Permit(1, Lane.OPEN, Lane.OPEN, Duration.ofHours(1), "test"));
      crowded.order(blocks(0, 3));
      await().until(() -> crowded.inventory().size() == 2);
      crowded.free(blocks(0, 1));
      await().until(() -> full.removed().equals(blocks(0, 1)));
      try {
        long began = System.nanoTime();
        long before = full.waitsOfLoaders();
        int looked = full.looks();
        await().until(() -> full.looks() >= looked + 3);
        long rounds = full.waitsOfLoaders() - before;
        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        assertThat(rounds).as("in %d s", seconds).isLessThanOrEqualTo(THREADS * (seconds + 3));
      } finally {
        full.letRemovalsGo();
      }
      await().until(() -> crowded.inventory().containsAll(blocks(1, 3)));
    }
  }

  @Test
  void aBlockThatIsFreedWhileItArrivesIsReportedToHaveArrivedFirst() {
    var shared = new FaultyEngine(2L << 20);
    var heard = new CopyOnWriteArrayList<String>();
    var listener =
        new StoreListener() {
          @Override
          public void committed(BlockId block) {
            // Who frees the block meanwhile goes as far as it can.
            await().until(() -> heard.contains("dropped") || shared.freeing() == BLOCKED);
            heard.add("arrived");
          }

          @Override
          public void dropped(BlockId block, DropReason reason) {
            heard.add("dropped");
          }
        };
    var open = new PermitGate(Duration.ofHours(1), 1, THREADS, System::nanoTime);
    try (var freed = start(shared, open, listener)) {
      open.apply(new Permit(1, Lane.OPEN, Lane.OPEN, Duration.ofHours(1), "test"));
      await().until(() -> shared.renewals() > 0);
      freed.order(blocks(0, 1));
      await().until(() -> shared.begun().size() == 1);
      freed.free(blocks(0, 1));
      shared.endAll();
      await().until(() -> heard.size() == 2);
      assertThat(heard).containsExactly("arrived", "dropped");
    }
  }

  private CompletableFuture<String> lease(int block) {
    var result = new CompletableFuture<String>();
    loader.lease(new BlockId(FILE, block), waiter(result));
    return result;
  }

  @Test
  void whatCannotBeReachedLosesItsBlocksAndKeepsNobodyWaiting() throws Exception {
    grant(Lane.OPEN, Lane.OPEN);
    loader.order(blocks(0, 2));
    await().until(() -> engine.begun().size() == 2);
    CompletableFuture<String> waiting = lease(5);
    engine.reach(false);
    assertThat(waiting.get()).isEqualTo("UNAVAILABLE");
    engine.endAll();
    await().until(() -> lease(0).get().equals("UNAVAILABLE"));
    assertThat(engine.removed()).isEmpty();
    engine.reach(true);
    await().until(() -> lease(5).get().equals("here"));
  }

  @Test
  void blocksOfAnEngineThatComesBackAreGivenBackAndLoadedAnew() throws Exception {
    grant(Lane.OPEN, Lane.OPEN);
    engine.endAll();
    loader.order(blocks(0, 2));
    await().until(() -> loader.inventory().size() == 2);
    engine.reach(false);
    await().until(() -> loader.inventory().isEmpty());
    assertThat(loader.counters().usedBytes()).isEqualTo(2 << 20);
    engine.reach(true);
    await().until(() -> loader.counters().usedBytes() == 0);
    assertThat(engine.removed()).containsExactlyInAnyOrderElementsOf(blocks(0, 2));
    assertThat(lease(1).get()).isEqualTo("here");
  }

  @Test
  void readersGiveUpWhatAHoldKeepsFromThem() throws Exception {
    grant(Lane.CLOSED, Lane.CLOSED);
    var late = new CompletableFuture<String>();
    loader.lease(new BlockId(FILE, 0), waiter(late));
    loader.giveUp(Duration.ofHours(1), new EleyException(ErrorCode.DEADLINE, "late"));
    assertThat(late).isNotDone();
    loader.giveUp(Duration.ZERO, new EleyException(ErrorCode.DEADLINE, "late"));
    assertThat(late.get()).isEqualTo("DEADLINE");
    assertThat(loader.counters().queued()).isZero();
  }

  @Test
  void renewsWhatTheEngineWouldFreeIfWeHadDied() {
    await().until(() -> engine.renewals() >= 2);
  }

  @Test
  void givesEverythingBackAtTheEnd() {
    grant(Lane.OPEN, Lane.OPEN);
    engine.endAll();
    loader.order(blocks(0, 5));
    await().until(() -> loader.inventory().size() == 5);
    loader.close();
    assertThat(engine.removed()).containsExactlyInAnyOrderElementsOf(blocks(0, 5));
  }

  private static EngineLoader.Waiter waiter(CompletableFuture<String> result) {
    return new EngineLoader.Waiter() {
      @Override
      public void here() {
        result.complete("here");
      }

      @Override
      public void failed(EleyException why) {
        result.complete(why.code().name());
      }
    };
  }
}
