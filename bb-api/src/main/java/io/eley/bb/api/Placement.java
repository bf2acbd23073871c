package io.eley.bb.api;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which node holds a block, computed without a lookup. Rendezvous hashing (Thaler and Ravishankar,
 * 1998) ranks the nodes for a file; block <i>i</i> goes to rank <i>i mod n</i>. So consecutive
 * blocks of one file spread evenly over all nodes, and the ranking of the nodes that stay does not
 * change when one leaves.
 *
 * <p>Pure and thread-safe. Cost: one sort of the nodes for each call of {@link #rank}; callers that
 * read a file keep the ranking for as long as the view's epoch.
 */
public final class Placement {
  private Placement() {}

  /**
   * The nodes of the view, best first, for a file. Depends on the path alone: a new version stays
   * where it was.
   */
  public static List<NodeAddress> rank(ClusterView view, String path) {
    long file = hash(path, 0xcbf29ce484222325L);
    return view.nodes().stream()
        .map(n -> new Ranked(n, mix(hash(n.id().value(), file))))
        .sorted(
            Comparator.comparingLong(Ranked::weight).reversed().thenComparing(r -> r.node().id()))
        .map(Ranked::node)
        .toList();
  }

  /** The node of a block, or empty when the view has no nodes. */
  public static Optional<NodeAddress> nodeOf(ClusterView view, BlockId block) {
    return nodeOf(rank(view, block.file().path()), block.index());
  }

  /** The node of the {@code index}-th block under a ranking from {@link #rank}. */
  public static Optional<NodeAddress> nodeOf(List<NodeAddress> ranking, int index) {
    return ranking.isEmpty() ? Optional.empty() : Optional.of(ranking.get(index % ranking.size()));
  }

  /** FNV-1a, 64 bits, from a starting state. */
  private static long hash(String text, long state) {
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      state = (state ^ (b & 0xff)) * 0x100000001b3L;
    }
    return state;
  }

  /**
   * The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): FNV alone leaves the high bits of
   * short names alike.
   */
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  private record Ranked(NodeAddress node, long weight) {}
}
