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

  /** Executors of one release and nodes of the next must agree, so this never changes. */
  @Test
  void theRankingIsTheSameInEveryRelease() {
    assertThat(Placement.rank(view(5), "/data/part-0"))
        .extracting(n -> n.id().value())
        .containsExactly("node-4", "node-1", "node-0", "node-3", "node-2");
    assertThat(Placement.rank(view(5), "/dätä/€"))
        .extracting(n -> n.id().value())
        .containsExactly("node-4", "node-0", "node-1", "node-2", "node-3");
  }

  @Test
  void blocksGoRoundTheRanking() {
    var view = view(3);
    var file = new FileVersion("/data/part-7", 1L << 40, 9);
    var ranking = Placement.rank(view, file.path());
    for (int block = 0; block < 10; block++) {
      assertThat(Placement.nodeOf(view, new BlockId(file, block)))
          .contains(ranking.get(block % 3))
          .isEqualTo(Placement.nodeOf(ranking, block));
    }
    assertThat(Placement.nodeOf(ranking, Integer.MAX_VALUE))
        .contains(ranking.get(Integer.MAX_VALUE % 3));
  }

  @Test
  void aRankingHasEveryNodeOnceAndDependsOnIdsAlone() {
    var random = Seed.random("the views");
    for (int i = 0; i < 300; i++) {
      int nodes = 1 + random.nextInt(12);
      String path = "/f" + random.nextInt();
      var ranking = Placement.rank(view(nodes), path);
      assertThat(ranking).containsExactlyInAnyOrderElementsOf(view(nodes).nodes());
      var moved =
          view(nodes).nodes().stream()
              .map(n -> new NodeAddress(n.id(), "elsewhere", 4711, "rebooted"))
              .toList();
      var after =
          Placement.rank(
              new ClusterView(99, new BlockGeometry(8192, 4096), BufferMode.ADAPTIVE, moved), path);
      assertThat(after).extracting(NodeAddress::id).isEqualTo(ids(ranking));
    }
  }

  @Test
  void aNodeThatComesTakesItsShareOfFirstPlacesAndMovesNothingElse() {
    int taken = 0;
    for (int file = 0; file < FILES; file++) {
      String path = "/data/part-" + file;
      var before = Placement.rank(view(NODES), path).get(0).id();
      var after = Placement.rank(view(NODES + 1), path).get(0).id();
      boolean moved = !before.equals(after);
      assertThat(moved).isEqualTo(after.value().equals("node-" + NODES));
      taken += moved ? 1 : 0;
    }
    assertThat(taken).isBetween(FILES / (NODES + 1) * 3 / 4, FILES / (NODES + 1) * 5 / 4);
  }

  private static List<NodeId> ids(List<NodeAddress> nodes) {
    return nodes.stream().map(NodeAddress::id).toList();
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
