package io.eley.bb.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.ReadCause;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which blocks an engine loads and gives back: by example, and against a model. */
final class EngineBlocksTest {
  private static final FileVersion FILE = new FileVersion("/f", 1000, 1);
  private final EngineBlocks<String> blocks = new EngineBlocks<>(2, block -> 1);

  private static BlockId block(int index) {
    return new BlockId(FILE, index);
  }

  private void load(ReadCause cause) {
    BlockId first = blocks.first(cause).orElseThrow();
    assertThat(blocks.makeRoom(1, cause)).isTrue();
    blocks.begin(cause);
    blocks.loaded(first);
  }

  /** A stream that was open through an outage gives back what is not counted any more. */
  @Test
  void aReaderOfWhatWasLostEndsNobodyElsesLease() {
    blocks.demand(block(0), "before");
    load(ReadCause.DEMAND);
    blocks.lose();
    assertThat(blocks.takeLeaving()).isEqualTo(block(0));
    blocks.left(block(0));
    blocks.demand(block(0), "after");
    load(ReadCause.DEMAND);
    blocks.free(List.of(block(0)));
    blocks.release(block(0));
    assertThat(blocks.takeLeaving()).as("the second still reads").isNull();
    blocks.release(block(0));
    assertThat(blocks.takeLeaving()).isEqualTo(block(0));
  }

  @Test
  void aPlanWaitsForRoomUntilItsFirstBlocksAreFreed() {
    List.of(0, 1, 2).forEach(i -> blocks.order(block(i)));
    load(ReadCause.PREFETCH);
    load(ReadCause.PREFETCH);
    assertThat(blocks.makeRoom(1, ReadCause.PREFETCH)).isFalse();
    assertThat(blocks.takeLeaving()).isNull();
    blocks.free(List.of(block(0)));
    assertThat(blocks.takeLeaving()).isEqualTo(block(0));
    assertThat(blocks.makeRoom(1, ReadCause.PREFETCH)).isFalse();
    assertThat(blocks.left(block(0))).isTrue();
    load(ReadCause.PREFETCH);
    assertThat(blocks.inventory()).containsExactlyInAnyOrder(block(1), block(2));
    assertThat(blocks.gone()).isEqualTo(1);
  }

  @Test
  void whatNobodyWillFreeGivesWayToTheNextPlan() {
    blocks.order(block(0));
    blocks.order(block(1));
    load(ReadCause.PREFETCH);
    blocks.begin(ReadCause.PREFETCH);
    blocks.order(block(2));
    blocks.forgetOrders();
    blocks.loaded(block(1));
    assertThat(blocks.first(ReadCause.PREFETCH)).contains(block(2));
    blocks.order(block(1));
    assertThat(blocks.makeRoom(1, ReadCause.PREFETCH)).isFalse();
    assertThat(blocks.takeLeaving()).isEqualTo(block(0));
    assertThat(blocks.takeLeaving()).isNull();
  }

  @Test
  void whatWasQueuedWhenItsOrderWasForgottenGivesWayOnceItIsHere() {
    blocks.order(block(0));
    blocks.order(block(1));
    blocks.forgetOrders();
    load(ReadCause.PREFETCH);
    load(ReadCause.PREFETCH);
    blocks.order(block(2));
    assertThat(blocks.makeRoom(1, ReadCause.PREFETCH)).isFalse();
    assertThat(blocks.takeLeaving()).isEqualTo(block(0));
    assertThat(blocks.left(block(0))).isTrue();
    load(ReadCause.PREFETCH);
    assertThat(blocks.inventory()).containsExactlyInAnyOrder(block(1), block(2));
  }

  @Test
  void whatWasOrderedWhileItLeftDoesNotComeBackForAnOrderThatWasForgotten() {
    blocks.order(block(0));
    load(ReadCause.PREFETCH);
    blocks.free(List.of(block(0)));
    assertThat(blocks.takeLeaving()).isEqualTo(block(0));
    blocks.order(block(0));
    blocks.forgetOrders();
    assertThat(blocks.left(block(0))).as("no order of it stands").isTrue();
    assertThat(blocks.first(ReadCause.PREFETCH)).isEmpty();
    assertThat(blocks.used()).isZero();
  }

  @Test
  void aTaskDrivesOutWhatNobodyReads() {
    blocks.order(block(0));
    blocks.order(block(1));
    load(ReadCause.PREFETCH);
    load(ReadCause.PREFETCH);
    assertThat(blocks.demand(block(0), "reader")).isTrue();
    assertThat(blocks.demand(block(2), "task")).isFalse();
    assertThat(blocks.makeRoom(1, ReadCause.DEMAND)).isFalse();
    assertThat(blocks.takeLeaving()).isEqualTo(block(1));
    assertThat(blocks.takeLeaving()).isNull();
    blocks.left(block(1));
    assertThat(blocks.makeRoom(1, ReadCause.DEMAND)).isTrue();
    blocks.begin(ReadCause.DEMAND);
    assertThat(blocks.loaded(block(2))).containsExactly("task");
  }

  @Test
  void aFreedBlockStaysWhileItIsRead() {
    blocks.demand(block(0), "a");
    load(ReadCause.DEMAND);
    blocks.free(List.of(block(0)));
    assertThat(blocks.takeLeaving()).isNull();
    blocks.release(block(0));
    assertThat(blocks.takeLeaving()).isEqualTo(block(0));
  }

  @Test
  void whatIsOrderedWhileItLeavesIsLoadedAgain() {
    blocks.order(block(0));
    load(ReadCause.PREFETCH);
    blocks.free(List.of(block(0)));
    assertThat(blocks.takeLeaving()).isEqualTo(block(0));
    assertThat(blocks.order(block(0))).isFalse();
    assertThat(blocks.left(block(0))).as("its order stands, so it is not lost").isFalse();
    assertThat(blocks.first(ReadCause.PREFETCH)).contains(block(0));
  }

  @Test
  void whatATaskWaitsForWhileItLeavesIsNewsToWhoPlans() {
    blocks.order(block(0));
    load(ReadCause.PREFETCH);
    blocks.free(List.of(block(0)));
    assertThat(blocks.takeLeaving()).isEqualTo(block(0));
    assertThat(blocks.demand(block(0), "task")).isFalse();
    assertThat(blocks.left(block(0))).as("the task may give up").isTrue();
    assertThat(blocks.first(ReadCause.DEMAND)).contains(block(0));
  }

  @Test
  void whatIsLostIsToldOnce() {
    blocks.order(block(0));
    load(ReadCause.PREFETCH);
    assertThat(blocks.lose()).containsExactly(block(0));
    assertThat(blocks.takeLeaving()).isEqualTo(block(0));
    assertThat(blocks.left(block(0))).isFalse();
    assertThat(blocks.used()).isZero();
  }

  @Test
  void aTaskThatGivesUpLeavesThePlan() {
    blocks.order(block(0));
    blocks.demand(block(0), "late");
    blocks.demand(block(1), "late");
    blocks.giveUp("late"::equals);
    assertThat(blocks.first(ReadCause.DEMAND)).isEmpty();
    assertThat(blocks.first(ReadCause.PREFETCH)).contains(block(0));
    assertThat(blocks.queued()).isEqualTo(1);
  }

  /** Random calls: never more bytes than the capacity, no leased block leaves, counts agree. */
  @Test
  void keepsItsPromisesUnderAnyCalls() {
    for (int seed = 0; seed < 300; seed++) {
      run(new Random(seed));
    }
  }

  private static void run(Random random) {
    int capacity = 1 + random.nextInt(4);
    var blocks = new EngineBlocks<Integer>(capacity, block -> 1);
    Map<BlockId, Integer> leases = new HashMap<>();
    List<BlockId> loading = new ArrayList<>();
    List<BlockId> leaving = new ArrayList<>();
    Set<BlockId> waiting = new HashSet<>();
    for (int step = 0; step < 200; step++) {
      BlockId block = block(random.nextInt(8));
      switch (random.nextInt(7)) {
        case 0 -> blocks.order(block);
        case 1 -> {
          if (waiting.isEmpty() && blocks.demand(block, 1)) {
            leases.merge(block, 1, Integer::sum);
          } else if (waiting.isEmpty()) {
            waiting.add(block);
          }
        }
        case 2 -> blocks.free(List.of(block));
        case 3 -> {
          if (leases.getOrDefault(block, 0) > 0) {
            leases.merge(block, -1, Integer::sum);
            blocks.release(block);
          }
        }
        case 4 ->
            begin(blocks, random.nextBoolean() ? ReadCause.DEMAND : ReadCause.PREFETCH, loading);
        case 5 -> {
          if (!loading.isEmpty()) {
            BlockId done = loading.remove(0);
            boolean fails = random.nextInt(4) == 0;
            int waited = (fails ? blocks.failed(done) : blocks.loaded(done)).size();
            if (waited > 0) {
              waiting.remove(done);
              leases.merge(done, fails ? 0 : waited, Integer::sum);
            }
          }
        }
        default -> {
          BlockId next = blocks.takeLeaving();
          if (next != null) {
            assertThat(leases.getOrDefault(next, 0)).as("leases of what leaves").isZero();
            leaving.add(next);
          }
          if (random.nextBoolean() && !leaving.isEmpty()) {
            blocks.left(leaving.remove(0));
          }
        }
      }
      assertThat(blocks.used()).isBetween(0L, (long) capacity);
      assertThat(blocks.here()).isEqualTo(blocks.inventory().size());
    }
  }

  private static void begin(EngineBlocks<Integer> blocks, ReadCause cause, List<BlockId> loading) {
    var first = blocks.first(cause);
    if (first.isPresent() && blocks.makeRoom(1, cause)) {
      blocks.begin(cause);
      loading.add(first.get());
    }
  }
}
