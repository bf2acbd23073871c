package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.error.Remedy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is known of the blocks at one node, and the difference between that and what should be
 * there. A block is unknown, ordered (an order was sent and the node has not answered), or present.
 *
 * <p>A freed block is unknown again, though it may lie in the node's RAM for a while: it is the
 * first to be evicted, so it takes no room. Ordering it anew costs nothing if it is still there.
 *
 * <p>Not thread-safe.
 */
final class NodeBlocks {
  private record Trouble(int failures, long notBefore) {}

  private final NodeId node;
  private final long capacityBytes;
  private final PlanOptions.Retries retries;
  private final Set<BlockId> ordered = new HashSet<>();
  private final Set<BlockId> present = new HashSet<>();
  private final Map<BlockId, Trouble> troubles = new HashMap<>();
  private Set<BlockId> wanted = Set.of();

  NodeBlocks(NodeId node, long capacityBytes, PlanOptions.Retries retries) {
    this.node = node;
    this.capacityBytes = capacityBytes;
    this.retries = retries;
  }

  long capacityBytes() {
    return capacityBytes;
  }

  Set<BlockId> present() {
    return present;
  }

  void noteArrived(BlockId block) {
    ordered.remove(block);
    present.add(block);
  }

  /**
   * Notes that the node has lost a block. After the first loss it is ordered again at once; a block
   * that is lost again and again is left to the task that reads it.
   */
  void noteDropped(BlockId block, long now) {
    ordered.remove(block);
    present.remove(block);
    if (wanted.contains(block)) {
      int failures = failures(block) + 1;
      long pause = failures == 1 ? 0 : retries.pauseNanos(failures - 1);
      troubles.put(block, new Trouble(failures, now + pause));
    }
  }

  /** Notes that a fetch has failed; an error that no retry can mend gives the block up at once. */
  void noteFailed(BlockId block, ErrorCode code, long now) {
    ordered.remove(block);
    present.remove(block);
    boolean hopeless =
        code.remedy() == Remedy.FAIL
            && code != ErrorCode.ORIGIN_FAILED
            && code != ErrorCode.INTERRUPTED;
    int failures = hopeless ? retries.attempts() : failures(block) + 1;
    troubles.put(block, new Trouble(failures, now + retries.pauseNanos(failures)));
  }

  int failures(BlockId block) {
    Trouble trouble = troubles.get(block);
    return trouble == null ? 0 : trouble.failures();
  }

  /** Whether the block is left to the task that wants it. */
  boolean givenUp(BlockId block) {
    return !present.contains(block) && failures(block) >= retries.attempts();
  }

  /**
   * Makes the orders that lead to {@code should}, and assumes that they are sent.
   *
   * @param should the blocks that belong here, the most urgent first
   * @param needed all blocks that any window has at this node; the failures of other blocks are
   *     forgotten
   */
  NodeOrders orders(Set<BlockId> should, Set<BlockId> needed, long now) {
    var free = new ArrayList<BlockId>();
    for (BlockId block : wanted) {
      boolean there = !should.contains(block) && (present.remove(block) || ordered.remove(block));
      if (there) {
        free.add(block);
      }
    }
    troubles.keySet().retainAll(needed);
    var fetch = new ArrayList<BlockId>();
    for (BlockId block : should) {
      if (!present.contains(block) && ripe(block, now) && ordered.add(block)) {
        fetch.add(block);
      }
    }
    wanted = should;
    return new NodeOrders(node, fetch, List.copyOf(free));
  }

  BlockFacts.State state(BlockId block) {
    if (present.contains(block)) {
      return BlockFacts.State.PRESENT;
    }
    if (ordered.contains(block)) {
      return BlockFacts.State.ORDERED;
    }
    return givenUp(block) ? BlockFacts.State.GIVEN_UP : BlockFacts.State.ABSENT;
  }

  /** Whether an order may become due by time alone: a failed block waits for its retry. */
  boolean waits() {
    return !troubles.isEmpty();
  }

  private boolean ripe(BlockId block, long now) {
    Trouble trouble = troubles.get(block);
    return trouble == null || trouble.notBefore() - now <= 0;
  }
}
