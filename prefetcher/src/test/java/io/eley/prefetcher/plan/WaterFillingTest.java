package io.eley.prefetcher.plan;

import static io.eley.prefetcher.plan.Plans.BLOCK;
import static io.eley.prefetcher.plan.Plans.blocks;
import static io.eley.prefetcher.plan.Plans.file;
import static io.eley.prefetcher.plan.Plans.part;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.PageSet;
import io.eley.prefetcher.Seed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WaterFillingTest {
  private static List<BlockId> wish(String name, int blocks) {
    return blocks(file(name, blocks), IntStream.range(0, blocks).toArray());
  }

  private static Set<BlockId> fill(
      long bytes, List<List<BlockId>> wishes, Set<BlockId> present, ToIntFunction<BlockId> size) {
    var given =
        WaterFilling.fill(
            bytes,
            wishes.stream().map(BlockPart::whole).toList(),
            present.stream().collect(Collectors.toMap(b -> b, b -> PageSet.ALL)),
            part -> size.applyAsInt(part.block()));
    assertThat(given.values()).allMatch(PageSet::isAll);
    return given.keySet();
  }

  private static long of(Set<BlockId> given, String name) {
    return given.stream().filter(b -> b.file().path().equals(name)).count();
  }

  private static Set<BlockId> fill(int capacity, List<List<BlockId>> wishes, Set<BlockId> present) {
    return fill((long) capacity * BLOCK, wishes, present, b -> BLOCK);
  }

  @Test
  void theModestGetAllTheyWantAndTheOthersEqualPartsOfTheRest() {
    var given = fill(10, List.of(wish("/a", 2), wish("/b", 8), wish("/c", 8)), Set.of());

    assertThat(given).hasSize(10);
    assertThat(List.of(of(given, "/a"), of(given, "/b"), of(given, "/c")))
        .containsExactly(2L, 4L, 4L);
  }

  @Test
  void eachGetsItsMostUrgentBlocksFirst() {
    var given = fill(4, List.of(wish("/a", 3), wish("/b", 3)), Set.of());

    assertThat(given)
        .containsExactly(
            wish("/a", 3).get(0), wish("/b", 3).get(0), wish("/a", 3).get(1), wish("/b", 3).get(1));
  }

  @Test
  void aSharedBlockIsCountedOnce() {
    var given = fill(3, List.of(wish("/a", 2), wish("/a", 2), wish("/b", 1)), Set.of());

    assertThat(given).hasSize(3);
  }

  @Test
  void whatIsInRamStaysAndANewcomerIsNextInLine() {
    var first = wish("/a", 8);
    var present = Set.copyOf(first.subList(0, 6));
    var given = fill(8, List.of(first, wish("/b", 8)), present);

    assertThat(given).containsAll(present);
    assertThat(of(given, "/b")).isEqualTo(2);
  }

  @Test
  void urgentBlocksTakeTheRoomOfTheirOwnApplicationsLaterOnes() {
    var first = wish("/a", 4);
    var present = Set.copyOf(first.subList(2, 4));

    assertThat(fill(2, List.of(first, wish("/b", 4)), present))
        .containsExactly(first.get(0), first.get(1));
  }

  @Test
  void aBlockThatDoesNotFitIsNotOvertakenByALessUrgentOne() {
    var big = new BlockId(file("/a", 2), 0);
    var small = new BlockId(file("/a", 2), 1);

    assertThat(fill(10, List.of(List.of(big, small)), Set.of(), b -> b.equals(big) ? 11 : 1))
        .isEmpty();
  }

  @Test
  void aNewcomerGetsItsPartAsSoonAsSomethingIsConsumed() {
    var first = wish("/a", 8);
    var left = first.subList(2, 8);
    var given = fill(8, List.of(left, wish("/b", 8)), Set.copyOf(left.subList(0, 4)));
    assertThat(of(given, "/a")).isEqualTo(4);
    assertThat(of(given, "/b")).as("as the example says").isEqualTo(4);
  }

  /** Whatever is wished for: the promises, each counted by itself. */
  @Test
  void roomIsNeverExceededNorWastedAndNobodyLosesWhatItHas() {
    var random = Seed.random("the wishes");
    for (int round = 0; round < 3000; round++) {
      int capacity = random.nextInt(20);
      var wishes = new ArrayList<List<BlockId>>();
      for (int app = 1 + random.nextInt(4); app > 0; app--) {
        // Some applications read the same file.
        wishes.add(wish("/" + random.nextInt(3), random.nextInt(12)));
      }
      var all = new LinkedHashSet<BlockId>();
      wishes.forEach(all::addAll);
      var present = new HashSet<BlockId>();
      for (BlockId block : all) {
        if (random.nextInt(3) == 0 && present.size() < capacity) {
          present.add(block);
        }
      }
      var given = fill(capacity, wishes, present);
      assertThat(given).hasSize(Math.min(capacity, all.size())).isSubsetOf(all);
      for (var wish : wishes) {
        long had = wish.stream().filter(present::contains).count();
        long has = wish.stream().filter(given::contains).count();
        boolean alone = wishes.stream().filter(w -> sharesWith(w, wish)).count() == 1;
        if (alone) {
          assertThat(has).as("what it had it keeps").isGreaterThanOrEqualTo(had);
          assertThat(wish.stream().limit(has)).as("its most urgent ones").allMatch(given::contains);
        }
      }
    }
  }

  private static boolean sharesWith(List<BlockId> a, List<BlockId> b) {
    return a == b || (!a.isEmpty() && !b.isEmpty() && a.get(0).equals(b.get(0)));
  }

  @Test
  void partsTakeTheRoomOfTheirPagesAndAPageOfTwoIsPaidOnce() {
    var file = file("/a", 8);
    var first = List.of(part(file, 0, 0, 1), part(file, 1, 0));
    var second = List.of(part(file, 0, 1, 2), part(file, 1, 0), part(file, 1, 3));
    assertThat(fillPages(4, List.of(first, second.subList(0, 2)), Map.of()))
        .containsExactly(
            Map.entry(new BlockId(file, 0), PageSet.range(0, 3)),
            Map.entry(new BlockId(file, 1), PageSet.range(0, 1)));
    assertThat(fillPages(3, List.of(first, second.subList(0, 2)), Map.of()))
        .as("no room for the fourth page")
        .containsOnly(Map.entry(new BlockId(file, 0), PageSet.range(0, 3)));
    assertThat(fillPages(2, List.of(first, second.subList(0, 2)), Map.of()))
        .as("no room for what only the second wants of the block")
        .containsOnly(Map.entry(new BlockId(file, 0), PageSet.range(0, 2)));
  }

  @Test
  void whatAnApplicationHasOfABlockItKeepsAgainstANewcomer() {
    var file = file("/a", 8);
    var old = List.of(part(file, 0, 0, 1, 2), part(file, 1, 0, 1), part(file, 2, 0, 1, 2));
    var young = List.of(part(file, 5, 0), part(file, 6, 0), part(file, 7, 0));
    var present =
        Map.of(
            new BlockId(file, 0), PageSet.range(0, 2), new BlockId(file, 1), PageSet.range(0, 2));
    assertThat(fillPages(6, List.of(old, young), present))
        .as("it has four pages, so it gets its three most urgent ones, and the newcomer the rest")
        .containsOnlyKeys(
            new BlockId(file, 0), new BlockId(file, 5), new BlockId(file, 6), new BlockId(file, 7));
  }

  private static Map<BlockId, PageSet> fillPages(
      int capacity, List<List<BlockPart>> wishes, Map<BlockId, PageSet> present) {
    return WaterFilling.fill(
        capacity, wishes, present, part -> part.pages().bits(PageSet.MOST).cardinality());
  }

  @Test
  void largeAndSmallBlocksAreCountedInBytes() {
    var big = wish("/a", 4);
    var small = wish("/b", 8);
    var given = fill(80, List.of(big, small), Set.of(), b -> b.file().path().equals("/a") ? 20 : 5);
    assertThat(of(given, "/a")).isEqualTo(2);
    assertThat(of(given, "/b")).isEqualTo(8);
    assertThat(given.iterator().next()).isEqualTo(big.get(0));
  }
}
