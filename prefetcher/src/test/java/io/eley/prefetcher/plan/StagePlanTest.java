package io.eley.prefetcher.plan;

import static io.eley.prefetcher.plan.Plans.BLOCK;
import static io.eley.prefetcher.plan.Plans.blocks;
import static io.eley.prefetcher.plan.Plans.splits;
import static io.eley.prefetcher.plan.Plans.versions;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.Split;
import io.eley.prefetcher.Seed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StagePlanTest {
  private static final FileVersion FILE = Plans.file("/f", 6);
  private final StagePlan stage = new StagePlan(new SplitBlocks(Plans.options(1, 0)));

  private List<BlockId> window(int most) {
    return window(stage, most);
  }

  /** The blocks of as many unfinished splits. */
  private static List<BlockId> window(StagePlan stage, int most) {
    var window = new Window(Plans.options(0, 0), most, 0, new Window.Room(1, Long.MAX_VALUE));
    stage.offerTo(window);
    return List.copyOf(window.parts().keySet());
  }

  /** The same for other tasks: a partition is one split's. */
  private static List<Split> from(int partition, List<Split> splits) {
    return IntStream.range(0, splits.size())
        .mapToObj(i -> new Split(partition + i, splits.get(i).slices(), splits.get(i).exact()))
        .toList();
  }

  @Test
  void aWindowIsTheFirstUnfinishedSplits() {
    stage.add(splits(FILE, 1), versions(FILE), Long.MAX_VALUE);
    stage.endTask(0, Long.MAX_VALUE);
    stage.endTask(2, Long.MAX_VALUE);
    assertThat(window(3)).isEqualTo(blocks(FILE, 1, 3, 4));
    assertThat(window(9)).isEqualTo(blocks(FILE, 1, 3, 4, 5));
  }

  @Test
  void eachSplitIsToldWithWhatIsAheadOfIt() {
    stage.add(splits(FILE, 2), versions(FILE), Long.MAX_VALUE);
    stage.endTask(1, Long.MAX_VALUE);
    var told = new ArrayList<String>();
    stage.forEach(
        (planned, ended, ahead) ->
            told.add(
                planned.split().partition()
                    + " "
                    + planned.blocks().size()
                    + " "
                    + ended
                    + " "
                    + ahead));
    assertThat(told).containsExactly("0 2 false 0", "1 2 true 1", "2 2 false 1");
  }

  @Test
  void aNewVersionReplacesTheBlocksOfItsFileAlone() {
    var other = Plans.file("/g", 2);
    stage.add(splits(FILE, 3), versions(FILE), Long.MAX_VALUE);
    stage.add(from(2, splits(other, 1)), versions(other), Long.MAX_VALUE);
    var newer = new FileVersion("/f", 4L * BLOCK, 2);
    assertThat(stage.replace(newer)).isTrue();
    assertThat(window(9))
        .containsExactly(
            new BlockId(newer, 0),
            new BlockId(newer, 1),
            new BlockId(newer, 2),
            new BlockId(newer, 3),
            new BlockId(other, 0),
            new BlockId(other, 1));
    assertThat(stage.replace(newer)).as("it is known").isFalse();
    assertThat(stage.replace(Plans.file("/h", 1))).as("nobody reads it").isFalse();
  }

  @Test
  void splitsThatComeLaterAreOfTheNewVersionToo() {
    stage.add(splits(FILE, 3).subList(0, 1), versions(FILE), Long.MAX_VALUE);
    var newer = new FileVersion("/f", FILE.length(), 2);
    stage.replace(newer);
    stage.add(splits(FILE, 3).subList(1, 2), versions(), Long.MAX_VALUE);
    assertThat(window(2)).isEqualTo(blocks(newer, 0, 1, 2, 3, 4, 5));
  }

  /** The file has grown between two parts of the stage; nobody tells of that again. */
  @Test
  void splitsThatCameEarlierAreOfTheNewVersionToo() {
    var overrunning = new StagePlan(new SplitBlocks(Plans.options(1, 1)));
    var older = Plans.file("/f", 3);
    var newer = new FileVersion("/f", 6L * BLOCK, 2);
    var other = Plans.file("/g", 1);
    overrunning.add(splits(older, 3), versions(older), Long.MAX_VALUE);
    overrunning.add(from(1, splits(other, 1)), versions(other), Long.MAX_VALUE);
    var wanted = new ArrayList<>(blocks(newer, 0, 1, 2, 3));
    wanted.addAll(blocks(other, 0));
    wanted.addAll(blocks(newer, 4, 5));

    var next = from(2, splits(newer, 3).subList(1, 2));
    assertThat(overrunning.add(next, versions(newer), Long.MAX_VALUE)).isOne();

    assertThat(window(overrunning, 3)).as("one block more, of the overrun").isEqualTo(wanted);
    assertThat(overrunning.replace(newer)).as("it is known").isFalse();
  }

  @Test
  void whatANewVersionAddsTakesRoomToo() {
    var overrunning = new StagePlan(new SplitBlocks(Plans.options(1, 1)));
    var older = Plans.file("/f", 3);
    var newer = new FileVersion("/f", 6L * BLOCK, 2);
    var next = splits(newer, 3).subList(1, 2);
    overrunning.add(splits(older, 3), versions(older), Long.MAX_VALUE);
    long size = PlanSize.of(next.get(0), 3);
    long more = PlanSize.of(next.get(0), 4) - size;
    long before = overrunning.bytes();

    assertThat(overrunning.add(next, versions(newer), size + more - 1)).as("no room").isZero();
    assertThat(overrunning.bytes()).isEqualTo(before + more);
    overrunning.replace(older);
    assertThat(overrunning.bytes()).as("it is short again").isEqualTo(before);
    assertThat(overrunning.add(next, versions(newer), size + more)).isOne();
    assertThat(overrunning.bytes()).isEqualTo(before + size + more);
  }

  @Test
  void whatIsKnownIsNotAddedAgain() {
    stage.add(splits(FILE, 1), versions(FILE), Long.MAX_VALUE);
    long before = stage.bytes();
    stage.endTask(1, 0);
    assertThat(stage.add(splits(FILE, 1), versions(FILE), 0)).isEqualTo(6);
    assertThat(stage.bytes()).isEqualTo(before);
    assertThat(stage.plannedSplits()).isEqualTo(6);
    assertThat(window(9)).as("the second runs again").isEqualTo(blocks(FILE, 0, 1, 2, 3, 4, 5));
  }

  @Test
  void whatHasEndedGivesItsRoomBackAndIsCountedStill() {
    long empty = stage.bytes();
    stage.add(splits(FILE, 1), versions(FILE), Long.MAX_VALUE);
    stage.endTask(0, 0);
    stage.endTask(2, 0);
    stage.forgetEnded();
    assertThat(stage.bytes() - empty).isEqualTo(4 * PlanSize.of(splits(FILE, 1).get(0), 1));
    assertThat(stage.plannedSplits()).isEqualTo(6);
    assertThat(stage.endedSplits()).isEqualTo(2);
    assertThat(window(9)).isEqualTo(blocks(FILE, 1, 3, 4, 5));
    stage.endTask(1, 0);
    stage.endTask(4, 0);
    assertThat(window(9)).isEqualTo(blocks(FILE, 3, 5));
    assertThat(stage.endedSplits()).isEqualTo(4);
    stage.endTask(3, 0);
    stage.endTask(5, 0);
    stage.forgetEnded();
    assertThat(stage.bytes()).isEqualTo(empty);
    assertThat(stage.replace(new FileVersion("/f", BLOCK, 2))).as("nobody reads it now").isFalse();
  }

  /** Who finds no room asks with each message, on the thread that permits wait for. */
  @Test
  void whatHasEndedIsForgottenOnceItIsWorthALookAtTheOthers() {
    var file = Plans.file("/f", 6400);
    stage.add(splits(file, 1), versions(file), Long.MAX_VALUE);
    long one = PlanSize.of(splits(file, 1).get(0), 1);
    long before = stage.bytes();
    var freed = new ArrayList<Long>();
    for (int task = 0; task < 1000; task++) {
      stage.endTask(task, 0);
      stage.forgetEnded();
      if (stage.bytes() < before) {
        freed.add((before - stage.bytes()) / one);
        before = stage.bytes();
      }
    }
    assertThat(freed).hasSizeBetween(8, 11).startsWith(100L, 99L, 97L);
    assertThat(freed.stream().mapToLong(splits -> splits).sum()).isGreaterThan(900);
  }

  @Test
  void aFileIsKnownAsLongAsASplitThatIsPlannedReadsIt() {
    var other = Plans.file("/g", 1);
    long room = 6 * PlanSize.of(splits(FILE, 1).get(0), 1);
    assertThat(stage.add(splits(FILE, 1), versions(FILE), room)).isEqualTo(6);
    for (int task = 0; task < 5; task++) {
      stage.endTask(task, 0);
    }
    stage.forgetEnded();
    assertThat(stage.add(from(6, splits(other, 1)), versions(other), 0)).as("no room").isZero();
    assertThat(stage.add(from(5, splits(other, 1)), versions(other), 0)).as("known").isOne();
    assertThat(stage.replace(new FileVersion("/g", BLOCK, 2))).as("nobody reads it").isFalse();
    var newer = new FileVersion("/f", FILE.length(), 2);
    assertThat(stage.replace(newer)).as("the last split does").isTrue();
    assertThat(window(9)).isEqualTo(blocks(newer, 5));
    stage.endTask(5, 0);
    stage.forgetEnded();
    assertThat(stage.replace(FILE)).as("nobody does now").isFalse();
  }

  /** Its result was lost with its executor: the driver sends its split with the news. */
  @Test
  void whatWasForgottenCanRunAgainInItsPlace() {
    stage.add(splits(FILE, 1), versions(FILE), Long.MAX_VALUE);
    stage.endTask(1, 0);
    stage.endTask(3, 0);
    stage.forgetEnded();
    stage.endTask(4, 0);
    stage.add(splits(FILE, 1).subList(1, 2), versions(FILE), Long.MAX_VALUE);
    assertThat(window(9)).isEqualTo(blocks(FILE, 0, 1, 2, 5));
    stage.endTask(0, 0);
    stage.endTask(1, 0);
    assertThat(window(9)).isEqualTo(blocks(FILE, 2, 5));
  }

  @Test
  void anEndThatCameFirstIsOfItsSplitAlone() {
    stage.endTask(2, Long.MAX_VALUE);
    stage.add(splits(FILE, 1).subList(3, 6), versions(FILE), Long.MAX_VALUE);
    stage.endTask(4, 0);
    stage.add(splits(FILE, 1).subList(0, 3), versions(FILE), Long.MAX_VALUE);
    assertThat(window(9)).isEqualTo(blocks(FILE, 0, 1, 3, 5));
  }

  @Test
  void aTaskThatEndsTwiceTakesItsRoomOnce() {
    long empty = stage.bytes();
    stage.endTask(7, PlanSize.ENDED);
    stage.endTask(7, PlanSize.ENDED);
    assertThat(stage.bytes() - empty).isEqualTo(PlanSize.ENDED);
    stage.endTask(8, PlanSize.ENDED - 1);
    assertThat(stage.bytes() - empty).as("no room for another one").isEqualTo(PlanSize.ENDED);
  }

  @Test
  void aSplitThatFitsToTheByteIsAdded() {
    var split = splits(FILE, 6);
    long size = PlanSize.of(split.get(0), 6);
    assertThat(stage.add(split, versions(FILE), size - 1)).isZero();
    assertThat(stage.add(split, versions(FILE), size)).isOne();
    assertThat(stage.bytes()).isEqualTo(PlanSize.STAGE + size);
  }

  /** Against the plainest way to count the same. */
  @Test
  void howeverTasksEndTheCountsAreRight() {
    var random = Seed.random("the stages");
    for (int round = 0; round < 300; round++) {
      var file = Plans.file("/f", 1 + random.nextInt(30));
      var plan = new StagePlan(new SplitBlocks(Plans.options(1, 0)));
      var splits = splits(file, 1 + random.nextInt(3));
      Set<Integer> ended = new HashSet<>();
      if (random.nextBoolean()) {
        ended.add(0);
        plan.endTask(0, Long.MAX_VALUE);
      }
      int cut = random.nextInt(splits.size() + 1);
      plan.add(splits.subList(0, cut), versions(file), Long.MAX_VALUE);
      plan.add(splits.subList(cut, splits.size()), versions(file), Long.MAX_VALUE);
      for (int step = 0; step < 20; step++) {
        int partition = random.nextInt(splits.size());
        plan.endTask(partition, Long.MAX_VALUE);
        ended.add(partition);
        long bytes = 0;
        int finished = 0;
        var wanted = new ArrayList<BlockId>();
        int most = 1 + random.nextInt(8);
        int taken = 0;
        for (var split : splits) {
          if (ended.contains(split.partition())) {
            finished++;
          } else {
            bytes += split.length();
            if (taken < most) {
              taken++;
              wanted.addAll(
                  new SplitBlocks(Plans.options(1, 0)).of(split, versions(file)).blocks());
            }
          }
        }
        if (random.nextBoolean()) {
          assertThat(window(plan, most)).isEqualTo(wanted);
        }
        assertThat(plan.unfinishedBytes()).isEqualTo(bytes);
        assertThat(plan.endedSplits()).isEqualTo(finished);
        assertThat(plan.plannedSplits()).isEqualTo(splits.size());
      }
    }
  }
}
