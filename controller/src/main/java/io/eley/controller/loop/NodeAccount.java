package io.eley.controller.loop;

import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadCause;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;

/**
 * One registration of one node: which permits it was granted, which it has confirmed, and what it
 * has moved. Not thread-safe: the loops' thread owns it. Times are nanoseconds.
 */
final class NodeAccount {
  private static final long NEVER = Long.MIN_VALUE;
  private static final int REPORTS = 64;

  private final BufferNode node;

  /** When the oldest permit was granted that has not been answered yet; {@link #NEVER} for none. */
  private long unansweredSince = NEVER;

  /** Permits granted and not confirmed, the oldest first; few, since a silent node is removed. */
  private final Deque<Granted> unconfirmed = new ArrayDeque<>();

  private Moved moved = Moved.NOTHING;

  /** The last reports, the oldest first; they reach back for some seconds. */
  private final Deque<Report> reports = new ArrayDeque<>();

  /**
   * Sequence of the first permit that closed all that is closed now; the largest while the prefetch
   * lane is open.
   */
  private long closedSince = Long.MAX_VALUE;

  /** Whether the last permit closed the demand lane, too. */
  private boolean demandHeld;

  /** Of the last permit: no other can have been confirmed. */
  private long granted;

  private long confirmed;

  private record Granted(long sequence, long at) {}

  private record Report(long at, Moved moved) {}

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
    if (!permit.prefetch().held()) {
      closedSince = Long.MAX_VALUE;
    } else if (closedSince == Long.MAX_VALUE || (permit.demand().held() && !demandHeld)) {
      // A forecast closes prefetching alone; the phase that follows is not held for before a node
      // has closed the other lane as well.
      closedSince = permit.sequence();
    }
    demandHeld = permit.demand().held();
    granted = permit.sequence();
    unconfirmed.add(new Granted(permit.sequence(), now));
    node.grant(permit);
  }

  /** Notes that a message of the node has arrived, whatever it is. */
  void noteAlive() {
    unansweredSince = NEVER;
  }

  /** Whether the origin has asked the node for fewer requests since its last report. */
  boolean throttledSince(Moved newer) {
    return !reports.isEmpty() && newer.throttled() > moved.throttled();
  }

  /**
   * Notes that the node has confirmed a permit.
   *
   * @param newer what it has moved, read since the permit was granted
   * @return when that permit was granted
   */
  long confirm(long sequence, Moved newer, long now) {
    noteAlive();
    long grantedAt = now;
    if (sequence <= granted) { // else it is of a coordinator that was here before
      while (!unconfirmed.isEmpty() && unconfirmed.peek().sequence <= sequence) {
        grantedAt = unconfirmed.remove().at;
      }
      confirmed = Math.max(confirmed, sequence);
    }
    moved = newer;
    reports.add(new Report(now, newer));
    if (reports.size() > REPORTS) {
      reports.remove();
    }
    return grantedAt;
  }

  /**
   * For how long the node has left a permit unanswered. A coordinator that was suspended has
   * granted nothing meanwhile, so it does not blame the node for its own silence.
   */
  long silentNanos(long now) {
    return unansweredSince == NEVER ? 0 : now - unansweredSince;
  }

  /**
   * Whether it has said what it has moved: that may be much, also of a node that has just joined.
   */
  boolean reported() {
    return !reports.isEmpty();
  }

  /** Whether the node's last permit closes prefetching. */
  boolean toldToHold() {
    return closedSince != Long.MAX_VALUE;
  }

  /** Whether the node's permit closes prefetching and the node has confirmed it. */
  boolean holds() {
    return toldToHold() && confirmed >= closedSince;
  }

  /** Bytes that it had moved at some moment of late, by straight lines between its reports. */
  Map<ReadCause, Long> bytesAt(long time) {
    Report after = null;
    for (Iterator<Report> newestFirst = reports.descendingIterator(); newestFirst.hasNext(); ) {
      Report report = newestFirst.next();
      if (report.at - time <= 0) {
        return after == null ? report.moved.originBytes() : between(report, after, time);
      }
      after = report;
    }
    return after == null ? moved.originBytes() : after.moved.originBytes();
  }

  private static Map<ReadCause, Long> between(Report a, Report b, long time) {
    double part = (double) (time - a.at) / (b.at - a.at);
    var bytes = new EnumMap<ReadCause, Long>(ReadCause.class);
    b.moved
        .originBytes()
        .forEach(
            (cause, then) -> {
              long before = a.moved.originBytes().getOrDefault(cause, 0L);
              bytes.put(cause, before + Math.round(part * Math.max(0, then - before)));
            });
    return bytes;
  }

  /** What the node has moved, by its last report. */
  Moved moved() {
    return moved;
  }
}
