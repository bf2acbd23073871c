package io.eley.bb.api;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;

/**
 * Who is in the deployment, at one moment. The epoch grows with every change; a node that is asked
 * for a block it does not own in its own view answers with that epoch, and the client fetches the
 * newer view.
 *
 * @param epoch zero or more; zero is "no view yet"
 * @param geometry how files are cut, the same for the life of the deployment
 * @param mode the system that runs
 * @param nodes live nodes in the order of their ids
 */
public record ClusterView(
    long epoch, BlockGeometry geometry, BufferMode mode, List<NodeAddress> nodes) {
  public ClusterView {
    nodes = nodes.stream().sorted(Comparator.comparing(NodeAddress::id)).toList();
    if (epoch < 0) {
      throw new IllegalArgumentException("negative epoch");
    }
    var ids = new HashSet<NodeId>();
    for (var node : nodes) {
      if (!ids.add(node.id())) {
        throw new IllegalArgumentException("two nodes are called " + node.id());
      }
    }
  }
}
