package io.eley.prefetcher.plan;

import static io.eley.prefetcher.plan.Plans.BLOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.PageSet;
import io.eley.prefetcher.Seed;
import io.eley.prefetcher.plan.ReadShare.Trust;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far a window reaches. */
class WindowTest {
  private static final Window.Room AMPLE = new Window.Room(1, Long.MAX_VALUE);
  private static final FileVersion FILE = Plans.file("/f", 1000);

  private static PlanOptions options(WindowReach reach) {
    return new PlanOptions(Plans.GEOMETRY, reach, 0);
  }

  private static Map<BlockId, PageSet> window(
      WindowReach reach, int wave, Window.Room room, List<PlannedSplit> splits) {
    return window(reach, wave, 0, room, splits);
  }

  private static Map<BlockId, PageSet> window(
      WindowReach reach, int wave, int hold, Window.Room room, List<PlannedSplit> splits) {
    var window = new Window(options(reach), wave, hold, room);
    splits.forEach(split -> window.offer(split, Trust.CONFIRMED));
    return window.parts();
  }

  /** Splits of so many blocks each, one behind the other. */
  private static List<PlannedSplit> splits(int blocks) {
    var cutter = new SplitBlocks(Plans.options(1, 0));
    return Plans.splits(FILE, blocks).stream()
        .map(split -> cutter.of(split, Plans.versions(FILE)))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 4",
    "1, 1, 2",
    "0, 5, 5",
    "3, 5, 20",
    "1, 2147483647, 2147483647",
    "2147483647, 2, 2147483647"
  })
  void aFixedWindowIsTheWaveThatRunsAndThoseAhead(int waves, int wave, int splits) {
    var reach = WindowReach.fixed(waves);
    assertThat(reach.leastSplits(wave)).isEqualTo(splits);
    assertThat(reach.mostSplits(wave)).isEqualTo(splits);
    assertThat(window(reach, wave, AMPLE, splits(1))).hasSize(Math.min(splits, 1000));
  }

  /** The cases of its documentation, and those beside them; with four reads a node. */
  @ParameterizedTest
  @CsvSource({
    // nodes, wave, blocks of a split: blocks of the window
    "1, 2, 1, 10",
    "1, 10, 1, 20",
    "1, 8, 1, 16",
    "1, 7, 1, 15",
    "1, 2, 4, 16",
    "1, 2, 3, 15",
    "1, 1, 1, 9",
    "2, 1, 1, 9",
    "2, 2, 1, 18",
    "2, 4, 1, 20",
    "9, 2, 1, 18",
    "0, 2, 1, 4",
    "4, 0, 1, 4",
    "300, 200, 4, 1000"
  })
  void aWindowGrowsUntilItKeepsTheNodesReading(int nodes, int wave, int perSplit, int blocks) {
    var room = new Window.Room(nodes, Long.MAX_VALUE);
    assertThat(window(WindowReach.growing(4), wave, room, splits(perSplit))).hasSize(blocks);
  }

  @ParameterizedTest
  @CsvSource({"100, 10", "20, 10", "19, 9", "15, 7", "8, 4", "7, 4", "0, 4"})
  void itGrowsIntoOneHalfOfTheRoomAlone(int capacityBlocks, int blocks) {
    var room = new Window.Room(1, (long) capacityBlocks * BLOCK);
    assertThat(window(WindowReach.growing(4), 2, room, splits(1))).hasSize(blocks);
  }

  @Test
  void pagesTakeTheirOwnRoomAndABlockOfSeveralTasksIsOneBlock() {
    var file = new FileVersion("/pages", 64L * Plans.PAGED.blockSize(), 1);
    var cutter = new SplitBlocks(new PlanOptions(Plans.PAGED, 1, 0));
    var splits = new ArrayList<PlannedSplit>();
    for (int i = 0; i < 128; i++) {
      var split = Plans.exact(i, file, (long) i * Plans.PAGED.blockSize() / 2, 2L * BLOCK);
      splits.add(cutter.of(split, Plans.versions(file)));
    }
    var options = new PlanOptions(Plans.PAGED, WindowReach.growing(2), 0);
    // A block of four pages has two splits of two: four blocks ahead are seven splits at least.
    var ample = new Window(options, 2, 0, AMPLE);
    splits.forEach(split -> ample.offer(split, Trust.CONFIRMED));
    assertThat(ample.parts()).hasSize(5);
    assertThat(ample.parts().get(new BlockId(file, 3))).isEqualTo(PageSet.range(0, 4));
    assertThat(ample.parts().get(new BlockId(file, 4))).isEqualTo(PageSet.range(0, 2));
    // Room for eleven pages is one split more than those of a wave and the next.
    var scarce = new Window(options, 2, 0, new Window.Room(1, 2L * 11 * BLOCK));
    splits.forEach(split -> scarce.offer(split, Trust.CONFIRMED));
    assertThat(scarce.parts()).hasSize(3);
    assertThat(scarce.parts().get(new BlockId(file, 2))).isEqualTo(PageSet.range(0, 2));
  }

  /** Four tasks at once, of a block each, and one node of four reads, which need eight ahead. */
  @ParameterizedTest
  @CsvSource({
    // tasks that end in a hold, capacity in blocks: blocks of the window
    "0, 2000, 12",
    "8, 2000, 12",
    "9, 2000, 13",
    "40, 2000, 44",
    "40, 60, 30",
    "40, 0, 8",
    "10000, 2000, 260",
    "2147483647, 2000, 260"
  })
  void itLastsForAHoldAsFarAsThereIsRoom(int tasks, int capacityBlocks, int blocks) {
    var room = new Window.Room(1, (long) capacityBlocks * BLOCK);
    var window = new Window(options(WindowReach.growing(4)), 4, tasks, room);
    splits(1).forEach(split -> window.offer(split, Trust.CONFIRMED));
    assertThat(window.parts()).hasSize(blocks);
    var believed = new Window(options(WindowReach.growing(4)), 4, tasks, room);
    splits(1).forEach(split -> believed.offer(split, Trust.BELIEVED));
    assertThat(believed.parts()).as("of a stage that nobody has read of").hasSize(8);
    var fixed = new Window(options(WindowReach.fixed(2)), 4, tasks, room);
    splits(1).forEach(split -> fixed.offer(split, Trust.CONFIRMED));
    assertThat(fixed.parts()).as("a number is kept to").hasSize(12);
  }

  /** Of a stage that nothing is ordered for, one that nobody has read of yet, and one that is. */
  @ParameterizedTest
  @CsvSource({"0, 0, 10", "0, 4, 10", "0, 5, 4", "2, 0, 8", "2, 1, 8", "5, 0, 0", "1, 9, 3"})
  void itGrowsOverConfirmedStagesAlone(int none, int believed, int blocks) {
    var window = new Window(options(WindowReach.growing(4)), 2, 0, AMPLE);
    var splits = splits(1);
    for (int i = 0; i < splits.size(); i++) {
      Trust trust = i < none ? Trust.NONE : i < none + believed ? Trust.BELIEVED : Trust.CONFIRMED;
      window.offer(splits.get(i), trust);
    }
    assertThat(window.complete()).isTrue();
    assertThat(window.parts().keySet())
        .containsExactlyElementsOf(
            Plans.blocks(FILE, IntStream.range(none, none + blocks).toArray()));
  }

  @Test
  void aTasksEndLetsNothingOutOfTheWindowButItsOwn() {
    var random = Seed.random("the tasks");
    int grown = 0;
    for (int round = 0; round < 1000; round++) {
      var left = new ArrayList<>(random(random));
      int wave = 1 + random.nextInt(6);
      var reach = WindowReach.growing(1 + random.nextInt(4));
      var room = new Window.Room(1 + random.nextInt(3), (1L + random.nextInt(200)) * BLOCK);
      int hold = random.nextInt(40);
      var before = window(reach, wave, hold, room, left);
      while (!left.isEmpty()) {
        assertKept(reach, wave, hold, room, before, left);
        grown += before.size() > window(WindowReach.fixed(1), wave, room, left).size() ? 1 : 0;
        PlannedSplit ended = left.remove(random.nextInt(Math.min(left.size(), wave + 1)));
        var after = window(reach, wave, hold, room, left);
        var lost = new ArrayList<>(before.keySet());
        lost.removeAll(after.keySet());
        assertThat(ended.blocks()).containsAll(lost);
        before = after;
      }
    }
    assertThat(grown).as("windows that have grown").isGreaterThan(1000);
  }

  /** It has what a fixed one has, first, and it grows only as far as it says. */
  private static void assertKept(
      WindowReach reach,
      int wave,
      int hold,
      Window.Room room,
      Map<BlockId, PageSet> window,
      List<PlannedSplit> splits) {
    var least = List.copyOf(window(WindowReach.fixed(1), wave, room, splits).keySet());
    assertThat(List.copyOf(window.keySet()).subList(0, least.size())).isEqualTo(least);
    int waves = Math.max(reach.mostWaves(), (hold + wave - 1) / wave);
    assertThat(window.size())
        .isLessThanOrEqualTo(window(WindowReach.fixed(waves), wave, room, splits).size());
    if (window.size() > least.size()) {
      assertThat(2L * window.size() * BLOCK).isLessThanOrEqualTo(room.capacityBytes());
    }
  }

  /** Up to four blocks each, some of them the same as others'. */
  private static List<PlannedSplit> random(Random random) {
    var splits = new ArrayList<PlannedSplit>();
    var plain = Plans.splits(FILE, 1);
    for (int n = 20 + random.nextInt(40); n > 0; n--) {
      int first = 2 * splits.size() + random.nextInt(6);
      int[] blocks = random.ints(random.nextInt(5), first, first + 8).distinct().toArray();
      splits.add(new PlannedSplit(plain.get(splits.size()), Plans.blocks(FILE, blocks), List.of()));
    }
    return splits;
  }

  @Test
  void aReachThatMakesNoSenseIsRefused() {
    assertThatThrownBy(() -> WindowReach.fixed(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new WindowReach(2, 1, 4)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> WindowReach.growing(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(WindowReach.growing(Integer.MAX_VALUE).blocksAhead(Integer.MAX_VALUE))
        .isEqualTo(Integer.MAX_VALUE);
  }
}
