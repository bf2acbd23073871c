package io.eley.coordinator.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.NodeMessage.FetchBlocks;
import io.eley.bb.api.wire.NodeMessage.FreeBlocks;
import io.eley.coordinator.FakeSession;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberTest {
  private static final NodeId ID = new NodeId("n1");

  private final FakeSession session = new FakeSession("n1");
  private final Member member =
      new Member(new NodeAddress(ID, "h", 1, ""), 1 << 20, session, 5_000_000);

  private static List<BlockId> blocks(int count, int nameLength) {
    var file = new FileVersion("/" + "é".repeat(nameLength), 1L << 50, 1);
    return IntStream.range(0, count).mapToObj(i -> new BlockId(file, i)).toList();
  }

  private static int bytes(Message message) {
    return Codec.encode(message, 0).remaining();
  }

  @Test
  void fewBlocksAreOneMessage() {
    member.fetch(BlockPart.whole(blocks(3, 10)));
    member.free(blocks(2, 10));
    assertThat(session.pushes)
        .containsExactly(
            new FetchBlocks(BlockPart.whole(blocks(3, 10))), new FreeBlocks(blocks(2, 10)));
  }

  @Test
  void noBlocksAreNoMessage() {
    member.fetch(List.of());
    member.free(List.of());
    assertThat(session.pushes).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 1_000})
  void manyBlocksAreSmallMessagesInTheirOrder(int nameLength) {
    var all = BlockPart.whole(blocks(10_000, nameLength));
    member.fetch(all);
    var batches = session.pushed(FetchBlocks.class);
    assertThat(batches.stream().flatMap(b -> b.parts().stream()).toList()).isEqualTo(all);
    assertThat(batches.size()).isGreaterThan(3);
    assertThat(batches)
        .as("a permit must not queue behind more")
        .allSatisfy(b -> assertThat(bytes(b)).isLessThanOrEqualTo(72 << 10));
  }

  @Test
  void pagesCountInTheSizeOfAMessage() {
    var all =
        blocks(100, 1).stream()
            .map(block -> new BlockPart(block, PageSet.range(9, PageSet.MOST / 8)))
            .toList();
    member.fetch(all);
    var batches = session.pushed(FetchBlocks.class);
    assertThat(batches.stream().flatMap(b -> b.parts().stream()).toList()).isEqualTo(all);
    assertThat(batches).allSatisfy(b -> assertThat(bytes(b)).isLessThanOrEqualTo(72 << 10));
  }

  @Test
  void theReportSaysHowLongAgoTheNodeWasHeard() {
    assertThat(member.reported(12_000_000).heardMillisAgo()).isEqualTo(7);
    member.noteAlive(12_000_000);
    assertThat(member.reported(12_000_000).heardMillisAgo()).isZero();
    assertThat(member.reported(12_000_000).counters().capacityBytes()).isEqualTo(1 << 20);
  }
}
