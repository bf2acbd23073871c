package io.eley.coordinator.members;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.RecentMap;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The last event of each of the {@value #KEPT} blocks used last, for explanations. That a block has
 * arrived is taken for where it is, so it is remembered until that node has dropped it or is gone.
 * The agent owns it.
 */
public final class BlockHistory {
  private static final int KEPT = 20_000;

  /**
   * What happened.
   *
   * @param what it was
   * @param node that reported it
   * @param at nanoseconds of the agent's clock
   */
  public record Event(What what, NodeId node, long at) {
    /** For people, such as "arrived on node n1". */
    public String words() {
      return what.words + " node " + node;
    }
  }

  /** What happens to blocks. */
  public enum What {
    ARRIVED("arrived on"),
    DROPPED("was dropped by"),
    YIELDED("had to yield to intermediate data on"),
    FAILED("could not be fetched by");

    private final String words;

    What(String words) {
      this.words = words;
    }
  }

  private final Map<BlockId, Event> events = new RecentMap<>(KEPT);

  /**
   * Notes what a node has reported of a block. One that has left another node than the one where it
   * is, as after a change of the view, is still there.
   */
  void note(NodeId node, BlockId block, What what, long now) {
    Event before = events.get(block);
    boolean elsewhere = before != null && before.what == What.ARRIVED && !before.node.equals(node);
    if (!elsewhere || (what != What.DROPPED && what != What.YIELDED)) {
      events.put(block, new Event(what, node, now));
    }
  }

  /** Forgets what has arrived on a node that is gone, or begins anew and tells what it has. */
  void forget(NodeId node) {
    events.values().removeIf(e -> e.what == What.ARRIVED && e.node.equals(node));
  }

  /** The last events of all remembered blocks of a file, the first block first. */
  public SortedMap<BlockId, Event> ofFile(String path) {
    var found = new TreeMap<BlockId, Event>(Comparator.comparingInt(BlockId::index));
    events.forEach(
        (block, event) -> {
          if (block.file().path().equals(path)) {
            Event other = found.get(block);
            if (other == null || event.at() - other.at() >= 0) {
              found.remove(block);
              found.put(block, event);
            }
          }
        });
    return found;
  }

  /** The last event of a block, if it is remembered. */
  public Optional<Event> last(BlockId block) {
    return Optional.ofNullable(events.get(block));
  }
}
