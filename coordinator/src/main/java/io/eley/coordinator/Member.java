package io.eley.coordinator;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.NodeMessage.GrantPermit;
import io.eley.bb.server.net.Session;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One registration of one node. The agent's. */
final class Member {
  private final NodeAddress address;
  private final Session session;
  private static final long NOTHING = -1;

  private long heardAt;

  /** When the first permit was granted that is not confirmed yet. */
  private long askedAt = NOTHING;

  /** Granted and not confirmed yet, the oldest first; few, for who does not confirm is put out. */
  private final Deque<Granted> unconfirmed = new ArrayDeque<>();

  private NodeCounters counters;
  private long heldSince = Long.MAX_VALUE;
  private long confirmed;

  private record Granted(long sequence, long at) {}

  Member(NodeAddress address, long capacityBytes, Session session, long now) {
    this.address = address;
    this.session = session;
    this.heardAt = now;
    this.counters = new NodeCounters(capacityBytes, 0, 0, 0, 0, Map.of(), 0, 0, 0, false, 0);
  }

  NodeAddress address() {
    return address;
  }

  Session session() {
    return session;
  }

  void alive(long now) {
    heardAt = now;
    askedAt = NOTHING;
  }

  /**
   * For how long it has left a permit unconfirmed. A coordinator that stood still has granted
   * nothing meanwhile, so it does not take its own silence for theirs.
   */
  long silentNanos(long now) {
    return askedAt == NOTHING ? 0 : now - askedAt;
  }

  /** Pushes a permit and remembers since which one the node is held. */
  void grant(Permit permit, long now) {
    if (askedAt == NOTHING) {
      askedAt = now;
    }
    if (!permit.prefetch().closed()) {
      heldSince = Long.MAX_VALUE;
    } else if (heldSince == Long.MAX_VALUE) {
      heldSince = permit.sequence();
    }
    unconfirmed.add(new Granted(permit.sequence(), now));
    session.push(new GrantPermit(permit));
  }

  /**
   * The node obeys a permit.
   *
   * @param newer its counters at that moment
   * @return when it was granted: the node has read its counters since
   */
  long confirmed(long sequence, NodeCounters newer, long now) {
    alive(now);
    long grantedAt = now;
    while (!unconfirmed.isEmpty() && unconfirmed.peek().sequence <= sequence) {
      grantedAt = unconfirmed.remove().at;
    }
    confirmed = Math.max(confirmed, sequence);
    counters = newer;
    return grantedAt;
  }

  /** Whether its last permit closes prefetching. */
  boolean heldNow() {
    return heldSince != Long.MAX_VALUE;
  }

  /** What the node has read from the origin by cause, as it has told last. */
  Map<ReadCause, Long> originBytes() {
    return counters.originBytes();
  }

  /** All of it. */
  long originTotal() {
    return originBytes().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether it has told of fetches that wait for a permit or a fetcher. */
  boolean fetchesWait() {
    return counters.queuedFetches() > 0;
  }

  /** Whether the node has said that it obeys the hold. */
  boolean holds() {
    return confirmed >= heldSince;
  }

  NodeReport report(long now) {
    return new NodeReport(
        address.id().value(),
        address.host(),
        address.port(),
        TimeUnit.NANOSECONDS.toMillis(now - heardAt),
        counters);
  }
}
