package io.eley.controller.loop;

import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One registration of one node: which permits it was granted, which it has confirmed, and what it
 * has moved. Not thread-safe: the loops' thread owns it. Times are nanoseconds.
 */
final class NodeAccount {
  private static final long NEVER = Long.MIN_VALUE;

  private final BufferNode node;

  /** When the oldest permit was granted that has not been answered yet; {@link #NEVER} for none. */
  private long unansweredSince = NEVER;

  /** Granted and not confirmed, the oldest first; few, for a silent node is put out. */
  private final Deque<Granted> unconfirmed = new ArrayDeque<>();

  private Moved moved = Moved.NOTHING;

  /** Sequence of the first permit that closed the prefetch lane; the largest while it is open. */
  private long closedSince = Long.MAX_VALUE;

  private long confirmed;

  private record Granted(long sequence, long at) {}

  NodeAccount(BufferNode node) {
    this.node = node;
  }

  NodeId id() {
    return node.id();
  }

  BufferNode node() {
    return node;
  }

  /** Grants a permit and remembers since which one the node is to hold. */
  void grant(Permit permit, long now) {
    if (unansweredSince == NEVER) {
      unansweredSince = now;
    }
    if (!permit.prefetch().closed()) {
      closedSince = Long.MAX_VALUE;
    } else if (closedSince == Long.MAX_VALUE) {
      closedSince = permit.sequence();
    }
    unconfirmed.add(new Granted(permit.sequence(), now));
    node.grant(permit);
  }

  /** Notes that the node has said something, whatever it is. */
  void noteAlive() {
    unansweredSince = NEVER;
  }

  /**
   * Notes that the node obeys a permit.
   *
   * @param newer what it has moved, read since the permit was granted
   * @return when that permit was granted
   */
  long confirm(long sequence, Moved newer, long now) {
    noteAlive();
    long grantedAt = now;
    while (!unconfirmed.isEmpty() && unconfirmed.peek().sequence <= sequence) {
      grantedAt = unconfirmed.remove().at;
    }
    confirmed = Math.max(confirmed, sequence);
    moved = newer;
    return grantedAt;
  }

  /**
   * For how long it has left a permit unanswered. A coordinator that stood still has granted
   * nothing meanwhile, so it does not take its own silence for the node's.
   */
  long silentNanos(long now) {
    return unansweredSince == NEVER ? 0 : now - unansweredSince;
  }

  /** Whether its last permit closes prefetching. */
  boolean toldToHold() {
    return closedSince != Long.MAX_VALUE;
  }

  /** Whether it was told to hold and has confirmed that it does. */
  boolean holds() {
    return toldToHold() && confirmed >= closedSince;
  }

  /** What it has moved, as it reported last. */
  Moved moved() {
    return moved;
  }
}
