package io.eley.coordinator;

import io.eley.api.BlockId;
import io.eley.api.FileVersion;
import io.eley.api.NodeId;
import io.eley.api.error.ErrorCode;
import io.eley.api.wire.DeploymentReport;
import io.eley.api.wire.NodeMessage;
import io.eley.api.wire.NodeMessage.BlocksChanged;
import io.eley.api.wire.NodeMessage.FailedFetch;
import io.eley.api.wire.NodeMessage.Heartbeat;
import io.eley.api.wire.NodeMessage.PermitApplied;
import io.eley.api.wire.NodeMessage.Register;
import io.eley.api.wire.PhaseMessage.BeginPhase;
import io.eley.api.wire.PhaseMessage.PhaseHeld;
import io.eley.api.wire.PlanMessage;
import io.eley.api.wire.ReplyMessage.Failure;
import io.eley.api.wire.ReplyMessage.Ok;
import io.eley.coordinator.Holds.Announcement;
import io.eley.hooks.signal.AnnouncedPhases;
import io.eley.hooks.signal.Evidence;
import io.eley.prefetch.control.PermitController;
import io.eley.prefetch.plan.WavePlanner;
import io.eley.server.net.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the coordinator does about each message and each tick of time. Every method runs on the
 * {@link Agent}, which owns everything reachable from here but the metadata cache.
 *
 * <p>All of it may be lost at any time: nodes register again with their inventory, drivers plan
 * again, phases are announced again by their leases' renewal.
 */
final class Coordinator {
  private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);

  /** How often time itself is looked at: leases, silence, renewals, retries. */
  static final Duration TICK = Duration.ofMillis(100);

  private final CoordinatorOptions options;
  private final Agent agent;
  private final Members members;
  private final MetadataCache metadata;
  private final WavePlanner planner;
  private final PermitController controller;
  private final AnnouncedPhases phases;
  private final PhaseLedger ledger;
  private final Holds holds = new Holds();
  private final Drivers drivers;
  private final Orders orders;
  private final long startedAt;

  Coordinator(
      CoordinatorOptions options,
      Agent agent,
      Members members,
      MetadataCache metadata,
      LedgerWriter written) {
    this.options = options;
    this.agent = agent;
    this.members = members;
    this.metadata = metadata;
    this.planner = new WavePlanner(options.planOptions(), members.view().view());
    this.orders = new Orders(planner, members, agent, options.prefetches());
    this.drivers = new Drivers(planner, metadata, agent, orders::soon);
    this.startedAt = agent.now();
    this.controller =
        new PermitController(
            options.operator(),
            options.holding().timeToLive(),
            options.holding().renewal(),
            startedAt);
    this.ledger =
        new PhaseLedger(members, controller::decision, Instant::now, written.alone(), written);
    this.phases = new AnnouncedPhases(new PhaseListeners(List.of(new PhaseLog(), ledger)));
  }

  void tick() {
    long now = agent.now();
    var gone = members.expire(options.members().heartbeatTimeout(), now);
    if (!gone.isEmpty()) {
      gone.forEach(planner::nodeLeft);
      viewChanged();
      holds.confirmed(members.all(), now);
    }
    drivers.expire(options.members().driverGrace(), now);
    control(now);
    ledger.settle(now);
    if (planner.waitsForTime()) {
      orders.soon();
    }
  }

  /** Pushes permits where the phases, or time, ask for new ones. */
  private void control(long now) {
    String before = controller.decision().reason();
    if (controller.update(openPhases(now), now)) {
      members.all().forEach(m -> m.grant(controller.nextPermit()));
    }
    ledger.decided();
    String after = controller.decision().reason();
    if (!after.equals(before)) {
      LOG.info("permits: {}", after);
    }
  }

  private List<String> openPhases(long now) {
    return phases.openPhases(now).stream().map(Evidence::application).toList();
  }

  private void viewChanged() {
    planner.view(members.view().view());
    members.all().forEach(m -> m.session().push(members.view()));
    orders.soon();
  }

  void node(Session session, long correlation, NodeMessage message) {
    if (message instanceof Register m) {
      register(session, correlation, m);
    } else if (message instanceof Heartbeat m) {
      from(m.node(), session, correlation, member -> heartbeat(member, m));
    } else if (message instanceof BlocksChanged m) {
      from(m.node(), session, correlation, member -> blocksChanged(m));
    } else if (message instanceof PermitApplied m) {
      members.of(m.node(), session).ifPresent(member -> confirmed(member, m));
      holds.confirmed(members.all(), agent.now());
    } else {
      session.reply(
          correlation, new Failure(ErrorCode.MALFORMED, message.type() + " is not for me"));
    }
  }

  private void heartbeat(Member member, Heartbeat m) {
    member.counters(m.counters());
    ledger.heard(member, agent.now());
  }

  private void confirmed(Member member, PermitApplied m) {
    member.confirmed(m.sequence(), m.originBytes());
    long now = agent.now();
    ledger.confirmed(member, now);
    ledger.heard(member, now);
  }

  private void register(Session session, long correlation, Register m) {
    NodeId node = m.address().id();
    boolean newView = members.register(m, session, agent.now());
    planner.nodeJoined(node, m.capacityBytes());
    session.reply(correlation, members.view());
    members.of(node, session).ifPresent(member -> member.grant(controller.nextPermit()));
    if (newView) {
      viewChanged();
    }
    orders.soon();
  }

  /** Only a node that is registered over this very connection is heard. */
  private void from(NodeId node, Session session, long correlation, Consumer<Member> action) {
    var member = members.of(node, session);
    member.ifPresent(m -> m.alive(agent.now()));
    member.ifPresent(action);
    session.reply(
        correlation,
        member.isPresent()
            ? new Ok()
            : new Failure(ErrorCode.NOT_REGISTERED, "node " + node + " must register first"));
  }

  private void blocksChanged(BlocksChanged m) {
    long now = agent.now();
    planner.arrived(m.node(), m.arrived());
    planner.dropped(m.node(), m.dropped(), now);
    for (FailedFetch failed : m.failed()) {
      planner.failed(m.node(), failed.block(), failed.code(), now);
      if (failed.code() == ErrorCode.STALE_VERSION) {
        renew(failed.block());
      }
    }
    orders.soon();
  }

  /** The planned version is gone: asking the origin again tells us the one there is now. */
  private void renew(BlockId stale) {
    var unused =
        metadata
            .stat(stale.file().path(), true)
            .thenAccept(status -> agent.execute(() -> fileChanged(status.version())));
  }

  /** A file has another version than was known. */
  void fileChanged(FileVersion file) {
    if (planner.replace(file)) {
      LOG.info("planned file has changed: {}", file);
      orders.soon();
    }
  }

  /**
   * A phase begins.
   *
   * @param arrivedAt nanoseconds, when the announcement came from the network
   * @param answer hears, once, how many nodes have confirmed
   */
  void beginPhase(BeginPhase m, long arrivedAt, Consumer<PhaseHeld> answer) {
    long now = agent.now();
    phases.begin(m.application(), m.lease(), now);
    control(now);
    if (!controller.decision().held()) {
      answer.accept(new PhaseHeld(members.all().size(), 0, 0));
      return;
    }
    var announcement = new Announcement(answer, arrivedAt);
    holds.add(announcement);
    holds.confirmed(members.all(), now);
    agent.after(
        options.holding().confirmation(),
        () -> holds.giveUp(announcement, members.all(), agent.now()));
  }

  /** A phase ends; says whether it was open. */
  boolean endPhase(String application) {
    long now = agent.now();
    boolean was = phases.end(application, now);
    control(now);
    return was;
  }

  void driver(Session session, long correlation, PlanMessage message) {
    drivers.received(session, message);
    session.reply(correlation, new Ok());
  }

  void closed(Session session) {
    drivers.closed(session, agent.now());
  }

  DeploymentReport report() {
    long now = agent.now();
    var view = members.view();
    return new DeploymentReport(
        view.view().mode(),
        view.originAddress(),
        view.view().epoch(),
        TimeUnit.NANOSECONDS.toMillis(now - startedAt),
        controller.decision().reason(),
        openPhases(now),
        members.all().stream().map(m -> m.report(now)).toList(),
        drivers.report());
  }
}
