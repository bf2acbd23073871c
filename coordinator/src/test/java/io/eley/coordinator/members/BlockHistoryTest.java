package io.eley.coordinator.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeId;
import io.eley.coordinator.members.BlockHistory.What;
import org.junit.jupiter.api.Test;

/** The last event of each block, and of so many blocks only. */
class BlockHistoryTest {
  private static final int KEPT = 20_000;
  private static final NodeId NODE = new NodeId("n1");

  private final BlockHistory history = new BlockHistory();

  private static BlockId block(int index) {
    return new BlockId(new FileVersion("/in", 1L << 40, 1), index);
  }

  @Test
  void theLastEventOfABlockTakesThePlaceOfTheOneBefore() {
    assertThat(history.last(block(0))).isEmpty();
    history.note(NODE, block(0), What.ARRIVED, 7);
    history.note(NODE, block(0), What.DROPPED, 9);
    assertThat(history.last(block(0)))
        .contains(new BlockHistory.Event(What.DROPPED, NODE, 9))
        .get()
        .extracting(BlockHistory.Event::words)
        .isEqualTo("was dropped by node n1");
  }

  @Test
  void aBlockThatLeavesOneNodeIsStillOnTheOtherWhereItArrivedLater() {
    var other = new NodeId("n2");
    history.note(NODE, block(0), What.ARRIVED, 1);
    history.note(other, block(0), What.ARRIVED, 2);
    history.note(NODE, block(0), What.DROPPED, 3);
    history.note(NODE, block(0), What.YIELDED, 4);
    assertThat(history.last(block(0))).contains(new BlockHistory.Event(What.ARRIVED, other, 2));
    history.note(other, block(0), What.YIELDED, 5);
    assertThat(history.last(block(0))).contains(new BlockHistory.Event(What.YIELDED, other, 5));
    history.note(NODE, block(0), What.DROPPED, 6);
    assertThat(history.last(block(0))).contains(new BlockHistory.Event(What.DROPPED, NODE, 6));
  }

  @Test
  void ofANodeThatIsGoneIsKnownWhatItDidAndNotWhatItHad() {
    var other = new NodeId("n2");
    history.note(NODE, block(0), What.ARRIVED, 1);
    history.note(NODE, block(1), What.FAILED, 2);
    history.note(other, block(2), What.ARRIVED, 3);
    history.forget(NODE);
    assertThat(history.ofFile("/in").keySet()).containsExactly(block(1), block(2));
  }

  @Test
  void aFilesBlocksInTheirOrderAndTheNewestVersionOfEach() {
    history.note(NODE, block(3), What.ARRIVED, 1);
    history.note(NODE, block(1), What.FAILED, 2);
    history.note(NODE, new BlockId(new FileVersion("/in", 1L << 40, 2), 3), What.DROPPED, 5);
    history.note(NODE, new BlockId(new FileVersion("/other", 1, 1), 0), What.ARRIVED, 3);
    assertThat(history.ofFile("/in").values())
        .containsExactly(
            new BlockHistory.Event(What.FAILED, NODE, 2),
            new BlockHistory.Event(What.DROPPED, NODE, 5));
    assertThat(history.ofFile("/none")).isEmpty();
  }

  @Test
  void theBlockThatWasNotUsedForLongestIsForgotten() {
    for (int i = 0; i < KEPT; i++) {
      history.note(NODE, block(i), What.ARRIVED, i);
    }
    assertThat(history.last(block(0))).as("and so it is used").isPresent();
    history.note(NODE, block(KEPT), What.ARRIVED, KEPT);
    assertThat(history.last(block(1))).isEmpty();
    assertThat(history.last(block(0))).isPresent();
    assertThat(history.last(block(KEPT))).isPresent();
  }
}
