package io.eley.prefetcher.plan;

import static io.eley.prefetcher.plan.Plans.BLOCK;
import static io.eley.prefetcher.plan.Plans.blocks;
import static io.eley.prefetcher.plan.Plans.exact;
import static io.eley.prefetcher.plan.Plans.fetches;
import static io.eley.prefetcher.plan.Plans.node;
import static io.eley.prefetcher.plan.Plans.parts;
import static io.eley.prefetcher.plan.Plans.splits;
import static io.eley.prefetcher.plan.Plans.stage;
import static io.eley.prefetcher.plan.Plans.versions;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.prefetcher.plan.ReadShare.Trust;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What tasks have read corrects what is planned for the other tasks of their stage. */
class ReadShareTest {
  private static final StageId STAGE = stage("a", 0);
  private static final FileVersion FILE = Plans.file("/in", 40);

  /** Ten splits of a block with four pages each; two tasks run at once, and two are next. */
  private static WavePlanner planned() {
    var planner = Plans.single(new PlanOptions(Plans.PAGED, 1, 0), 99, 2);
    planner.addSplits(STAGE, splits(FILE, 4), versions(FILE));
    return planner;
  }

  /** The task has read so many pages of its split from the begin. */
  private static void reads(WavePlanner planner, int task, int pages) {
    long begin = 4L * BLOCK * task;
    var slice = new FileSlice("/in", new ByteRange(begin, (long) pages * BLOCK));
    planner.noteRead(STAGE, task, pages == 0 ? List.of() : List.of(slice));
    planner.endTasks(STAGE, List.of(task));
  }

  private static long unread(WavePlanner planner) {
    return planner.figures("a").orElseThrow().unreadBytes();
  }

  /** It does when a connection broke; the sum is said to be since its start. */
  @Test
  void whatWasLeftUnreadOutlivesAReportOfEverything() {
    var planner = planned();
    fetches(planner, 0);
    planner.noteArrived(node(1), blocks(FILE, 0));
    reads(planner, 0, 1);
    long before = unread(planner);
    assertThat(before).isEqualTo(3 * BLOCK);
    assertThat(planner.startApplication("a")).isTrue();
    assertThat(unread(planner)).isEqualTo(before);
    planner.endApplication("a");
    assertThat(planner.startApplication("a")).isTrue();
    assertThat(unread(planner)).as("of another life").isZero();
  }

  @Test
  void tasksThatReadTheirSplitsChangeNothing() {
    var planner = planned();
    assertThat(fetches(planner, 0)).isEqualTo(blocks(FILE, 0, 1, 2, 3));
    planner.noteArrived(node(1), blocks(FILE, 0, 1, 2, 3));
    reads(planner, 0, 4);
    reads(planner, 1, 4);
    assertThat(fetches(planner, 1)).isEqualTo(blocks(FILE, 4, 5));
    assertThat(unread(planner)).isZero();
  }

  @Test
  void whenTwoTasksHaveReadLittleNothingIsPlannedForTheOthers() {
    var planner = planned();
    fetches(planner, 0);
    planner.noteArrived(node(1), blocks(FILE, 0, 1));
    reads(planner, 0, 1);
    assertThat(fetches(planner, 1)).as("one task alone may be odd").isEqualTo(blocks(FILE, 4));
    reads(planner, 1, 0);
    var orders = planner.plan(2).get(0);
    assertThat(orders.fetch()).isEmpty();
    assertThat(orders.free()).containsExactlyInAnyOrderElementsOf(blocks(FILE, 1, 2, 3, 4));
    assertThat(unread(planner)).as("of what had arrived").isEqualTo(7 * BLOCK);
    assertThat(planner.figures("a").orElseThrow().windowBytes()).isZero();
    var task = planner.blocksOfTask("a", 0, 5).get(0).tasks().get(0);
    assertThat(task.unread()).isEqualTo(Optional.of(new BlockFacts.Unread(2, 12)));
  }

  @Test
  void whatIsPlannedReturnsWhenTasksReadItAgain() {
    var planner = planned();
    fetches(planner, 0);
    reads(planner, 0, 0);
    reads(planner, 1, 0);
    assertThat(fetches(planner, 1)).isEmpty();
    IntStream.range(2, 8).forEach(task -> reads(planner, task, 4));
    assertThat(fetches(planner, 2)).as("six of eight").isEmpty();
    var share = new ReadShare();
    IntStream.range(0, 2).forEach(task -> share.note(100, 0));
    IntStream.range(0, ReadShare.LAST - 1).forEach(task -> share.note(100, 100));
    assertThat(share.trust()).as("one of the last").isEqualTo(Trust.NONE);
    share.note(100, 100);
    assertThat(share.trust()).isEqualTo(Trust.CONFIRMED);
  }

  @Test
  void aPlanIsConfirmedByTwoTasks() {
    for (boolean tentative : List.of(false, true)) {
      var share = new ReadShare();
      if (tentative) {
        share.makeTentative();
      }
      assertThat(share.trust()).isEqualTo(tentative ? Trust.NONE : Trust.BELIEVED);
      share.note(0, 0);
      assertThat(share.trust()).isEqualTo(tentative ? Trust.NONE : Trust.BELIEVED);
      share.note(100, 100);
      assertThat(share.trust()).isEqualTo(Trust.BELIEVED);
      share.note(100, 100);
      assertThat(share.trust()).isEqualTo(Trust.CONFIRMED);
    }
  }

  /** Two reads of one node: four blocks ahead. */
  @Test
  void aWindowGrowsWhenTwoTasksHaveReadTheirSplitsAndNotBefore() {
    var planner = Plans.single(new PlanOptions(Plans.PAGED, WindowReach.growing(2), 0), 99, 2);
    planner.addSplits(STAGE, splits(FILE, 4), versions(FILE));
    assertThat(fetches(planner, 0)).isEqualTo(blocks(FILE, 0, 1, 2, 3));
    planner.noteArrived(node(1), blocks(FILE, 0, 1, 2, 3));
    reads(planner, 0, 4);
    assertThat(fetches(planner, 1)).isEqualTo(blocks(FILE, 4));
    reads(planner, 1, 4);
    assertThat(fetches(planner, 2)).isEqualTo(blocks(FILE, 5, 6, 7));
    planner.setCapacity(node(1), 2L * 4 * 5 * BLOCK);
    assertThat(planner.plan(3).get(0).free())
        .as("into half of the room")
        .containsExactlyInAnyOrderElementsOf(blocks(FILE, 7));
  }

  @Test
  void aTwentiethMoreIsNotTooMuch() {
    var share = new ReadShare();
    share.note(100, 95);
    share.note(100, 95);
    assertThat(share.trust()).isEqualTo(Trust.CONFIRMED);
    share.note(100, 94);
    assertThat(share.trust()).isEqualTo(Trust.NONE);
  }

  @Test
  void aStageThatMayStopEarlyIsPlannedWhenOneTaskHasReadItsSplit() {
    var planner = Plans.single(new PlanOptions(Plans.PAGED, 1, 0), 99, 2);
    planner.makeTentative(STAGE);
    planner.addSplits(STAGE, splits(FILE, 4), versions(FILE));
    assertThat(planner.plan(0)).isEmpty();
    assertThat(planner.blocksOfTask("a", 0, 5).get(0).tasks().get(0).unread())
        .isEqualTo(Optional.of(new BlockFacts.Unread(0, 0)));
    reads(planner, 0, 4);
    assertThat(fetches(planner, 1)).isEqualTo(blocks(FILE, 1, 2, 3, 4));
  }

  @Test
  void aSplitThatIsSmallerThanItsBlocksIsReadWholeWhenItsOwnBytesAre() {
    var planner = Plans.single(new PlanOptions(Plans.PAGED, 1, 0), 99, 1);
    var halves =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    new Split(
                        i, List.of(new FileSlice("/in", new ByteRange(2L * BLOCK * i, 2 * BLOCK)))))
            .toList();
    planner.addSplits(STAGE, halves, versions(FILE));
    fetches(planner, 0);
    planner.noteArrived(node(1), blocks(FILE, 0));
    for (int task = 0; task < 3; task++) {
      planner.noteRead(STAGE, task, halves.get(task).slices());
      planner.endTasks(STAGE, List.of(task));
    }
    assertThat(fetches(planner, 1)).isEqualTo(blocks(FILE, 1, 2));
    assertThat(unread(planner)).isZero();
  }

  @Test
  void pagesOfColumnsThatTasksSkipAreCountedAlone() {
    var planner = Plans.single(new PlanOptions(Plans.PAGED, 1, 0), 99, 1);
    var split = exact(0, FILE, 0, BLOCK, 2 * BLOCK, BLOCK);
    planner.addSplits(STAGE, List.of(split), versions(FILE));
    assertThat(parts(planner, 0)).hasSize(1);
    planner.noteArrived(node(1), blocks(FILE, 0));
    planner.noteRead(STAGE, 0, List.of(new FileSlice("/in", new ByteRange(10, 20))));
    assertThat(unread(planner)).isEqualTo(BLOCK);
  }

  @Test
  void whatNobodyPlansIsNotLookedAt() {
    var planner = planned();
    planner.noteRead(STAGE, 99, List.of());
    planner.noteRead(stage("a", 7), 0, List.of());
    planner.noteRead(stage("b", 0), 0, List.of());
    planner.makeTentative(stage("b", 0));
    planner.noteRead(STAGE, 0, List.of(new FileSlice("/other", new ByteRange(0, 1))));
    planner.noteRead(STAGE, 1, List.of(new FileSlice("/in", new ByteRange(0, 40L * BLOCK))));
    planner.endStage(STAGE);
    planner.noteRead(STAGE, 2, List.of());
    assertThat(planner.plan(0)).isEmpty();
  }
}
