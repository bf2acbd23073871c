package io.eley.coordinator.members;

import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.MetadataMessage.View;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.NodeMessage.Register;
import io.eley.bb.server.net.Session;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of the deployment. The agent owns it, but any thread may read {@link #view}.
 *
 * <p>A node leaves only by being silent for too long: one whose connection was lost may be back in
 * a moment, and each change of the view moves blocks.
 */
public final class Members {
  private static final Logger LOG = LoggerFactory.getLogger(Members.class);

  private final String originAddress;
  private final Map<NodeId, Member> members = new TreeMap<>();
  private final ServedSinceStart served = new ServedSinceStart();
  private volatile View view;

  /**
   * A membership without nodes.
   *
   * @param first the first view; its epoch is larger than any that an earlier coordinator of this
   *     deployment has given, or clients would not take it
   */
  public Members(ClusterView first, String originAddress) {
    this.originAddress = originAddress;
    this.view = new View(first, originAddress);
  }

  /** The present view; any thread may read it. */
  public View view() {
    return view;
  }

  Collection<Member> all() {
    return members.values();
  }

  /** The member of that name, if this session is the one it registered with. */
  Optional<Member> of(NodeId node, Session session) {
    return Optional.ofNullable(members.get(node)).filter(m -> m.session() == session);
  }

  /**
   * Registers a node, perhaps again with a new connection; returns whether the view has changed.
   */
  boolean register(Register register, Session session, long now) {
    var address = register.address();
    Member before =
        members.put(address.id(), new Member(address, register.capacityBytes(), session, now));
    if (before != null && before.session() != session) {
      before.session().close();
    }
    if (before != null && before.address().equals(address)) {
      LOG.info("node {} is here again", address.id());
      return false;
    }
    changeView();
    LOG.info(
        "node {} at {}:{} has joined, epoch {}",
        address.id(),
        address.host(),
        address.port(),
        view.view().epoch());
    return true;
  }

  /** Takes out nodes that have been silent for too long, and ends their connections. */
  void remove(List<NodeId> silent) {
    for (NodeId node : silent) {
      Member member = members.remove(node);
      if (member != null) {
        member.session().close();
      }
    }
    changeView();
    LOG.warn("silent for too long: {}; epoch {}", silent, view.view().epoch());
  }

  /** Takes the counters that a member reported. */
  void noteCounters(Member member, NodeCounters counters, long now) {
    member.noteCounters(counters, now);
    served.note(member.id(), counters);
  }

  /** What all nodes have served, also those that have left. */
  public ServedSinceStart served() {
    return served;
  }

  /** Sends a message to all of them. */
  public void push(Message message) {
    members.values().forEach(member -> member.session().push(message));
  }

  /** Each member in the deployment's report. */
  public List<NodeReport> report(long now) {
    return members.values().stream().map(m -> m.reported(now)).toList();
  }

  private void changeView() {
    var old = view.view();
    var addresses = members.values().stream().map(Member::address).toList();
    view =
        new View(
            new ClusterView(old.epoch() + 1, old.geometry(), old.mode(), addresses), originAddress);
  }
}
