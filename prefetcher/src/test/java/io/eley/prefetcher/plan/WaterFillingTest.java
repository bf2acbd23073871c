package io.eley.prefetcher.plan;

import static io.eley.prefetcher.plan.Plans.BLOCK;
import static io.eley.prefetcher.plan.Plans.blocks;
import static io.eley.prefetcher.plan.Plans.file;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
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
}
