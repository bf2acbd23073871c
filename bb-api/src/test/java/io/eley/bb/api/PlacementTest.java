package io.eley.bb.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacementTest {
  private static final int NODES = 8;
  private static final int FILES = 2000;

  @Test
  void blocksOfOneFileSpreadEvenly() {
    Map<NodeId, Integer> count = new HashMap<>();
    var ranking = Placement.rank(view(NODES), "/data/part-0");
    for (int block = 0; block < 80; block++) {
      count.merge(Placement.nodeOf(ranking, block).orElseThrow().id(), 1, Integer::sum);
    }
    assertThat(count.values()).hasSize(NODES).containsOnly(10);
  }

  @Test
  void firstBlocksOfManyFilesSpreadOverAllNodes() {
    Map<NodeId, Integer> count = new HashMap<>();
    for (int file = 0; file < FILES; file++) {
      count.merge(Placement.rank(view(NODES), "/data/part-" + file).get(0).id(), 1, Integer::sum);
    }
    assertThat(count).hasSize(NODES);
    assertThat(count.values()).allMatch(n -> Math.abs(n - FILES / NODES) < FILES / NODES / 4);
  }

  @Test
  void theRankingOfThoseWhoStayDoesNotChangeWhenOneLeaves() {
    for (int file = 0; file < 200; file++) {
      String path = "/data/part-" + file;
      var before = Placement.rank(view(NODES), path);
      var after = Placement.rank(view(NODES - 1), path);
      assertThat(before.stream().filter(after::contains).toList()).isEqualTo(after);
    }
  }

  @Test
  void noNodesMeansNoPlace() {
    assertThat(Placement.nodeOf(view(0), new BlockId(new FileVersion("/data", 1, 1), 0))).isEmpty();
  }

  private static ClusterView view(int nodes) {
    List<NodeAddress> all =
        IntStream.range(0, nodes)
            .mapToObj(i -> new NodeAddress(new NodeId("node-" + i), "h", 1 + i, "m"))
            .toList();
    return new ClusterView(1, BlockGeometry.DEFAULT, BufferMode.NO_ACTION, all);
  }
}
