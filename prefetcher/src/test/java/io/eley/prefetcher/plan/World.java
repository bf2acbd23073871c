package io.eley.prefetcher.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Placement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** The nodes as the planner should see them, checking every order against what it promises. */
final class World {
  /** A node: what was ordered and not heard of, and what is in its RAM. */
  static final class Ram {
    final long capacity;
    final Set<BlockId> ordered = new LinkedHashSet<>();
    final Set<BlockId> present = new LinkedHashSet<>();

    /** Whether room may be kept for a block that is ordered again later. */
    boolean troubled;

    Ram(long capacity) {
      this.capacity = capacity;
    }

    long bytes() {
      return size(ordered) + size(present);
    }

    private static long size(Set<BlockId> blocks) {
      return blocks.stream().mapToLong(Plans.GEOMETRY::length).sum();
    }
  }

  /** An application in the simplest form that can be right. */
  static final class App {
    final String name;
    final List<List<BlockId>> splits = new ArrayList<>();
    final Set<Integer> ended = new HashSet<>();
    int wave;

    App(String name) {
      this.name = name;
    }

    List<Integer> window() {
      var window = new ArrayList<Integer>();
      int most = wave == 0 ? PlanOptions.FIRST_WINDOW : 2 * wave;
      for (int i = 0; i < splits.size() && window.size() < most; i++) {
        if (!ended.contains(i)) {
          window.add(i);
        }
      }
      return window;
    }
  }

  final Map<NodeId, Ram> nodes = new TreeMap<>();
  final Map<String, App> apps = new TreeMap<>();
  ClusterView view = Plans.view();

  Set<BlockId> needed() {
    var needed = new HashSet<BlockId>();
    apps.values().forEach(a -> a.window().forEach(i -> needed.addAll(a.splits.get(i))));
    return needed;
  }

  void obey(List<NodeOrders> orders) {
    var needed = needed();
    var freed = new HashSet<NodeId>();
    for (NodeOrders order : orders) {
      Ram ram = ram(order.node());
      for (BlockId block : order.free()) {
        boolean had = ram.present.remove(block);
        boolean waited = ram.ordered.remove(block);
        assertThat(had || waited).as("%s is freed but was never there", block).isTrue();
        if (had && !ram.troubled && needed.contains(block) && ownedBy(order.node(), block)) {
          freed.add(order.node());
        }
      }
      for (BlockId block : order.fetch()) {
        assertThat(needed).as("only what a window needs is fetched").contains(block);
        assertThat(ownedBy(order.node(), block)).as("%s at its owner", block).isTrue();
        assertThat(ram.present).as("ordered though it is there").doesNotContain(block);
        assertThat(ram.ordered.add(block)).as("%s ordered twice", block).isTrue();
      }
    }
    nodes.forEach(
        (id, ram) -> assertThat(ram.bytes()).as("RAM of %s", id).isLessThanOrEqualTo(ram.capacity));
    freed.forEach(
        id ->
            assertThat(ram(id).capacity - ram(id).bytes())
                .as("needed blocks are freed for more urgent ones only")
                .isLessThan(Plans.BLOCK));
  }

  private Ram ram(NodeId node) {
    return Objects.requireNonNull(nodes.get(node), () -> node + " is not there");
  }

  private boolean ownedBy(NodeId node, BlockId block) {
    return Placement.nodeOf(view, block).orElseThrow().id().equals(node);
  }
}
