package io.eley.prefetcher.plan;

import static io.eley.prefetcher.plan.Plans.PAGED;
import static io.eley.prefetcher.plan.Plans.exact;
import static io.eley.prefetcher.plan.Plans.node;
import static io.eley.prefetcher.plan.Plans.stage;
import static io.eley.prefetcher.plan.Plans.versions;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.server.store.BlockStore;
import io.eley.bb.server.store.BlockWriter;
import io.eley.bb.server.store.DropReason;
import io.eley.bb.server.store.StoreListener;
import io.eley.bb.server.store.StoreOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A window that has more than a node can hold, and the store that a node has: it comes to rest, and
 * no byte is read twice. Files of blocks of four pages; a block takes five of RAM.
 */
class FullNodeTest {
  private static final int BLOCK = PAGED.blockSize();
  private static final int PAGE = PAGED.pageSize();
  private static final int BLOCKS = 8;
  private static final int SPLITS = 40;
  private static final int FETCHERS = 3;
  private static final StageId STAGE = stage("a", 0);
  private static final FileVersion FILE = new FileVersion("/in", (long) SPLITS * BLOCK, 1);

  @TempDir private Path directory;

  /** What a fetcher has begun. */
  private record Fetch(BlockPart part, BlockWriter writer) {}

  private final WavePlanner planner = new WavePlanner(new PlanOptions(PAGED, 0, 0), Plans.view(1));
  private final Queue<Fetch> fetches = new ArrayDeque<>();
  private final List<BlockId> arrived = new ArrayList<>();
  private final List<BlockId> parts = new ArrayList<>();
  private final List<BlockId> dropped = new ArrayList<>();
  private BlockStore store;
  private long bytesRead;
  private int refused;
  private long now;

  @BeforeEach
  void open() throws EleyException {
    var listener =
        new StoreListener() {
          @Override
          public void committed(BlockId block) {
            arrived.add(block);
          }

          @Override
          public void partArrived(BlockId block) {
            parts.add(block);
          }

          @Override
          public void dropped(BlockId block, DropReason reason) {
            dropped.add(block);
          }
        };
    long capacity = (long) BLOCKS * BLOCK;
    store = BlockStore.open(new StoreOptions(directory, PAGED, capacity), listener);
    planner.addNode(node(1), capacity);
    planner.startApplication("a");
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void plan(List<Split> splits, int wave) {
    planner.setWaveSize("a", wave);
    planner.addSplits(STAGE, splits, versions(FILE));
  }

  /** One block each. */
  private static List<Split> whole() {
    return IntStream.range(0, SPLITS)
        .mapToObj(i -> new Split(i, exact(i, FILE, (long) i * BLOCK, BLOCK).slices()))
        .toList();
  }

  /** The second page of a block each. */
  private static List<Split> pages() {
    return IntStream.range(0, SPLITS)
        .mapToObj(i -> exact(i, FILE, (long) i * BLOCK + PAGE, PAGE))
        .toList();
  }

  /** Plans and fetches until nothing is ordered though failed blocks were due many times. */
  private void comeToRest() throws EleyException {
    int idle = 0;
    for (int round = 0; idle < 10; round++) {
      assertThat(round).as("rounds of orders").isLessThan(1000);
      now += Duration.ofSeconds(10).toNanos();
      List<NodeOrders> orders = planner.plan(now);
      idle = orders.isEmpty() ? idle + 1 : 0;
      for (NodeOrders order : orders) {
        store.free(order.free());
        for (BlockPart part : order.fetch()) {
          order(part);
        }
      }
      while (!fetches.isEmpty()) {
        end(fetches.remove());
      }
      report();
    }
  }

  private void order(BlockPart part) throws EleyException {
    BitSet pages = pagesOf(part);
    boolean all = part.pages().isAll();
    if (all ? store.retain(part.block()) : store.retain(part.block(), pages)) {
      (all ? arrived : parts).add(part.block());
      return;
    }
    if (fetches.size() == FETCHERS) {
      end(fetches.remove());
    }
    try {
      Optional<BlockWriter> writer = store.tryCreate(part.block(), ReadCause.PREFETCH, true);
      writer.ifPresent(w -> fetches.add(new Fetch(part, w)));
    } catch (EleyException e) {
      refused++;
      planner.noteFailed(node(1), part.block(), e.code(), now);
    }
  }

  private void end(Fetch fetch) throws EleyException {
    BitSet missing = pagesOf(fetch.part);
    missing.andNot(fetch.writer.written());
    for (int page = missing.nextSetBit(0); page >= 0; page = missing.nextSetBit(page + 1)) {
      fetch.writer.write(page * PAGE, ByteBuffer.allocate(PAGE));
      bytesRead += PAGE;
    }
    if (fetch.writer.full()) {
      fetch.writer.commit();
    } else {
      fetch.writer.suspend(true);
    }
  }

  private static BitSet pagesOf(BlockPart part) {
    return part.pages().bits(PAGED.pageCount(PAGED.length(part.block())));
  }

  private void report() {
    planner.noteArrived(node(1), arrived);
    planner.notePartsArrived(node(1), parts);
    planner.noteDropped(node(1), dropped, now);
    arrived.clear();
    parts.clear();
    dropped.clear();
  }

  /** A task has found its block missing, and reads it. */
  private void demand(BlockId block) throws EleyException {
    end(new Fetch(BlockPart.whole(block), store.create(block)));
    report();
  }

  private BlockId block(int index) {
    return new BlockId(FILE, index);
  }

  @Test
  void wholeBlocksStayAndNoneIsReadAgain() throws Exception {
    plan(whole(), 12);
    comeToRest();
    assertThat(bytesRead).isEqualTo(6L * BLOCK);
    assertThat(store.blockCount()).as("as many as there is room for").isEqualTo(6);
    assertThat(store.evictedBlocks()).isZero();
    assertThat(refused).isZero();
  }

  @Test
  void partsStayAndNoneIsReadAgain() throws Exception {
    plan(pages(), SPLITS);
    comeToRest();
    int room = BLOCKS * BLOCK / PAGE;
    assertThat(bytesRead).isEqualTo((room - 5L) * PAGE);
    assertThat(store.evictedBlocks()).isZero();
    assertThat(refused).isZero();
    assertThat(store.usedBytes()).isEqualTo(bytesRead);
  }

  @Test
  void theWindowSlidesThroughAndEachByteIsReadOnce() throws Exception {
    plan(pages(), SPLITS);
    for (int i = 0; i < SPLITS; i++) {
      comeToRest();
      planner.endTasks(STAGE, List.of(i));
    }
    assertThat(bytesRead).isEqualTo((long) SPLITS * PAGE);
    assertThat(refused).isZero();
  }

  /** Its tasks read more than the node holds: what they read on demand leaves, not the plan's. */
  @Test
  void whatTasksReadOnDemandCostsEachBlockAFewReadsAtMost() throws Exception {
    plan(whole(), 12);
    comeToRest();
    demand(block(10));
    comeToRest();
    long before = bytesRead;
    long evicted = store.evictedBlocks();
    comeToRest();
    assertThat(bytesRead).isEqualTo(before);
    assertThat(store.evictedBlocks()).isEqualTo(evicted).isLessThanOrEqualTo(2);
  }

  /** After a restart a node has what it had, and nobody has ordered that. */
  @Test
  void whatIsWantedAndWasThereBeforeStaysTooForTheRest() throws Exception {
    for (int i = 0; i < 6; i++) {
      demand(block(i));
    }
    long there = bytesRead;
    plan(whole().subList(0, 3), 3);
    planner.addSplits(STAGE, whole().subList(20, 22), versions(FILE));
    planner.setWaveSize("a", 5);
    comeToRest();
    assertThat(bytesRead - there).as("of the two that were not there").isEqualTo(2L * BLOCK);
    assertThat(store.inventory()).contains(block(0), block(1), block(2), block(20), block(21));
  }

  @Test
  void aPrefetchThatFindsNoRoomCostsTheOriginNothing() throws Exception {
    plan(whole(), 12);
    comeToRest();
    long before = bytesRead;
    planner.setCapacity(node(1), 100L * BLOCK);
    comeToRest();
    assertThat(refused).isPositive();
    assertThat(bytesRead).isEqualTo(before);
    assertThat(planner.blocksOfFile("/in").get(11).failures())
        .isEqualTo(PlanOptions.Retries.DEFAULT.attempts());
  }
}
