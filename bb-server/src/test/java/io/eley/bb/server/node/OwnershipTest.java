package io.eley.bb.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BlockId;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OwnershipTest {
  private static final List<NodeAddress> NODES =
      Stream.of("a", "b", "c").map(id -> new NodeAddress(new NodeId(id), "h", 1, "m")).toList();
  private static final ClusterView VIEW =
      new ClusterView(3, BlockGeometry.DEFAULT, BufferMode.NO_ACTION, NODES);

  @Test
  void everyBlockHasExactlyOneOwner() {
    var all = NODES.stream().map(n -> new Ownership(n.id(), VIEW)).toList();
    for (int file = 0; file < 10_000; file++) {
      var block = new BlockId(new FileVersion("/f" + file, 1L << 40, 1), file % 7);
      assertThat(all.stream().filter(o -> o.owns(block))).hasSize(1);
    }
  }

  @Test
  void aNodeThatIsNotInTheViewOwnsNothing() {
    var stranger = new Ownership(new NodeId("z"), VIEW);

    assertThat(IntStream.range(0, 100))
        .noneMatch(i -> stranger.owns(new BlockId(new FileVersion("/f", 1L << 40, 1), i)));
  }
}
