package io.eley.coordinator.members;

import io.eley.bb.api.NodeId;
import io.eley.bb.api.wire.NodeCounters;
import java.util.HashMap;
import java.util.Map;

/**
 * What nodes have served since this coordinator's start. A node's own counters are since that
 * node's: of one that is older than we are they hold what a former coordinator's applications have
 * read, and of one that was started again not what it served before. So their growth is counted,
 * from the first that we hear; one that has become smaller is a new life's, and counts whole. On
 * the agent's thread.
 */
public final class ServedSinceStart {
  private record Told(long served, long hits) {}

  /** Also of nodes that are gone: one that was silent for a while goes on where it was. */
  private final Map<NodeId, Told> last = new HashMap<>();

  private long served;
  private long hits;

  /** Takes the counters that a node tells. */
  void note(NodeId node, NodeCounters counters) {
    var told = new Told(counters.servedBytes(), counters.hitBytes());
    Told before = last.put(node, told);
    if (before != null) {
      boolean newLife = told.served < before.served;
      served += told.served - (newLife ? 0 : before.served);
      hits += told.hits - (newLife ? 0 : before.hits);
    }
  }

  /** Bytes that all nodes have served. */
  public long served() {
    return served;
  }

  /** The part of them that was in RAM when it was asked for. */
  public long hits() {
    return hits;
  }
}
