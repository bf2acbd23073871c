package io.eley.prefetcher.plan;

import static io.eley.prefetcher.plan.Plans.blocks;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.error.ErrorCode;
import io.eley.prefetcher.plan.BlockFacts.State;
import io.eley.prefetcher.plan.PlanOptions.Retries;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeBlocksTest {
  private static final FileVersion FILE = Plans.file("/f", 9);
  private static final BlockId A = new BlockId(FILE, 0);
  private static final BlockId B = new BlockId(FILE, 1);
  private static final long PAUSE = 1000;
  private final NodeBlocks node =
      new NodeBlocks(Plans.node(1), 99, new Retries(3, Duration.ofNanos(PAUSE)), part -> 1);

  private List<BlockId> fetches(long now, BlockId... should) {
    return orders(now, should).fetch().stream().map(BlockPart::block).toList();
  }

  private NodeOrders orders(long now, BlockId... should) {
    return orders(now, BlockPart.whole(List.of(should)));
  }

  private NodeOrders orders(long now, List<BlockPart> should) {
    var wanted = new LinkedHashMap<BlockId, PageSet>();
    should.forEach(part -> wanted.put(part.block(), node.withHeld(part).pages()));
    return node.orders(wanted, wanted.keySet(), now);
  }

  @Test
  void ordersAreDifferencesInTheOrderOfUrgency() {
    assertThat(orders(0, B, A)).isEqualTo(Plans.orders(Plans.node(1), List.of(B, A), List.of()));
    assertThat(orders(0, B, A).isEmpty()).isTrue();
    node.noteArrived(A);
    assertThat(node.present()).containsOnlyKeys(A);
    var c = new BlockId(FILE, 2);
    assertThat(orders(0, c)).isEqualTo(Plans.orders(Plans.node(1), List.of(c), List.of(B, A)));
    assertThat(orders(0)).isEqualTo(Plans.orders(Plans.node(1), List.of(), List.of(c)));
    assertThat(node.capacityBytes()).isEqualTo(99);
  }

  @Test
  void whatCameUnorderedIsOrderedOnceToBeKeptAndWhatNobodyWantedIsNotFreed() {
    node.noteArrived(A);
    assertThat(fetches(0, A)).containsExactly(A);
    assertThat(node.state(A)).as("it is there all the time").isEqualTo(State.PRESENT);
    node.noteArrived(A);
    assertThat(fetches(0, A)).isEmpty();
    node.noteArrived(B);
    assertThat(orders(0, A).isEmpty()).as("the node evicts it by itself").isTrue();
  }

  @Test
  void statesAreWhatWasHeardLast() {
    assertThat(node.state(A)).isEqualTo(State.ABSENT);
    fetches(0, A);
    assertThat(node.state(A)).isEqualTo(State.ORDERED);
    node.noteArrived(A);
    assertThat(node.state(A)).isEqualTo(State.PRESENT);
    node.noteDropped(A, 0);
    assertThat(node.state(A)).isEqualTo(State.ABSENT);
    node.noteFailed(A, ErrorCode.NOT_FOUND, 0);
    assertThat(node.state(A)).isEqualTo(State.GIVEN_UP);
    node.noteArrived(A);
    assertThat(node.state(A)).as("somebody read it on demand").isEqualTo(State.PRESENT);
    assertThat(node.givenUp(A)).isFalse();
  }

  @Test
  void afterAFailureTheNextOrderWaitsTwiceAsLongEachTime() {
    assertThat(fetches(5, A)).containsExactly(A);
    node.noteFailed(A, ErrorCode.NO_SPACE, 5);
    assertThat(fetches(5 + PAUSE - 1, A)).isEmpty();
    assertThat(node.waits()).isTrue();
    assertThat(fetches(5 + PAUSE, A)).containsExactly(A);
    node.noteFailed(A, ErrorCode.NO_SPACE, 5 + PAUSE);
    assertThat(node.failures(A)).isEqualTo(2);
    assertThat(node.givenUp(A)).isFalse();
    assertThat(fetches(5 + 3 * PAUSE - 1, A)).isEmpty();
    assertThat(fetches(5 + 3 * PAUSE, A)).containsExactly(A);
    node.noteFailed(A, ErrorCode.NO_SPACE, 0);
    assertThat(node.givenUp(A)).isTrue();
  }

  @Test
  void aBlockThatIsOrderedAgainOrThereOrGivenUpDoesNotWait() {
    fetches(0, A, B);
    node.noteFailed(A, ErrorCode.NO_SPACE, 0);
    node.noteFailed(B, ErrorCode.NOT_FOUND, 0);
    assertThat(node.waits()).as("A does").isTrue();
    assertThat(node.orders(Map.of(A, PageSet.ALL), Set.of(A, B), PAUSE).fetch())
        .containsExactly(BlockPart.whole(A));
    assertThat(node.givenUp(B)).isTrue();
    assertThat(node.waits()).as("ordered again, or given up").isFalse();
    node.noteArrived(A);
    assertThat(node.waits()).as("there").isFalse();
    assertThat(node.failures(A)).as("how often it failed is known still").isEqualTo(1);
    node.noteDropped(A, PAUSE);
    assertThat(node.waits()).as("lost").isTrue();
    node.noteArrived(A);
    assertThat(node.waits()).as("a task has read it").isFalse();
  }

  @Test
  void aFirstLossIsMadeGoodAtOnceAndTheNextOnesAfterPauses() {
    fetches(0, A);
    node.noteArrived(A);
    node.noteDropped(A, 7);
    assertThat(node.failures(A)).isEqualTo(1);
    assertThat(fetches(7, A)).containsExactly(A);
    node.noteDropped(A, 7);
    assertThat(fetches(7 + PAUSE - 1, A)).isEmpty();
    assertThat(fetches(7 + PAUSE, A)).containsExactly(A);
    node.noteDropped(A, 7 + PAUSE);
    assertThat(node.givenUp(A)).isTrue();
  }

  @Test
  void theLossOfABlockThatNobodyWantsIsNoTrouble() {
    fetches(0, A);
    node.noteArrived(B);
    node.noteDropped(B, 0);
    assertThat(node.failures(B)).isZero();
    assertThat(node.waits()).isFalse();
    assertThat(node.present()).isEmpty();
  }

  /** The node may be fetching it by an order that has crossed with its report. */
  @Test
  void whatWasOrderedIsFreedThoughItIsNotThereAnyMore() {
    fetches(0, A, B);
    node.noteArrived(A);
    node.noteDropped(A, 0);
    node.noteFailed(B, ErrorCode.NO_SPACE, 0);
    assertThat(node.orders(Map.of(), Set.of(A, B), 0).free()).as("both are needed").isEmpty();
    assertThat(node.orders(Map.of(), Set.of(B), 0).free()).containsExactly(A);
    assertThat(node.orders(Map.of(), Set.of(), 0).free()).containsExactly(B);
    assertThat(node.orders(Map.of(), Set.of(), 0).isEmpty()).isTrue();
  }

  @Test
  void troublesAreForgottenWithTheNeed() {
    fetches(0, A);
    node.noteFailed(A, ErrorCode.NO_SPACE, 0);
    assertThat(node.orders(Map.of(), Set.of(A), 1).isEmpty()).isTrue();
    assertThat(node.failures(A)).as("a window has it still").isEqualTo(1);
    node.orders(Map.of(), Set.of(B), 1);
    assertThat(node.failures(A)).isZero();
    assertThat(node.waits()).isFalse();
    assertThat(fetches(2, A)).containsExactly(A);
  }

  @Test
  void morePagesOfABlockAreOrderedWithThoseThatAreThere() {
    var first = Plans.part(FILE, 0, 1, 2);
    var next = Plans.part(FILE, 0, 2, 7);
    var both = Plans.part(FILE, 0, 1, 2, 7);
    assertThat(orders(0, List.of(first)).fetch()).containsExactly(first);
    node.noteArrived(A);
    assertThat(node.present()).containsOnly(Map.entry(A, first.pages()));
    assertThat(orders(0, List.of(next)).fetch()).containsExactly(both);
    assertThat(node.state(A)).isEqualTo(State.ORDERED);
    assertThat(orders(0, List.of(next)).isEmpty()).isTrue();
    node.noteArrived(A);
    assertThat(node.state(A)).isEqualTo(State.PRESENT);
    assertThat(node.present()).containsOnly(Map.entry(A, both.pages()));
    assertThat(orders(0, List.of(first)).isEmpty()).as("fewer pages are wanted").isTrue();
    assertThat(orders(0, List.of()).free()).containsExactly(A);
  }

  @Test
  void anOrderThatGrowsBeforeItIsAnsweredIsAnsweredTwice() {
    var part = Plans.part(FILE, 0, 1);
    var more = Plans.part(FILE, 0, 1, 5);
    orders(0, List.of(part));
    assertThat(orders(0, List.of(more)).fetch()).containsExactly(more);
    node.noteArrived(A);
    node.noteArrived(A);
    assertThat(node.present()).containsOnly(Map.entry(A, more.pages()));
    assertThat(orders(0, List.of(BlockPart.whole(A))).fetch()).containsExactly(BlockPart.whole(A));
  }

  /** The task that wanted it has ended; the next query reads other columns. */
  @Test
  void aPartThatComesAfterItsBlockWasFreedIsNotTakenForTheBlock() {
    orders(0, List.of(Plans.part(FILE, 0, 1)));
    assertThat(orders(0, List.of()).free()).containsExactly(A);
    node.notePartArrived(A);
    assertThat(node.present()).isEmpty();
    var next = Plans.part(FILE, 0, 2);
    assertThat(orders(0, List.of(next)).fetch()).containsExactly(next);
    node.notePartArrived(A);
    assertThat(node.present()).containsOnly(Map.entry(A, next.pages()));
  }

  @Test
  void aBlockOfWhichMoreIsOnItsWayIsFreedOnceAndWhole() {
    orders(0, List.of(Plans.part(FILE, 0, 1)));
    node.noteArrived(A);
    orders(0, List.of(BlockPart.whole(A)));
    assertThat(orders(0, List.of()).free()).containsExactly(A);
    assertThat(node.state(A)).isEqualTo(State.ABSENT);
    var part = Plans.part(FILE, 0, 3);
    assertThat(orders(0, List.of(part)).fetch()).as("nothing of it is left").containsExactly(part);
  }

  @Test
  void whenMorePagesCannotBeFetchedNothingOfTheBlockIsCountedOn() {
    orders(0, List.of(Plans.part(FILE, 0, 1)));
    node.noteArrived(A);
    orders(0, List.of(Plans.part(FILE, 0, 2)));
    node.noteFailed(A, ErrorCode.NO_SPACE, 0);
    assertThat(node.state(A)).isEqualTo(State.ABSENT);
    var next = Plans.part(FILE, 0, 2);
    assertThat(orders(PAUSE, List.of(next)).fetch()).containsExactly(next);
  }

  @Test
  void aBlockThatCameUnorderedIsThereAsAWhole() {
    node.noteArrived(A);
    assertThat(orders(0, List.of(Plans.part(FILE, 0, 3))).fetch())
        .as("to be kept")
        .containsExactly(BlockPart.whole(A));
    assertThat(orders(0, List.of(Plans.part(FILE, 0, 3))).isEmpty()).isTrue();
    assertThat(node.withHeld(Plans.part(FILE, 0, 3))).isEqualTo(BlockPart.whole(A));
  }

  @ParameterizedTest
  @EnumSource
  void whatNoRepetitionMendsIsGivenUpAtOnce(ErrorCode code) {
    fetches(0, A);
    node.noteFailed(A, code, 0);
    boolean hopeless =
        switch (code) {
          case NOT_FOUND, STALE_VERSION, ACCESS_DENIED, OUTSIDE_ORIGIN, ENDED -> true;
          default -> false;
        };
    assertThat(node.givenUp(A)).isEqualTo(hopeless);
    assertThat(node.failures(A)).isEqualTo(hopeless ? 3 : 1);
  }

  @Test
  void aClockThatWrapsIsAClockLikeOthers() {
    fetches(Long.MAX_VALUE, A);
    node.noteFailed(A, ErrorCode.NO_SPACE, Long.MAX_VALUE);
    assertThat(fetches(Long.MAX_VALUE, A)).isEmpty();
    assertThat(fetches(Long.MAX_VALUE + PAUSE, A)).isEqualTo(blocks(FILE, 0));
  }
}
