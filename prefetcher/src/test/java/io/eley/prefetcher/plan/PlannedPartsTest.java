package io.eley.prefetcher.plan;

import static io.eley.prefetcher.plan.Plans.BLOCK;
import static io.eley.prefetcher.plan.Plans.blocks;
import static io.eley.prefetcher.plan.Plans.exact;
import static io.eley.prefetcher.plan.Plans.node;
import static io.eley.prefetcher.plan.Plans.part;
import static io.eley.prefetcher.plan.Plans.parts;
import static io.eley.prefetcher.plan.Plans.stage;
import static io.eley.prefetcher.plan.Plans.versions;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockPart;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans of splits whose bytes are known exactly; blocks have four pages. */
class PlannedPartsTest {
  private static final StageId STAGE = stage("a", 0);
  private static final FileVersion FILE = Plans.file("/in", 40);

  /**
   * Three row groups of six pages, of each of which one column is read: in the pages 1, 7 and 13.
   * So block 1 holds the end of the first row group and the beginning of the second. The fourth
   * task reads a column that straddles the blocks 4 and 5.
   */
  private static final List<Split> SPLITS =
      List.of(
          exact(0, FILE, BLOCK, 10, 5 * BLOCK, 1),
          exact(1, FILE, 7 * BLOCK + 5, BLOCK - 5),
          exact(2, FILE, 13 * BLOCK, 1),
          exact(3, FILE, 19 * BLOCK + 1, BLOCK));

  private static WavePlanner planned(int capacityPages, int wave, int waves) {
    var planner = Plans.single(new PlanOptions(Plans.PAGED, waves, 999), 0, wave);
    planner.setCapacity(node(1), (long) capacityPages * BLOCK);
    planner.addSplits(STAGE, SPLITS, versions(FILE));
    return planner;
  }

  @Test
  void onlyThePagesThatTheWindowsTasksReadAreOrdered() {
    assertThat(parts(planned(99, 4, 0), 0))
        .containsExactly(
            part(FILE, 0, 1),
            part(FILE, 1, 1, 3),
            part(FILE, 3, 1),
            part(FILE, 4, 3),
            part(FILE, 5, 0));
  }

  /** Three blocks have room; of the pages that are wanted of five all would have. */
  @Test
  void blocksOfAnotherEngineTakeTheirWholeRoom() {
    var planner = planned(3 * 4, 4, 0);
    planner.setView(Plans.viewOfEngine(1));
    assertThat(parts(planner, 0)).isEqualTo(BlockPart.whole(blocks(FILE, 0, 1, 3)));
    planner.noteArrived(node(1), blocks(FILE, 0, 1, 3));
    planner.endTasks(STAGE, List.of(0));
    assertThat(parts(planner, 1)).isEqualTo(BlockPart.whole(blocks(FILE, 4)));
  }

  @Test
  void aTaskThatComesIntoTheWindowAddsItsPagesToASharedBlock() {
    var planner = planned(99, 1, 0);
    assertThat(parts(planner, 0)).containsExactly(part(FILE, 0, 1), part(FILE, 1, 1));
    planner.setWaveSize("a", 2);
    assertThat(parts(planner, 1)).containsExactly(part(FILE, 1, 1, 3));
    assertThat(planner.plan(2)).as("nothing is ordered twice").isEmpty();
  }

  @Test
  void aSharedBlockIsFreedWhenNoWindowWantsAnyOfItsPages() {
    var planner = planned(99, 2, 0);
    parts(planner, 0);
    planner.noteArrived(node(1), blocks(FILE, 0, 1));
    planner.endTasks(STAGE, List.of(0));
    assertThat(planner.plan(1))
        .containsExactly(new NodeOrders(node(1), List.of(part(FILE, 3, 1)), blocks(FILE, 0)));
    planner.endTasks(STAGE, List.of(1));
    assertThat(planner.plan(2))
        .containsExactly(
            new NodeOrders(node(1), List.of(part(FILE, 4, 3), part(FILE, 5, 0)), blocks(FILE, 1)));
  }

  /** A node of nine pages; the five of a block are kept free for what is fetched. */
  @Test
  void roomIsCountedInPagesAndOfWhatIsFetchedInBlocks() {
    var planner = planned(9, 4, 0);
    assertThat(parts(planner, 0)).containsExactly(part(FILE, 0, 1));
    planner.noteArrived(node(1), blocks(FILE, 0));
    assertThat(parts(planner, 1)).containsExactly(part(FILE, 1, 1, 3));
    assertThat(planner.plan(2)).isEmpty();
    planner.noteArrived(node(1), blocks(FILE, 1));
    assertThat(parts(planner, 3)).containsExactly(part(FILE, 3, 1));
    planner.noteArrived(node(1), blocks(FILE, 3));
    assertThat(planner.plan(4)).as("four pages are there").isEmpty();
  }

  @Test
  void pagesOfATaskThatHasEndedTakeRoomAsLongAsTheirBlockIsWanted() {
    var planner = planned(9, 3, 0);
    for (int block : new int[] {0, 1, 3}) {
      parts(planner, 0);
      planner.noteArrived(node(1), blocks(FILE, block));
    }
    planner.endTasks(STAGE, List.of(0));
    assertThat(planner.plan(1))
        .as("block 0 was one page: there is room for one of both that the fourth task needs")
        .containsExactly(new NodeOrders(node(1), List.of(part(FILE, 4, 3)), blocks(FILE, 0)));
  }

  @Test
  void whoeverReadsTheWholeBlockGetsItWholeForAll() {
    var planner = planned(99, 1, 0);
    planner.startApplication("b");
    planner.setWaveSize("b", 1);
    var slice = new FileSlice("/in", new ByteRange(4L * BLOCK, 4L * BLOCK - 999));
    planner.addSplits(stage("b", 0), List.of(new Split(0, List.of(slice))), versions(FILE));
    assertThat(parts(planner, 0))
        .containsExactlyInAnyOrder(part(FILE, 0, 1), BlockPart.whole(blocks(FILE, 1).get(0)));
    planner.noteArrived(node(1), blocks(FILE, 0, 1));
    planner.endApplication("b");
    assertThat(planner.plan(1)).as("a page of it is wanted").isEmpty();
  }

  @Test
  void figuresCountTheBytesOfPages() {
    var planner = planned(99, 2, 0);
    parts(planner, 0);
    assertThat(planner.figures("a"))
        .contains(new ApplicationFigures(2, 3 * BLOCK, 0, 12 + BLOCK - 5 + BLOCK, 4, 0, 0));
    planner.noteArrived(node(1), blocks(FILE, 1));
    planner.setWaveSize("a", 4);
    planner.endTasks(STAGE, List.of(1));
    assertThat(planner.figures("a"))
        .as("page 3 of block 1 is in RAM, but in no window any more")
        .contains(new ApplicationFigures(4, 5 * BLOCK, BLOCK, 12 + BLOCK, 4, 1, 0));
  }

  @Test
  void factsCountTheBytesThatTheirTasksRead() {
    var planner = planned(99, 1, 0);
    assertThat(planner.blocksOfFile("/in"))
        .extracting(BlockFacts::bytes)
        .containsExactly(BLOCK, 2 * BLOCK, BLOCK, BLOCK, BLOCK);
    assertThat(planner.blocksOfTask("a", 0, 1))
        .extracting(BlockFacts::bytes)
        .containsExactly(BLOCK);
  }

  @Test
  void aNewVersionIsPlannedByItsPages() {
    var planner = planned(99, 1, 0);
    parts(planner, 0);
    var newer = new FileVersion("/in", 40L * BLOCK, 2);
    planner.replace(newer);
    assertThat(planner.plan(1))
        .containsExactly(
            new NodeOrders(
                node(1), List.of(part(newer, 0, 1), part(newer, 1, 1)), blocks(FILE, 0, 1)));
  }
}
