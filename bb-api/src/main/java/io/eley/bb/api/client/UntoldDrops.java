package io.eley.bb.api.client;

import io.eley.bb.api.NodeId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Which nodes have not heard yet of which shuffles that nobody reads any more: Spark forgets a
 * shuffle once. A node that stands still leaves the view and comes back with all its outputs, so
 * one that has gone is told all the same, if it is back in time. Safe for several threads.
 */
final class UntoldDrops {
  /** What is forgotten above that, the oldest first, goes with its application. */
  static final int MOST = 10_000;

  /** A node that is away for longer is taken for one that has gone for good. */
  static final Duration AWAY = Duration.ofMinutes(10);

  private record Drop(NodeId node, int shuffle) {}

  private final LongSupplier clock;
  private final Set<Drop> drops = new LinkedHashSet<>();
  private Set<NodeId> there = Set.of();

  /** Since when those that were there before have not been. */
  private final Map<NodeId, Long> away = new HashMap<>();

  private boolean over;

  /**
   * Nothing that is untold yet.
   *
   * @param clock as {@link System#nanoTime}
   */
  UntoldDrops(LongSupplier clock) {
    this.clock = clock;
  }

  /** Learns which nodes are there now, and forgets those that have long been away. */
  synchronized void see(Collection<NodeId> nodes) {
    long now = clock.getAsLong();
    there.forEach(node -> away.putIfAbsent(node, now));
    nodes.forEach(away::remove);
    away.values().removeIf(since -> now - since > AWAY.toNanos());
    there = Set.copyOf(nodes);
    drops.removeIf(drop -> !there.contains(drop.node) && !away.containsKey(drop.node));
  }

  /** For all nodes that are there, or may be back. */
  synchronized void add(int shuffle) {
    there.forEach(node -> add(node, shuffle));
    away.keySet().forEach(node -> add(node, shuffle));
  }

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

  /** Whether there is nothing to tell any node, also of those that may be back. */
  synchronized boolean isEmpty() {
    return drops.isEmpty();
  }

  /** The application has ended: all of it goes. */
  synchronized void end() {
    over = true;
    drops.clear();
  }
}
