package io.eley.coordinator;

import io.eley.api.NodeAddress;
import io.eley.api.Permit;
import io.eley.api.ReadCause;
import io.eley.api.wire.DeploymentReport.NodeReport;
import io.eley.api.wire.NodeCounters;
import io.eley.api.wire.NodeMessage.GrantPermit;
import io.eley.server.net.Session;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One registration of one node. The agent's. */
final class Member {
  private final NodeAddress address;
  private final Session session;
  private long heardAt;
  private NodeCounters counters;
  private long heldSince = Long.MAX_VALUE;
  private long confirmed;
  private Map<ReadCause, Long> originBytes = Map.of();

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
  }

  void counters(NodeCounters newer) {
    counters = newer;
    originBytes = newer.originBytes();
  }

  long silentNanos(long now) {
    return now - heardAt;
  }

  /** Pushes a permit and remembers since which one the node is held. */
  void grant(Permit permit) {
    if (!permit.prefetch().closed()) {
      heldSince = Long.MAX_VALUE;
    } else if (heldSince == Long.MAX_VALUE) {
      heldSince = permit.sequence();
    }
    session.push(new GrantPermit(permit));
  }

  /**
   * The node obeys a permit.
   *
   * @param originBytes what it had read by then
   */
  void confirmed(long sequence, Map<ReadCause, Long> originBytes) {
    confirmed = Math.max(confirmed, sequence);
    this.originBytes = originBytes;
  }

  /** Whether its last permit closes prefetching. */
  boolean heldNow() {
    return heldSince != Long.MAX_VALUE;
  }

  /** What the node has read from the origin by cause, as it has told last. */
  Map<ReadCause, Long> originBytes() {
    return originBytes;
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
        TimeUnit.NANOSECONDS.toMillis(silentNanos(now)),
        counters);
  }
}
