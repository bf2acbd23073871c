package io.eley.controller.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.error.ErrorCode;
import io.eley.prefetcher.plan.BlockFacts;
import io.eley.prefetcher.plan.PlanOptions;
import io.eley.prefetcher.plan.WavePlanner;
import io.eley.prefetcher.plan.WindowReach;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One application that reads a file of 4 KiB blocks, a task a block, into one or two nodes. */
class PlanLoopTest {
  private static final int BLOCK = 4096;
  private static final BlockGeometry GEOMETRY = new BlockGeometry(BLOCK, BLOCK);
  private static final StageId STAGE = new StageId("app", 3, 0);
  private static final FileVersion FILE = new FileVersion("/in", 16 * BLOCK, 1);

  private final FakeTimeline timeline = new FakeTimeline();
  private final FakeBufferNode a = new FakeBufferNode("a");
  private Duration cost = Duration.ZERO;
  private int plansMade;
  private final PlanLoop loop = loop(true);

  private PlanLoop loop(boolean prefetches) {
    return loop(new PlanOptions(GEOMETRY, 1, 0), prefetches);
  }

  private PlanLoop loop(PlanOptions options, boolean prefetches) {
    var planner = new WavePlanner(options, view(1, "a"));
    PlanCost counted =
        plan -> {
          plan.run();
          plansMade++;
          return cost;
        };
    return new PlanLoop(planner, timeline, counted, prefetches);
  }

  private static ClusterView view(long epoch, String... nodes) {
    return new ClusterView(
        epoch,
        GEOMETRY,
        BufferMode.FULL_DELAY,
        Stream.of(nodes).map(n -> new NodeAddress(new NodeId(n), "h", 7001, "m")).toList());
  }

  private static BlockId block(int index) {
    return new BlockId(FILE, index);
  }

  private static List<BlockId> blocks(int from, int to) {
    return IntStream.range(from, to).mapToObj(PlanLoopTest::block).toList();
  }

  private static List<Split> splits(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                new Split(i, List.of(new FileSlice("/in", new ByteRange((long) i * BLOCK, BLOCK)))))
        .toList();
  }

  /** Tasks of one wave of two, so that the window is four splits. */
  private static void plan(PlanLoop loop, BufferNode node) {
    loop.join(node, 1 << 20);
    loop.startApplication("app");
    loop.setWaveSize("app", 2);
    loop.addSplits(STAGE, splits(16), Map.of("/in", FILE));
  }

  private void planned() {
    plan(loop, a);
    timeline.advance(10);
    assertThat(a.fetched).hasSize(4);
    a.orders.clear();
    a.fetched.clear();
    plansMade = 0;
  }

  @Test
  void aBurstOfReportsIsOnePlanTenMillisecondsAfterTheFirst() {
    loop.join(a, 1 << 20);
    timeline.advance(9);
    loop.startApplication("app");
    loop.setWaveSize("app", 2);
    loop.addSplits(STAGE, splits(16), Map.of("/in", FILE));
    assertThat(plansMade).isZero();
    assertThat(timeline.pending()).isEqualTo(1);
    timeline.advance(1);
    assertThat(plansMade).isEqualTo(1);
    assertThat(a.orders).as("nothing to free is nothing to send").containsExactly("fetch 4");
    assertThat(a.fetched).containsExactlyElementsOf(blocks(0, 4));
    timeline.advance(60_000);
    assertThat(plansMade).as("without news no plan").isEqualTo(1);
  }

  @Test
  void whatHappensAfterAPlanIsTheNextPlan() {
    planned();
    loop.endTasks(STAGE, List.of(0, 1));
    timeline.advance(10);
    assertThat(plansMade).isEqualTo(1);
    assertThat(a.orders).as("first room, then fetches").containsExactly("free 2", "fetch 2");
    assertThat(a.freed).containsExactlyInAnyOrder(block(0), block(1));
    assertThat(a.fetched).containsExactly(block(4), block(5));
  }

  @Test
  void whateverIsNewsIsAReasonToPlan() {
    planned();
    List<Runnable> news =
        List.of(
            () -> loop.setView(view(1, "a")),
            () -> loop.startApplication("other"),
            () -> loop.setWaveSize("app", 2),
            () -> loop.addSplits(new StageId("other", 1, 0), splits(1), Map.of("/in", FILE)),
            () -> loop.noteFailed(a.id(), block(0), ErrorCode.ORIGIN_FAILED),
            () -> loop.endStage(STAGE));
    for (int i = 0; i < news.size(); i++) {
      news.get(i).run();
      timeline.advance(10);
      assertThat(plansMade).as("plans after news %s", i).isEqualTo(i + 1);
    }
  }

  @Test
  void whatIsTakenIntoThePlansIsSaid() {
    planned();
    assertThat(loop.startApplication("other")).as("there is room").isTrue();
    assertThat(loop.addSplits(new StageId("other", 1, 0), splits(1), Map.of("/in", FILE))).isTrue();
  }

  @Test
  void aPlanThatChangesNothingSendsNothing() {
    planned();
    loop.noteArrived(a.id(), blocks(0, 4));
    timeline.advance(10);
    assertThat(plansMade).isEqualTo(1);
    assertThat(a.orders).isEmpty();
  }

  @Test
  void theStageIsOverAndAllOfItIsFreedWithoutAFetch() {
    planned();
    loop.noteArrived(a.id(), blocks(0, 4));
    loop.endStage(STAGE);
    timeline.advance(10);
    assertThat(a.orders).containsExactly("free 4");
  }

  @Test
  void theApplicationIsOverAndAllOfItIsFreed() {
    planned();
    loop.endApplication("app");
    timeline.advance(10);
    assertThat(a.orders).containsExactly("free 4");
    assertThat(loop.figures("app")).isEmpty();
  }

  @Test
  void thePauseBeforeAPlanIsFourTimesTheLastPlansCost() {
    cost = Duration.ofMillis(50);
    planned();
    loop.endTasks(STAGE, List.of(0));
    timeline.advance(199);
    assertThat(plansMade).isZero();
    timeline.advance(1);
    assertThat(plansMade).isEqualTo(1);

    cost = Duration.ofMillis(2);
    loop.endTasks(STAGE, List.of(1));
    timeline.advance(200);
    assertThat(plansMade).isEqualTo(2);
    loop.endTasks(STAGE, List.of(2));
    timeline.advance(9);
    assertThat(plansMade).as("ten milliseconds at least").isEqualTo(2);
    timeline.advance(1);
    assertThat(plansMade).isEqualTo(3);
  }

  @Test
  void theCostIsMeasuredByTheTimeline() {
    var measured = PlanCost.measuredBy(timeline);
    assertThat(measured.of(() -> timeline.advance(7))).isEqualTo(Duration.ofMillis(7));
  }

  @Test
  void withoutPrefetchingNothingIsEverPlanned() {
    var off = loop(false);
    plan(off, a);
    off.endTasks(STAGE, List.of(0));
    off.tick(false);
    timeline.advance(60_000);
    assertThat(plansMade).isZero();
    assertThat(a.orders).isEmpty();
    assertThat(off.figures().unfinished()).as("but it is counted").isEqualTo(15 * BLOCK);
  }

  @Test
  void aFileThatHasChangedIsPlannedAnewWhereAnyPlanHasIt() {
    planned();
    var newer = new FileVersion("/in", 16 * BLOCK, 2);
    assertThat(loop.replace(newer)).isTrue();
    timeline.advance(10);
    assertThat(plansMade).isEqualTo(1);
    assertThat(a.freed).containsExactlyInAnyOrderElementsOf(blocks(0, 4));
    assertThat(a.fetched).hasSize(4).allMatch(b -> b.file().equals(newer));
  }

  @Test
  void aFileThatNobodyPlansIsNoReasonToPlan() {
    planned();
    assertThat(loop.replace(new FileVersion("/other", BLOCK, 2))).isFalse();
    assertThat(timeline.pending()).isZero();
  }

  @Test
  void aFetchThatFailedIsTriedAgainByTicksAfterItsPause() {
    planned();
    loop.noteFailed(a.id(), block(0), ErrorCode.ORIGIN_FAILED);
    timeline.advance(10);
    assertThat(a.orders).as("too early").isEmpty();
    timeline.advance(480);
    loop.tick(false);
    timeline.advance(9);
    assertThat(a.fetched).isEmpty();
    timeline.advance(1);
    loop.tick(false);
    timeline.advance(10);
    assertThat(a.fetched).containsExactly(block(0));
  }

  @Test
  void whatIsGivenUpOrHasArrivedAfterAllIsNoReasonToPlanAtATick() {
    planned();
    loop.noteFailed(a.id(), block(0), ErrorCode.NOT_FOUND);
    loop.noteFailed(a.id(), block(1), ErrorCode.ORIGIN_FAILED);
    timeline.advance(500);
    loop.tick(false);
    timeline.advance(10);
    assertThat(a.fetched).containsExactly(block(1));
    loop.noteArrived(a.id(), blocks(1, 4));
    timeline.advance(10);
    assertThat(plansMade).as("failures, a retry, an arrival").isEqualTo(3);
    loop.tick(false);
    assertThat(timeline.pending()).isZero();
  }

  /** Two tasks a second, so ten in a hold of five seconds; a node that makes one read at once. */
  @Test
  void theWindowBehindAHoldLastsForTheNext() {
    var growing = loop(new PlanOptions(GEOMETRY, WindowReach.growing(1), 0), true);
    var file = new FileVersion("/in", 100 * BLOCK, 1);
    growing.join(a, 1 << 20);
    growing.startApplication("app");
    growing.setWaveSize("app", 2);
    growing.addSplits(STAGE, splits(100), Map.of("/in", file));
    timeline.advance(500);
    for (int task = 0; task < 30; task++) {
      growing.endTasks(STAGE, List.of(task));
      growing.noteRead(STAGE, task, splits(100).get(task).slices());
      growing.tick(false);
      timeline.advance(500);
    }
    assertThat(a.fetched).as("two run, and two are ahead").hasSize(30 + 4);

    growing.tick(true);
    timeline.advance(5000);
    assertThat(a.fetched).hasSize(30 + 4);
    growing.tick(false);
    timeline.advance(10);
    assertThat(a.fetched).as("two run, and ten end meanwhile").hasSize(30 + 12);

    // Its driver tells all again: the window is as large as soon as two tasks have read.
    growing.startApplication("app");
    growing.setWaveSize("app", 2);
    growing.addSplits(STAGE, splits(100), Map.of("/in", file));
    growing.endTasks(STAGE, IntStream.range(0, 30).boxed().toList());
    for (int task = 30; task < 32; task++) {
      growing.noteRead(STAGE, task, splits(100).get(task).slices());
      growing.endTasks(STAGE, List.of(task));
    }
    a.fetched.clear();
    timeline.advance(10);
    assertThat(a.fetched).as("two more").hasSize(2);

    growing.endApplication("app");
    growing.tick(true);
    timeline.advance(5000);
    growing.tick(false);
    assertThat(growing.figures()).isEqualTo(new PlanFigures(0, 0, 0, (70 + 68) * BLOCK));
  }

  @Test
  void withoutTroubleATickPlansNothing() {
    planned();
    loop.tick(false);
    assertThat(timeline.pending()).isZero();
  }

  @Test
  void aBlockThatWasDroppedIsFetchedAgain() {
    planned();
    loop.noteArrived(a.id(), blocks(0, 4));
    timeline.advance(10);
    loop.noteDropped(a.id(), List.of(block(2)));
    timeline.advance(10);
    assertThat(a.fetched).containsExactly(block(2));
  }

  @Test
  void aNodeThatComesAgainIsOrderedEverythingAnew() {
    planned();
    loop.noteArrived(a.id(), blocks(0, 4));
    var again = new FakeBufferNode("a");
    loop.join(again, 1 << 20);
    timeline.advance(10);
    assertThat(again.fetched).containsExactlyElementsOf(blocks(0, 4));
    assertThat(a.orders).as("the old registration").isEmpty();
  }

  @Test
  void aNodeThatHasLeftIsOrderedNothingAndTheOthersTakeItsPart() {
    planned();
    var b = new FakeBufferNode("b");
    loop.join(b, 1 << 20);
    loop.setView(view(2, "a", "b"));
    timeline.advance(10);
    assertThat(b.fetched).as("its half of the window").hasSize(2);
    a.orders.clear();
    loop.leave(List.of(a.id()));
    loop.setView(view(3, "b"));
    timeline.advance(10);
    assertThat(a.orders).isEmpty();
    assertThat(b.fetched).containsExactlyInAnyOrderElementsOf(blocks(0, 4));
  }

  @Test
  void aNodeThatLeavesIsAReasonToPlan() {
    planned();
    loop.leave(List.of(a.id()));
    assertThat(timeline.pending()).isEqualTo(1);
  }

  @Test
  void figuresAddUpOverTheApplications() {
    planned();
    assertThat(loop.figures()).isEqualTo(new PlanFigures(4 * BLOCK, 0, 16 * BLOCK, 0));
    loop.noteArrived(a.id(), blocks(0, 3));
    assertThat(loop.figures()).isEqualTo(new PlanFigures(4 * BLOCK, 3 * BLOCK, 16 * BLOCK, 0));
    loop.endTasks(STAGE, List.of(0, 1));
    assertThat(loop.figures()).isEqualTo(new PlanFigures(4 * BLOCK, BLOCK, 14 * BLOCK, 0));

    loop.startApplication("second");
    loop.setWaveSize("second", 1);
    loop.addSplits(new StageId("second", 0, 0), splits(3), Map.of("/in", FILE));
    assertThat(loop.figures())
        .as("what both want counts for both")
        .isEqualTo(new PlanFigures(6 * BLOCK, 3 * BLOCK, 17 * BLOCK, 0));
    assertThat(loop.figures("second").orElseThrow().plannedSplits()).isEqualTo(3);
  }

  @Test
  void whatIsKnownOfBlocksIsToldByFileAndByTask() {
    planned();
    loop.noteArrived(a.id(), blocks(0, 1));
    assertThat(loop.blocksOfFile("/in")).extracting(f -> f.block().index()).hasSize(16);
    assertThat(loop.blocksOfFile("/other")).isEmpty();
    assertThat(loop.blocksOfTask("app", 3, 0))
        .extracting(BlockFacts::state)
        .containsExactly(BlockFacts.State.PRESENT);
    assertThat(loop.blocksOfTask("app", 3, 1))
        .extracting(BlockFacts::state)
        .containsExactly(BlockFacts.State.ORDERED);
    assertThat(loop.blocksOfTask("app", 4, 0)).isEmpty();
  }
}
