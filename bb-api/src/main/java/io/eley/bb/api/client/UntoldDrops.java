package io.eley.bb.api.client;

import io.eley.bb.api.NodeId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which nodes have not heard yet of which shuffles that nobody reads any more: Spark forgets a
 * shuffle once. Safe for several threads.
 */
final class UntoldDrops {
  /** What is forgotten above that, the oldest first, goes with its application. */
  static final int MOST = 10_000;

  private record Drop(NodeId node, int shuffle) {}

  private final Set<Drop> drops = new LinkedHashSet<>();
  private boolean over;

  /** Nothing once the application has ended. */
  synchronized void add(NodeId node, int shuffle) {
    if (!over && drops.add(new Drop(node, shuffle)) && drops.size() > MOST) {
      drops.remove(drops.iterator().next());
    }
  }

  /** Takes out what a node is told now; what it does not hear is to be added again. */
  synchronized List<Integer> take(NodeId node) {
    var shuffles = drops.stream().filter(d -> d.node.equals(node)).map(Drop::shuffle).toList();
    drops.removeIf(drop -> drop.node.equals(node));
    return shuffles;
  }

  /** Whether there is anything to tell a node. */
  synchronized boolean has(NodeId node) {
    return drops.stream().anyMatch(drop -> drop.node.equals(node));
  }

  /** The application has ended: all of it goes. */
  synchronized void end() {
    over = true;
    drops.clear();
  }
}
