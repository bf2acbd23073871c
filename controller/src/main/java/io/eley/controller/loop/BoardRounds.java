package io.eley.controller.loop;

import io.eley.bb.api.NodeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What this deployment tells the board of its site, and the share that the board leaves it. Each
 * word of the board begins a round: all nodes are asked what they have moved, and when the last has
 * answered the sum is known. It was reached at some moment between that word of the board and the
 * deployment's next one, so the board can take it like a node's answer, without a clock in common.
 * A round that a slow node does not let end is given up after a second.
 *
 * <p>Not thread-safe: the loops' thread owns it. Times are nanoseconds of its clock.
 */
public final class BoardRounds {
  private static final long LONGEST = Duration.ofSeconds(1).toNanos();

  private final Map<NodeId, Long> nodes = new HashMap<>();
  private final Set<NodeId> waiting = new HashSet<>();
  private long moved;
  private long pastTheBuffer;
  private boolean asking;
  private long askedAt;
  private long askedAfter;
  private Told told = new Told(0, 0);
  private int sharers = 1;

  /** Nothing is moved yet, and no board has said anything. */
  BoardRounds() {}

  /**
   * What is to be told.
   *
   * @param bytes moved since the start
   * @param stamp of the board's word after which they were summed up; 0 before the first
   */
  public record Told(long bytes, long stamp) {}

  /**
   * A node has joined, perhaps again. What it has moved by its first answer, which comes before its
   * first fetch, may be long ago: another coordinator's.
   */
  void join(NodeId node) {
    nodes.remove(node);
  }

  void leave(NodeId node) {
    nodes.remove(node);
    answered(node);
  }

  /** Takes a node's answer to what it was asked at a time. */
  void confirm(NodeId node, long bytes, long asked) {
    Long before = nodes.put(node, bytes);
    moved += before == null ? 0 : Math.max(0, bytes - before);
    if (asked - askedAt >= 0) {
      answered(node);
    }
  }

  void notePastTheBuffer(long bytes) {
    moved += Math.max(0, bytes - pastTheBuffer);
    pastTheBuffer = Math.max(pastTheBuffer, bytes);
  }

  /**
   * Takes a word of the board.
   *
   * @param all nodes there are
   * @return whether they are to be asked now
   */
  boolean hear(long stamp, int by, Set<NodeId> all, long now) {
    sharers = by;
    if (asking && now - askedAt < LONGEST) {
      return false;
    }
    asking = true;
    askedAt = now;
    askedAfter = stamp;
    waiting.clear();
    waiting.addAll(all);
    endIfComplete();
    return asking;
  }

  private void answered(NodeId node) {
    if (waiting.remove(node)) {
      endIfComplete();
    }
  }

  private void endIfComplete() {
    if (waiting.isEmpty()) {
      asking = false;
      told = new Told(moved, askedAfter);
    }
  }

  /** The board says nothing any more. */
  void lose() {
    sharers = 1;
    asking = false;
    waiting.clear();
    told = new Told(moved, 0);
  }

  Told told() {
    return told;
  }

  /** By how many fetchers are to be divided, 1 without a board. */
  int sharers() {
    return sharers;
  }

  /** A line for people; empty while nothing is shared. */
  Optional<String> describe() {
    return sharers == 1
        ? Optional.empty()
        : Optional.of(
            String.format(Locale.ROOT, "the board: this deployment fetches as one of %d", sharers));
  }
}
