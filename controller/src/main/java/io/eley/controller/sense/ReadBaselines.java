package io.eley.controller.sense;

import io.eley.bb.api.ReadTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The baselines of all nodes, one for each load of ours: a read that shares its mount and the
 * servers with seven others of ours takes longer than one that is alone, with nobody else about.
 *
 * <p>Not thread-safe.
 */
final class ReadBaselines {
  /** How long a node's last word on its load is taken to hold. */
  private static final long LOAD_NANOS = 500_000_000;

  private record Key(String node, int ofNode, int ofAll) {}

  private record Load(double underWay, long at) {}

  private final Map<Key, ReadBaseline> baselines = new HashMap<>();
  private final Map<String, SingleReads> singles = new HashMap<>();
  private final Map<String, Load> loads = new HashMap<>();

  /** The baseline of a read, with others of ours under way now; new when there is none. */
  ReadBaseline of(String node, ReadTime read, long now) {
    loads.put(node, new Load(read.underWay(), now));
    loads.values().removeIf(load -> now - load.at > LOAD_NANOS);
    double all = loads.values().stream().mapToDouble(Load::underWay).sum();
    var key = new Key(node, doubling(read.underWay()), doubling(all));
    return baselines.computeIfAbsent(key, k -> new ReadBaseline());
  }

  /** What a read of a node takes that has not ended, as far as that is known. */
  Optional<ReadBaseline> known(String node, ReadTime underWay) {
    double all = loads.values().stream().mapToDouble(Load::underWay).sum();
    var key = new Key(node, doubling(underWay.underWay()), doubling(all));
    return Optional.ofNullable(baselines.get(key)).filter(ReadBaseline::known);
  }

  /** What single reads of a node take. */
  SingleReads singles(String node) {
    return singles.computeIfAbsent(node, n -> new SingleReads());
  }

  void forget(String node) {
    baselines.keySet().removeIf(key -> key.node.equals(node));
    loads.remove(node);
    singles.remove(node);
  }

  /** Loads within a factor of the square root of two of 1, 2, 4, 8 … share a baseline. */
  private static int doubling(double underWay) {
    return (int) Math.round(Math.log(Math.max(1, underWay)) / Math.log(2));
  }
}
