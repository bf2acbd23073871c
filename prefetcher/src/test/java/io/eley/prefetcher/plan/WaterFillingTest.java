package io.eley.prefetcher.plan;

import static io.eley.prefetcher.plan.Plans.BLOCK;
import static io.eley.prefetcher.plan.Plans.blocks;
import static io.eley.prefetcher.plan.Plans.file;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.prefetcher.Seed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WaterFillingTest {
  private static List<BlockId> wish(String name, int blocks) {
    return blocks(file(name, blocks), IntStream.range(0, blocks).toArray());
  }

  private static long of(Set<BlockId> given, String name) {
    return given.stream().filter(b -> b.file().path().equals(name)).count();
  }

  private static Set<BlockId> fill(int capacity, List<List<BlockId>> wishes, Set<BlockId> present) {
    return WaterFilling.fill((long) capacity * BLOCK, wishes, present, b -> BLOCK);
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

    assertThat(
            WaterFilling.fill(
                10, List.of(List.of(big, small)), Set.of(), b -> b.equals(big) ? 11 : 1))
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
  void largeAndSmallBlocksAreCountedInBytes() {
    var big = wish("/a", 4);
    var small = wish("/b", 8);
    var given =
        WaterFilling.fill(
            80, List.of(big, small), Set.of(), b -> b.file().path().equals("/a") ? 20 : 5);
    assertThat(of(given, "/a")).isEqualTo(2);
    assertThat(of(given, "/b")).isEqualTo(8);
    assertThat(given.iterator().next()).isEqualTo(big.get(0));
  }
}
