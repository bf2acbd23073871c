package io.eley.bb.server.node;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Placement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which blocks are this node's, in one view. Immutable but for a cache of rankings, since ranking
 * costs a sort and a stream asks for the same file again and again. Safe for several threads.
 */
final class Ownership {
  /** How many files' rankings are cached; the cache is cleared when it is full. */
  private static final int CACHED_FILES = 4096;

  private final NodeId self;
  private final ClusterView view;
  private final Map<String, List<NodeAddress>> rankings = new ConcurrentHashMap<>();

  Ownership(NodeId self, ClusterView view) {
    this.self = self;
    this.view = view;
  }

  boolean owns(BlockId block) {
    if (rankings.size() > CACHED_FILES) {
      rankings.clear();
    }
    var ranking = rankings.computeIfAbsent(block.file().path(), path -> Placement.rank(view, path));
    return Placement.nodeOf(ranking, block.index()).filter(n -> n.id().equals(self)).isPresent();
  }

  ClusterView view() {
    return view;
  }
}
