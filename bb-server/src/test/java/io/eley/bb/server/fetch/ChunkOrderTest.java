package io.eley.bb.server.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChunkOrderTest {
  private static List<Integer> drain(ChunkOrder order, BitSet there) {
    var chunks = new ArrayList<Integer>();
    for (int chunk = order.next(there::get); chunk >= 0; chunk = order.next(there::get)) {
      there.set(chunk);
      chunks.add(chunk);
    }
    return chunks;
  }

  @Test
  void readsEachChunkOnceWhateverTheBlock() {
    for (int index : new int[] {0, 1, 5, 1000, Integer.MAX_VALUE}) {
      for (int chunks : new int[] {1, 2, 7, 16}) {
        assertThat(drain(new ChunkOrder(index, chunks), new BitSet()))
            .containsExactlyInAnyOrderElementsOf(IntStream.range(0, chunks).boxed().toList());
      }
    }
  }

  @Test
  void neighbouringBlocksBeginOnDifferentServers() {
    for (int servers = 2; servers <= 22; servers++) {
      var hit = new java.util.HashSet<Integer>();
      for (int block = 0; block < Math.min(4, servers); block++) {
        hit.add((16 * block + new ChunkOrder(block, 16).next(c -> false)) % servers);
      }
      // Blocks 0 to 2 are 23 chunks apart; block 3 has wrapped around its end.
      assertThat(hit).as("%d servers", servers).hasSizeGreaterThanOrEqualTo(Math.min(3, servers));
    }
  }

  @Test
  void goesToTheChunkThatIsWaitedForAndOnFromThere() {
    var order = new ChunkOrder(0, 8);
    var there = new BitSet();
    assertThat(order.next(there::get)).isZero();
    there.set(0);
    order.want(6);
    order.want(3);
    order.want(6);
    assertThat(drain(order, there)).containsExactly(6, 3, 4, 5, 7, 1, 2);
  }

  @Test
  void ignoresAWishForWhatIsThere() {
    var order = new ChunkOrder(0, 3);
    var there = new BitSet();
    there.set(1);
    order.want(1);
    assertThat(drain(order, there)).containsExactly(0, 2);
  }
}
