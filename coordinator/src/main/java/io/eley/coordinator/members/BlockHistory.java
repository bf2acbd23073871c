package io.eley.coordinator.members;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.NodeId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The last event of each of the {@value #KEPT} blocks used last, for explanations. The agent owns
 * it.
 */
public final class BlockHistory {
  private static final int KEPT = 20_000;

  /**
   * What happened.
   *
   * @param what for people, such as "arrived on node n1"
   * @param at nanoseconds of the agent's clock
   */
  public record Event(String what, long at) {}

  private final Map<BlockId, Event> events =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<BlockId, Event> eldest) {
          return size() > KEPT;
        }
      };

  /** Notes what a node has reported of a block. */
  void note(NodeId node, BlockId block, String what, long now) {
    events.put(block, new Event(what + " node " + node, now));
  }

  /** The last event of a block, if it is remembered. */
  public Optional<Event> last(BlockId block) {
    return Optional.ofNullable(events.get(block));
  }
}
