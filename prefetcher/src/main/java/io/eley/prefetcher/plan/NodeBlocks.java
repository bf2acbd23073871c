package io.eley.prefetcher.plan;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.PageSet;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.error.Remedy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the blocks at one node, and the difference between that and what should be
 * there. A block is unknown, ordered (an order was sent and the node has not answered), or present;
 * what is known is the pages that were ordered. Of a block that is present more may be ordered.
 * Pages that nobody wants any more stay as long as others of their block are wanted.
 *
 * <p>A node keeps what is ordered until it is freed, against all but what tasks wait for. So what
 * is wanted and came there without an order is ordered, too, which costs the origin nothing; and
 * what was ordered is freed though the node has lost it, since it may be fetching it again.
 *
 * <p>While a part is fetched the node reserves its whole block. So parts are ordered as far as that
 * has room, the others when these have come.
 *
 * <p>A freed block is unknown again, though it may lie in the node's RAM for a while: it is the
 * first to be evicted, so it takes no room. Ordering it anew costs nothing if it is still there.
 *
 * <p>Not thread-safe.
 */
final class NodeBlocks {
  private record Trouble(int failures, long notBefore) {}

  private final NodeId node;
  private long capacityBytes;
  private final PlanOptions.Retries retries;
  private final ToIntFunction<BlockPart> size;

  /** Unanswered orders; each holds what is present of its block, too. */
  private final Map<BlockId, PageSet> ordered = new HashMap<>();

  private final Map<BlockId, PageSet> present = new HashMap<>();
  private final Map<BlockId, Trouble> troubles = new HashMap<>();

  /** Ordered, and not freed since, whatever has become of them: the node keeps these. */
  private final Set<BlockId> kept = new HashSet<>();

  private Set<BlockId> wanted = Set.of();

  /**
   * A node of which nothing is known.
   *
   * @param size bytes of RAM that a part of a block takes there
   */
  NodeBlocks(
      NodeId node, long capacityBytes, PlanOptions.Retries retries, ToIntFunction<BlockPart> size) {
    this.node = node;
    this.capacityBytes = capacityBytes;
    this.retries = retries;
    this.size = size;
  }

  /** Returns whether it is another one now. */
  boolean setCapacityBytes(long bytes) {
    boolean changed = capacityBytes != bytes;
    capacityBytes = bytes;
    return changed;
  }

  long capacityBytes() {
    return capacityBytes;
  }

  /** The pages of each block that are in the node's RAM. Not to be changed. */
  Map<BlockId, PageSet> present() {
    return present;
  }

  /**
   * Notes that a block is there. One that was not ordered counts as a whole, others by the pages
   * that were ordered.
   */
  void noteArrived(BlockId block) {
    PageSet pages = ordered.remove(block);
    if (pages == null) {
      present.putIfAbsent(block, PageSet.ALL);
    } else {
      present.put(block, pages);
    }
  }

  /**
   * Notes that all pages of a block are there that were ordered. Of one that was freed while this
   * was on its way nothing is known.
   */
  void notePartArrived(BlockId block) {
    PageSet pages = ordered.remove(block);
    if (pages != null) {
      present.put(block, pages);
    }
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
    return !present.containsKey(block) && failures(block) >= retries.attempts();
  }

  /** The same part with what is there or ordered: this takes room as long as the block stays. */
  BlockPart withHeld(BlockPart part) {
    PageSet held = part.pages().isAll() ? null : held(part.block());
    return held == null ? part : part.with(held);
  }

  private @Nullable PageSet held(BlockId block) {
    PageSet unanswered = ordered.get(block);
    return unanswered == null ? present.get(block) : unanswered;
  }

  /**
   * Makes the orders that lead to {@code should}, and assumes that they are sent.
   *
   * @param should what belongs here, {@linkplain #withHeld with what is held}, the most urgent
   *     first
   * @param needed all blocks that any window has at this node; the failures of other blocks are
   *     forgotten
   */
  NodeOrders orders(Map<BlockId, PageSet> should, Set<BlockId> needed, long now) {
    var free = new ArrayList<BlockId>();
    for (BlockId block : wanted) {
      if (!should.containsKey(block) && held(block) != null) {
        present.remove(block);
        ordered.remove(block);
        kept.remove(block);
        free.add(block);
      }
    }
    for (var each = kept.iterator(); each.hasNext(); ) {
      BlockId block = each.next();
      if (!should.containsKey(block) && !needed.contains(block)) {
        each.remove();
        free.add(block);
      }
    }
    troubles.keySet().retainAll(needed);
    List<BlockPart> fetch = fetches(should, now);
    fetch.forEach(part -> kept.add(part.block()));
    wanted = should.keySet();
    return new NodeOrders(node, fetch, free);
  }

  private List<BlockPart> fetches(Map<BlockId, PageSet> should, long now) {
    var fetch = new ArrayList<BlockPart>();
    long room = capacityBytes;
    for (BlockId block : should.keySet()) {
      room -= reserved(block);
    }
    for (var entry : should.entrySet()) {
      var part = new BlockPart(entry.getKey(), entry.getValue());
      if (lacks(part) && ripe(part.block(), now)) {
        room -= size.applyAsInt(BlockPart.whole(part.block())) - reserved(part.block());
        // In order or not at all: smaller ones must not take an urgent one's room.
        if (room >= 0) {
          ordered.put(part.block(), part.pages());
          fetch.add(part);
        }
      } else if (present.containsKey(part.block()) && !kept.contains(part.block())) {
        fetch.add(part);
      }
    }
    return fetch;
  }

  private boolean lacks(BlockPart part) {
    PageSet held = held(part.block());
    return held == null || !held.containsAll(part.pages());
  }

  /** What the node reserves for a block by what it was ordered: all of it while that is fetched. */
  private int reserved(BlockId block) {
    if (ordered.containsKey(block)) {
      return size.applyAsInt(BlockPart.whole(block));
    }
    PageSet there = present.get(block);
    return there == null ? 0 : size.applyAsInt(new BlockPart(block, there));
  }

  BlockFacts.State state(BlockId block) {
    if (ordered.containsKey(block)) {
      return BlockFacts.State.ORDERED;
    }
    if (present.containsKey(block)) {
      return BlockFacts.State.PRESENT;
    }
    return givenUp(block) ? BlockFacts.State.GIVEN_UP : BlockFacts.State.ABSENT;
  }

  /** Whether any block has failed and is not forgotten, whatever has become of it since. */
  boolean hasTroubles() {
    return !troubles.isEmpty();
  }

  /** Whether an order may become due by time alone: a failed block waits for its retry. */
  boolean waits() {
    return troubles.keySet().stream().anyMatch(block -> held(block) == null && !givenUp(block));
  }

  private boolean ripe(BlockId block, long now) {
    Trouble trouble = troubles.get(block);
    return trouble == null || trouble.notBefore() - now <= 0;
  }
}
