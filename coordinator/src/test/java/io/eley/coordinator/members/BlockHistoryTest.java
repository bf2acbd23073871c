package io.eley.coordinator.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeId;
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
    history.note(NODE, block(0), "arrived on", 7);
    history.note(NODE, block(0), "was dropped by", 9);
    assertThat(history.last(block(0)))
        .contains(new BlockHistory.Event("was dropped by node n1", 9));
  }

  @Test
  void theBlockThatWasNotUsedForLongestIsForgotten() {
    for (int i = 0; i < KEPT; i++) {
      history.note(NODE, block(i), "arrived on", i);
    }
    assertThat(history.last(block(0))).as("and so it is used").isPresent();
    history.note(NODE, block(KEPT), "arrived on", KEPT);
    assertThat(history.last(block(1))).isEmpty();
    assertThat(history.last(block(0))).isPresent();
    assertThat(history.last(block(KEPT))).isPresent();
  }
}
