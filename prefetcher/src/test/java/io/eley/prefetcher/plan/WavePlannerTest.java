package io.eley.prefetcher.plan;

import static io.eley.prefetcher.plan.Plans.BLOCK;
import static io.eley.prefetcher.plan.Plans.ROOM;
import static io.eley.prefetcher.plan.Plans.blocks;
import static io.eley.prefetcher.plan.Plans.fetches;
import static io.eley.prefetcher.plan.Plans.file;
import static io.eley.prefetcher.plan.Plans.node;
import static io.eley.prefetcher.plan.Plans.options;
import static io.eley.prefetcher.plan.Plans.orders;
import static io.eley.prefetcher.plan.Plans.single;
import static io.eley.prefetcher.plan.Plans.splits;
import static io.eley.prefetcher.plan.Plans.stage;
import static io.eley.prefetcher.plan.Plans.versions;
import static io.eley.prefetcher.plan.Plans.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WavePlannerTest {
  private static final StageId STAGE = stage("a", 0);
  private static final FileVersion FILE = file("/in", 40);

  private static WavePlanner planned(int capacityBlocks, int wave, int waves) {
    var planner = single(options(waves, 0), capacityBlocks, wave);
    planner.addSplits(STAGE, splits(FILE, 1), versions(FILE));
    return planner;
  }

  @Test
  void theWindowIsTheRunningWaveAndOneMore() {
    var planner = planned(100, 4, 1);

    assertThat(fetches(planner, 0)).isEqualTo(blocks(FILE, 0, 1, 2, 3, 4, 5, 6, 7));
    assertThat(planner.plan(1)).as("nothing is ordered twice").isEmpty();
  }

  @Test
  void withoutAWaveSizeAFirstWindowOfFourSplitsIsPlanned() {
    assertThat(fetches(planned(100, 0, 1), 0)).isEqualTo(blocks(FILE, 0, 1, 2, 3));
  }

  @Test
  void moreWavesAheadWidenTheWindow() {
    assertThat(fetches(planned(100, 2, 3), 0)).isEqualTo(blocks(FILE, 0, 1, 2, 3, 4, 5, 6, 7));
  }

  @Test
  void endedTasksMoveTheWindowAndFreeTheirBlocks() {
    var planner = planned(100, 4, 1);
    planner.noteArrived(node(1), fetches(planner, 0));

    planner.endTasks(STAGE, List.of(0, 1, 2, 4));

    assertThat(planner.plan(1))
        .containsExactly(orders(node(1), blocks(FILE, 8, 9, 10, 11), blocks(FILE, 0, 1, 2, 4)));
  }

  @Test
  void aSlowTaskDoesNotStopTheWindow() {
    var planner = planned(100, 2, 1);
    fetches(planner, 0);
    planner.endTasks(STAGE, List.of(1, 2, 3, 4, 5, 6));

    assertThat(fetches(planner, 1)).isEqualTo(blocks(FILE, 7, 8, 9));
  }

  @Test
  void whatDoesNotFitIntoRamWaitsForATaskToEnd() {
    var planner = planned(3, 4, 1);
    assertThat(fetches(planner, 0)).isEqualTo(blocks(FILE, 0, 1, 2));
    planner.noteArrived(node(1), blocks(FILE, 0, 1, 2));

    planner.endTasks(STAGE, List.of(1));

    assertThat(planner.plan(1)).containsExactly(orders(node(1), blocks(FILE, 3), blocks(FILE, 1)));
  }

  @Test
  void whatANodeHasRoomForMayChange() {
    var planner = planned(100, 4, 1);
    assertThat(planner.setCapacity(node(1), 3L * ROOM)).isTrue();
    assertThat(planner.setCapacity(node(1), 3L * ROOM)).as("no news").isFalse();
    assertThat(planner.setCapacity(node(9), 3L * ROOM)).as("unknown").isFalse();
    assertThat(fetches(planner, 0)).isEqualTo(blocks(FILE, 0, 1, 2));

    planner.setCapacity(node(1), 5L * ROOM);
    assertThat(fetches(planner, 1)).isEqualTo(blocks(FILE, 3, 4));
  }

  @Test
  void theEndOfALastRecordNeedsTheNextBlockOnce() {
    var planner = single(options(0, 1), 100, 2);
    planner.addSplits(STAGE, splits(FILE, 2), versions(FILE));

    assertThat(fetches(planner, 0)).isEqualTo(blocks(FILE, 0, 1, 2, 3, 4));
    planner.endTasks(STAGE, List.of(0));
    assertThat(planner.plan(1))
        .as("block 2 is still needed by split 1")
        .containsExactly(orders(node(1), blocks(FILE, 5, 6), blocks(FILE, 0, 1)));
  }

  @Test
  void theOverrunStopsAtTheEndOfTheFile() {
    var small = new FileVersion("/small", 2 * BLOCK + 10, 1);
    var planner = single(options(1, 64 << 10), 100, 1);
    planner.addSplits(STAGE, splits(small, 1), versions(small));

    assertThat(fetches(planner, 0)).isEqualTo(blocks(small, 0, 1, 2));
  }

  @Test
  void filesThatAreNotKnownCountAsSplitsAndFetchNothing() {
    var planner = single(options(1, 0), 100, 1);
    planner.addSplits(STAGE, splits(file("/gone", 3), 1), versions());

    assertThat(planner.plan(0)).isEmpty();
    assertThat(planner.figures("a").orElseThrow().plannedSplits()).isEqualTo(3);
  }

  @Test
  void tasksMayEndBeforeTheirSplitsAreKnown() {
    var planner = single(options(1, 0), 100, 1);
    planner.endTasks(STAGE, List.of(0, 1));
    planner.addSplits(STAGE, splits(FILE, 1), versions(FILE));

    assertThat(fetches(planner, 0)).isEqualTo(blocks(FILE, 2, 3));
  }

  /** A driver that reports everything again, as PlanModel does, to a coordinator that plans on. */
  @Test
  void nothingIsOrderedForEndedTasksThatAreToldOfBeforeTheirSplits() {
    var planner = planned(100, 4, 1);
    planner.endTasks(STAGE, IntStream.range(0, 30).boxed().toList());
    planner.noteArrived(node(1), fetches(planner, 0));

    planner.startApplication("a");
    planner.setWaveSize("a", 4);
    assertThat(fetches(planner, 1)).isEmpty();
    planner.endTasks(STAGE, IntStream.range(0, 30).boxed().toList());
    assertThat(fetches(planner, 2)).isEmpty();
    var splits = splits(FILE, 1);
    for (int part = 0; part < 30; part += 10) {
      planner.addSplits(STAGE, splits.subList(part, part + 10), versions(FILE));
      assertThat(fetches(planner, 3 + part)).as("part at %s", part).isEmpty();
    }
    planner.addSplits(STAGE, splits.subList(30, 40), versions(FILE));
    assertThat(fetches(planner, 40)).isEqualTo(blocks(FILE, 30, 31, 32, 33, 34, 35, 36, 37));
    assertThat(planner.figures("a").orElseThrow().endedSplits()).isEqualTo(30);
  }

  /** Its executor is lost, with what it had written. */
  @Test
  void aTaskThatRunsAgainIsInTheWindowAgain() {
    var planner = planned(100, 2, 0);
    fetches(planner, 0);
    planner.endTasks(STAGE, List.of(0, 1, 2));
    assertThat(fetches(planner, 1)).isEqualTo(blocks(FILE, 3, 4));
    planner.addSplits(STAGE, splits(FILE, 1).subList(1, 2), versions(FILE));
    assertThat(planner.plan(2)).containsExactly(orders(node(1), blocks(FILE, 1), blocks(FILE, 4)));
    var figures = planner.figures("a").orElseThrow();
    assertThat(figures.plannedSplits()).isEqualTo(40);
    assertThat(figures.endedSplits()).isEqualTo(2);
    planner.endTasks(STAGE, List.of(1));
    assertThat(fetches(planner, 3)).isEqualTo(blocks(FILE, 4));
  }

  @Test
  void anEndedStageStaysEndedThoughItsSplitsComeLate() {
    var planner = planned(100, 1, 1);
    fetches(planner, 0);
    planner.endStage(STAGE);

    assertThat(planner.plan(1)).containsExactly(orders(node(1), List.of(), blocks(FILE, 0, 1)));
    planner.addSplits(STAGE, splits(FILE, 1), versions(FILE));
    assertThat(planner.plan(2)).isEmpty();
  }

  @Test
  void aBlockThatTwoApplicationsNeedIsFreedByTheLast() {
    var planner = planned(100, 1, 0);
    planner.startApplication("b");
    planner.setWaveSize("b", 1);
    planner.addSplits(stage("b", 0), splits(FILE, 1), versions(FILE));
    assertThat(fetches(planner, 0)).isEqualTo(blocks(FILE, 0));

    planner.endApplication("a");
    assertThat(planner.plan(1)).isEmpty();
    planner.endApplication("b");
    assertThat(planner.plan(2)).containsExactly(orders(node(1), List.of(), blocks(FILE, 0)));
  }

  @Test
  void aFailedFetchIsOrderedAgainLaterAndNotForEver() {
    var planner = planned(100, 1, 0);
    long now = 0;
    int orders = 0;
    for (int step = 0; step < 1000; step++) {
      for (var block : fetches(planner, now)) {
        orders++;
        planner.noteFailed(node(1), block, ErrorCode.NO_SPACE, now);
        assertThat(planner.plan(now)).as("not at once").isEmpty();
      }
      now += Duration.ofMillis(100).toNanos();
    }
    assertThat(orders).isEqualTo(PlanOptions.Retries.DEFAULT.attempts());
  }

  @Test
  void whatNoRepetitionMendsIsNotRepeated() {
    var planner = planned(100, 1, 0);
    fetches(planner, 0);
    planner.noteFailed(node(1), blocks(FILE, 0).get(0), ErrorCode.NOT_FOUND, 0);

    assertThat(planner.plan(Duration.ofHours(1).toNanos())).isEmpty();
  }

  @Test
  void aDroppedBlockThatIsNeededIsOrderedAgain() {
    var planner = planned(100, 1, 0);
    planner.noteArrived(node(1), fetches(planner, 0));

    planner.noteDropped(node(1), blocks(FILE, 0, 30), 5);

    assertThat(fetches(planner, 5)).isEqualTo(blocks(FILE, 0));
  }

  @Test
  void aChangedFileIsPlannedInItsNewVersion() {
    var planner = planned(100, 1, 0);
    planner.noteArrived(node(1), fetches(planner, 0));
    var changed = new FileVersion("/in", 40L * BLOCK, 2);

    assertThat(planner.replace(changed)).isTrue();
    assertThat(planner.replace(changed)).isFalse();
    assertThat(planner.plan(1))
        .containsExactly(orders(node(1), blocks(changed, 0), blocks(FILE, 0)));
  }

  @Test
  void aNodeThatLeavesHandsItsBlocksToTheOthersAndGetsItsShareWhenItIsBack() {
    var planner = new WavePlanner(options(1, 0), view(1, 2));
    planner.addNode(node(1), 100L * BLOCK);
    planner.addNode(node(2), 100L * BLOCK);
    planner.startApplication("a");
    planner.setWaveSize("a", 5);
    planner.addSplits(STAGE, splits(FILE, 1), versions(FILE));
    assertThat(planner.plan(0)).allSatisfy(o -> assertThat(o.fetch()).hasSize(5)).hasSize(2);

    planner.removeNode(node(2));
    planner.setView(view(1));
    var handed = fetches(planner, 1);
    assertThat(handed).hasSize(5);

    planner.setView(view(1, 2));
    planner.addNode(node(2), 100L * BLOCK);
    assertThat(planner.plan(2))
        .containsExactlyInAnyOrder(
            orders(node(1), List.of(), handed), orders(node(2), handed, List.of()));
  }

  @Test
  void figuresCountBytesOfTheWindowAndWhatIsInRam() {
    var planner = planned(100, 2, 1);
    fetches(planner, 0);
    planner.noteArrived(node(1), blocks(FILE, 0, 1, 2, 3));
    planner.endTasks(STAGE, List.of(0));

    assertThat(planner.figures("a"))
        .contains(new ApplicationFigures(2, 4L * BLOCK, 3L * BLOCK, 39L * BLOCK, 40, 1, 0));
    assertThat(planner.figures("nobody")).isEmpty();
  }

  @Test
  void whatAnEndLeavesUnfinishedIsAbandoned() {
    var planner = planned(100, 2, 1);
    planner.endTasks(STAGE, List.of(0));
    assertThat(planner.abandonedBytes()).isZero();
    planner.endStage(STAGE);
    assertThat(planner.abandonedBytes()).isEqualTo(39L * BLOCK);
    planner.endStage(STAGE);
    planner.addSplits(stage("a", 1), splits(FILE, 1), versions(FILE));
    planner.startApplication("a");
    assertThat(planner.abandonedBytes()).as("reported anew").isEqualTo(79L * BLOCK);
    planner.addSplits(stage("a", 1), splits(FILE, 1), versions(FILE));
    planner.endTasks(stage("a", 1), IntStream.range(0, 40).boxed().toList());
    planner.endApplication("a");
    planner.endApplication("a");
    assertThat(planner.abandonedBytes()).isEqualTo(79L * BLOCK);
  }

  @Test
  void stagesShareOneWindowInTheOrderInWhichTheyCame() {
    var other = file("/other", 3);
    var planner = single(options(0, 0), 100, 4);
    planner.addSplits(stage("a", 7), splits(other, 1), versions(other));
    planner.addSplits(STAGE, splits(FILE, 1), versions(FILE));
    assertThat(fetches(planner, 0))
        .containsExactly(
            blocks(other, 0).get(0),
            blocks(other, 1).get(0),
            blocks(other, 2).get(0),
            blocks(FILE, 0).get(0));
    planner.endTasks(stage("a", 7), List.of(1));
    assertThat(fetches(planner, 1)).isEqualTo(blocks(FILE, 1));
  }

  @Test
  void whatIsSaidOfStrangersIsIgnored() {
    var planner = planned(100, 1, 0);
    planner.setWaveSize("nobody", 50);
    assertThat(planner.addSplits(stage("nobody", 0), splits(FILE, 1), versions(FILE)))
        .as("nothing of it was refused for want of room")
        .isTrue();
    planner.endTasks(stage("nobody", 0), List.of(0));
    planner.endStage(stage("nobody", 0));
    planner.noteArrived(node(9), blocks(FILE, 0));
    planner.noteDropped(node(9), blocks(FILE, 0), 0);
    planner.noteFailed(node(9), blocks(FILE, 0).get(0), ErrorCode.NO_SPACE, 0);
    planner.removeNode(node(9));
    planner.endApplication("nobody");
    assertThat(planner.applications()).containsExactly("a");
    assertThat(fetches(planner, 0)).isEqualTo(blocks(FILE, 0));
    assertThat(planner.waitsForTime()).isFalse();
  }

  @Test
  void anApplicationThatStartsAgainBeginsFromNothing() {
    var planner = planned(100, 2, 0);
    fetches(planner, 0);
    planner.startApplication("a");
    assertThat(planner.plan(1)).containsExactly(orders(node(1), List.of(), blocks(FILE, 0, 1)));
    assertThat(planner.figures("a")).contains(new ApplicationFigures(0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void aNodeThatComesAgainHasNothing() {
    var planner = planned(100, 1, 0);
    planner.noteArrived(node(1), fetches(planner, 0));
    planner.addNode(node(1), 100L * BLOCK);
    assertThat(fetches(planner, 1)).isEqualTo(blocks(FILE, 0));
  }

  @Test
  void withoutNodesNothingIsOrderedAndFactsHaveNoOwner() {
    var planner = planned(100, 1, 0);
    planner.setView(view());
    planner.removeNode(node(1));
    assertThat(planner.plan(0)).isEmpty();
    assertThat(planner.blocksOfFile("/in").get(0))
        .isEqualTo(
            new BlockFacts(
                blocks(FILE, 0).get(0),
                java.util.Optional.empty(),
                BlockFacts.State.ABSENT,
                BLOCK,
                true,
                0,
                List.of(new BlockFacts.Task("a", "0.0", 0, false, 0, Optional.empty()))));
    assertThat(planner.figures("a"))
        .contains(new ApplicationFigures(1, BLOCK, 0, 40L * BLOCK, 40, 0, 0));
  }

  @Test
  void timeAloneBringsOrdersOnlyAfterAFailure() {
    var planner = planned(100, 1, 0);
    fetches(planner, 0);
    assertThat(planner.waitsForTime()).isFalse();
    planner.noteFailed(node(1), blocks(FILE, 0).get(0), ErrorCode.NO_SPACE, 0);
    assertThat(planner.waitsForTime()).isTrue();
    planner.endTasks(STAGE, List.of(0));
    planner.plan(1);
    assertThat(planner.waitsForTime()).isFalse();
  }

  @Test
  void whatIsGivenUpOrHasArrivedAfterAllIsNotWaitedFor() {
    var planner = planned(100, 2, 0);
    fetches(planner, 0);
    planner.noteFailed(node(1), blocks(FILE, 0).get(0), ErrorCode.NOT_FOUND, 0);
    assertThat(planner.waitsForTime()).as("given up").isFalse();

    planner.noteFailed(node(1), blocks(FILE, 1).get(0), ErrorCode.ORIGIN_FAILED, 0);
    assertThat(planner.waitsForTime()).isTrue();
    assertThat(fetches(planner, Duration.ofSeconds(1).toNanos())).isEqualTo(blocks(FILE, 1));
    assertThat(planner.waitsForTime()).as("on its way").isFalse();
    planner.noteArrived(node(1), blocks(FILE, 1));
    assertThat(planner.waitsForTime()).as("there").isFalse();
    assertThat(planner.plan(Duration.ofHours(1).toNanos())).as("and was right").isEmpty();
  }

  @Test
  void factsOfAFileAreItsBlocksWithAllWhoReadThem() {
    var small = file("/small", 4);
    var planner = single(options(0, 1), 100, 1);
    planner.addSplits(STAGE, splits(small, 2), versions(small));
    planner.startApplication("b");
    planner.setWaveSize("b", 1);
    planner.addSplits(stage("b", 3), splits(small, 4), versions(small));
    fetches(planner, 0);
    planner.noteArrived(node(1), blocks(small, 0));
    planner.noteFailed(node(1), blocks(small, 1).get(0), ErrorCode.NOT_FOUND, 0);
    planner.endTasks(STAGE, List.of(0));
    var facts = planner.blocksOfFile("/small");
    assertThat(facts).extracting(f -> f.block().index()).containsExactly(0, 1, 2, 3);
    assertThat(facts)
        .extracting(BlockFacts::state)
        .containsExactly(
            BlockFacts.State.PRESENT,
            BlockFacts.State.GIVEN_UP,
            BlockFacts.State.ORDERED,
            BlockFacts.State.ORDERED);
    assertThat(facts).allMatch(BlockFacts::inWindow);
    assertThat(facts).allMatch(f -> f.node().equals(java.util.Optional.of("n1")));
    assertThat(facts.get(1).failures()).isEqualTo(PlanOptions.Retries.DEFAULT.attempts());
    var ofB = new BlockFacts.Task("b", "3.0", 0, false, 0, Optional.empty());
    assertThat(facts.get(0).tasks())
        .containsExactly(new BlockFacts.Task("a", "0.0", 0, true, 0, Optional.empty()), ofB);
    assertThat(facts.get(2).tasks())
        .as("the end of the first split's last record, too")
        .containsExactly(
            new BlockFacts.Task("a", "0.0", 0, true, 0, Optional.empty()),
            new BlockFacts.Task("a", "0.0", 1, false, 0, Optional.empty()),
            ofB);
    assertThat(planner.blocksOfFile("/other")).isEmpty();
  }

  @Test
  void factsComeInTheOrderOfTheFileWhoeverReadsItsEndFirst() {
    var planner = single(options(0, 0), 100, 1);
    var splits = splits(FILE, 1);
    planner.addSplits(STAGE, splits.subList(30, 32), versions(FILE));
    planner.addSplits(stage("a", 1), splits.subList(0, 2), versions(FILE));
    assertThat(planner.blocksOfFile("/in"))
        .extracting(f -> f.block().index())
        .containsExactly(0, 1, 30, 31);
  }

  @Test
  void factsOfATaskAreTheBlocksThatItReads() {
    var planner = planned(100, 1, 0);
    planner.addSplits(stage("a", 10), splits(FILE, 1), versions(FILE));
    assertThat(planner.blocksOfTask("a", 0, 5))
        .containsExactly(
            new BlockFacts(
                blocks(FILE, 5).get(0),
                java.util.Optional.of("n1"),
                BlockFacts.State.ABSENT,
                BLOCK,
                false,
                0,
                List.of(new BlockFacts.Task("a", "0.0", 5, false, 5, Optional.empty()))));
    assertThat(planner.blocksOfTask("a", 10, 5).get(0).tasks())
        .containsExactly(new BlockFacts.Task("a", "10.0", 5, false, 5, Optional.empty()));
    assertThat(planner.blocksOfTask("a", 1, 5)).as("not stage 10").isEmpty();
    assertThat(planner.blocksOfTask("b", 0, 5)).isEmpty();
    assertThat(planner.blocksOfTask("a", 0, 40)).isEmpty();
  }

  @Test
  void moreFilesThanAreRememberedArePlannedAllTheSame() {
    var planner = single(options(0, 0), 10_000, 5000);
    for (int i = 0; i < 5000; i++) {
      var one = file("/f" + i, 1);
      var split = new Split(i, splits(one, 1).get(0).slices());
      planner.addSplits(STAGE, List.of(split), versions(one));
    }
    assertThat(fetches(planner, 0)).hasSize(5000).doesNotHaveDuplicates();
  }
}
