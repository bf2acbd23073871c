package io.eley.bb.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import io.eley.bb.api.wire.NodeMessage.FailedFetch;
import io.eley.bb.server.store.DropReason;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlockChangesTest {
  private static final NodeId NODE = new NodeId("n");
  private final BlockChanges changes = new BlockChanges();

  @Test
  void keepsNothingWhileNobodyListens() {
    changes.committed(block(1));

    assertThat(changes.take(NODE)).isEmpty();
  }

  @Test
  void reportsEachKindOfChange() {
    changes.keep();
    changes.committed(block(1));
    changes.alreadyThere(block(2));
    changes.dropped(block(3), DropReason.EVICTED);
    changes.failed(block(4), new EleyException(ErrorCode.ORIGIN_HUNG, "on purpose"));
    changes.dropped(block(5), DropReason.YIELDED);
    changes.partArrived(block(6));
    changes.partAlreadyThere(block(7));

    var batch = changes.take(NODE).orElseThrow();

    assertThat(batch.arrived()).containsExactly(block(1), block(2));
    assertThat(batch.parts()).containsExactly(block(6), block(7));
    assertThat(batch.dropped()).containsExactly(block(3), block(5));
    assertThat(batch.yielded()).containsExactly(block(5));
    assertThat(batch.failed()).containsExactly(new FailedFetch(block(4), ErrorCode.ORIGIN_HUNG));
    assertThat(changes.take(NODE)).isEmpty();
  }

  @Test
  void ofSeveralChangesToABlockOnlyTheLastIsReported() {
    changes.keep();
    changes.committed(block(1));
    changes.dropped(block(1), DropReason.EVICTED);
    changes.dropped(block(2), DropReason.EVICTED);
    changes.committed(block(2));

    var batch = changes.take(NODE).orElseThrow();

    assertThat(batch.arrived()).containsExactly(block(2));
    assertThat(batch.dropped()).containsExactly(block(1));
  }

  @Test
  void theInventoryDoesNotContradictWhatHappenedSince() {
    changes.keep();
    changes.dropped(block(1), DropReason.EVICTED);
    changes.addInventory(List.of(block(1), block(2)));

    var batch = changes.take(NODE).orElseThrow();

    assertThat(batch.arrived()).containsExactly(block(2));
    assertThat(batch.dropped()).containsExactly(block(1));
  }

  @Test
  void aLargeInventoryWithTheLongestNamesFitsFrames() {
    var longest = "/" + "ü".repeat(4000);
    var blocks =
        IntStream.range(0, 500)
            .mapToObj(i -> new BlockId(new FileVersion(longest, 1L << 40, 1), i))
            .toList();
    changes.keep();
    changes.addInventory(blocks);

    int reported = 0;
    for (var batch = changes.take(NODE); batch.isPresent(); batch = changes.take(NODE)) {
      assertThat(Codec.encode(batch.get(), 1).remaining()).isLessThan(FrameHeader.MAX_BODY / 4);
      reported += batch.get().arrived().size();
    }
    assertThat(reported).isEqualTo(500);
  }

  @Test
  void aChangeEndsTheWait() throws InterruptedException {
    changes.keep();
    changes.committed(block(1));

    changes.await(Duration.ofDays(1));

    assertThat(changes.take(NODE)).isPresent();
  }

  private static BlockId block(int index) {
    return new BlockId(new FileVersion("/f", 1L << 40, 1), index);
  }
}
