package io.eley.bb.api.client;

import io.eley.bb.api.NodeAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which node is asked next to take a copy of an output, so that copies lie on different machines
 * where that is possible: first the nodes of machines that have no copy yet, then the others, both
 * in the order that is given. Each is asked once.
 *
 * <p>With the nodes a1, a2, b1 of the machines a and b, of which a1 takes the first copy, b1 is
 * asked for the second; a2 only if b1 is full or does not answer.
 *
 * <p>For one output and one thread.
 */
final class CopyTurns {
  private final List<NodeAddress> left;
  private final List<NodeAddress> taken = new ArrayList<>();

  /**
   * Nobody was asked yet.
   *
   * @param nodes the best first
   */
  CopyTurns(List<NodeAddress> nodes) {
    left = new ArrayList<>(nodes);
  }

  /** The node to ask, or empty when all were. */
  Optional<NodeAddress> next() {
    Optional<NodeAddress> next =
        left.stream().filter(this::isElsewhere).findFirst().or(() -> left.stream().findFirst());
    next.ifPresent(left::remove);
    return next;
  }

  private boolean isElsewhere(NodeAddress node) {
    return taken.stream().noneMatch(node::sharesMachineWith);
  }

  /** Notes that a node has taken a copy. */
  void took(NodeAddress node) {
    taken.add(node);
  }
}
