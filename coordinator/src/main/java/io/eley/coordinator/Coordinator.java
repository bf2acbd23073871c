package io.eley.coordinator;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.ForecastReport;
import io.eley.bb.api.wire.DeploymentReport.PhaseReport;
import io.eley.bb.api.wire.DeploymentReport.SourceReport;
import io.eley.bb.api.wire.NodeMessage;
import io.eley.bb.api.wire.NodeMessage.BlocksChanged;
import io.eley.bb.api.wire.NodeMessage.FailedFetch;
import io.eley.bb.api.wire.NodeMessage.PermitApplied;
import io.eley.bb.api.wire.NodeMessage.Register;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.PhaseHeld;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.ReplyMessage.Failure;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.server.net.Session;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.Sighting;
import io.eley.controller.predict.Forecast;
import io.eley.controller.watch.PhaseWatch;
import io.eley.coordinator.Holds.Announcement;
import io.eley.prefetcher.control.AloneLengths;
import io.eley.prefetcher.control.Conditions;
import io.eley.prefetcher.control.Conditions.Activity;
import io.eley.prefetcher.control.Decision;
import io.eley.prefetcher.control.Models;
import io.eley.prefetcher.control.Outlook.Work;
import io.eley.prefetcher.control.PermitController;
import io.eley.prefetcher.plan.ApplicationFigures;
import io.eley.prefetcher.plan.WavePlanner;
import io.eley.scheduler.hooks.counters.CounterSampler;
import io.eley.scheduler.hooks.probe.IorProbe;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

  /** How often rates are looked at. */
  private static final Duration OBSERVATION = Duration.ofSeconds(1);

  private final CoordinatorOptions options;
  private final Agent agent;
  private final Members members;
  private final MetadataCache metadata;
  private final WavePlanner planner;
  private final PermitController controller;
  private final PhaseWatch watch;
  private final Models models = new Models();
  private final PhaseLedger ledger;
  private final Explanations explanations;
  private final Holds holds = new Holds();
  private final Drivers drivers;
  private final Orders orders;
  private final long startedAt;
  private Work work = Work.NONE;
  private long observedAt;
  private volatile double ourBytesPerSecond;
  private volatile boolean phaseKnownWithoutProbe;

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
            options.holding().delayMax(),
            options.holding().timeToLive(),
            options.holding().renewal(),
            startedAt);
    this.explanations = new Explanations(planner, options.geometry(), controller::decision);
    var past = written.past();
    var alone = new AloneLengths();
    past.forEach(alone::learn);
    past.forEach(models::phase);
    this.ledger =
        new PhaseLedger(
            members,
            controller::decision,
            Instant::now,
            agent::now,
            alone,
            this::forecast,
            entry -> {
              models.phase(entry);
              written.accept(entry);
            });
    this.watch =
        new PhaseWatch(
            options.signals().watch(), new PhaseListeners(List.of(new PhaseLog(), ledger)));
    watch.predictor().history(past);
  }

  void tick() {
    long now = agent.now();
    var gone = members.expire(options.members().heartbeatTimeout(), now);
    if (!gone.isEmpty()) {
      gone.forEach(planner::nodeLeft);
      gone.forEach(node -> watch.gone(node.value()));
      models.disturbed();
      viewChanged();
      holds.confirmed(members.all(), now);
    }
    drivers.expire(options.members().driverGrace(), now);
    control(now);
    observe(now);
    ledger.settle(now);
    if (planner.waitsForTime()) {
      orders.soon();
    }
  }

  private Optional<Forecast> forecast(String application) {
    return watch.predictor().forecast(application);
  }

  /** Pushes permits where the phases, or time, ask for new ones. */
  private void control(long now) {
    Decision before = controller.decision();
    var view = watch.view(now);
    phaseKnownWithoutProbe = view.open().stream().anyMatch(e -> !e.source().equals(IorProbe.NAME));
    if (controller.update(conditions(view, now), now)) {
      members.all().forEach(m -> m.grant(controller.nextPermit(), now));
    }
    ledger.decided();
    Decision after = controller.decision();
    if (!after.equals(before)) {
      models.disturbed();
    }
    if (!after.reason().equals(before.reason())) {
      LOG.info("permits: {}", after.reason());
    }
  }

  private Conditions conditions(PhaseWatch.View view, long now) {
    var open =
        view.open().stream()
            .map(
                e -> {
                  var rate = watch.bytesPerSecond(e.application(), now);
                  rate.ifPresent(r -> ledger.moves(e.application(), r));
                  return new Activity(e.application(), rate, ledger.aloneKnown(e.application()));
                })
            .toList();
    var expected =
        view.expected()
            .map(f -> new Conditions.Expected(f.application(), Duration.ofNanos(f.onset() - now)));
    double duty = watch.predictor().duty(now);
    var outlook =
        models.outlook(members.all().size(), options.signals().adaptive().fetchers(), work, duty);
    return new Conditions(open, expected, Duration.ZERO, view.blind(), outlook);
  }

  /** Once a second: how fast things go, for the models and the probe. */
  private void observe(long now) {
    if (now - observedAt < OBSERVATION.toNanos()) {
      return;
    }
    observedAt = now;
    var figures = drivers.figures();
    long window = figures.stream().mapToLong(ApplicationFigures::windowBytes).sum();
    long inRam = figures.stream().mapToLong(ApplicationFigures::windowBytesInRam).sum();
    long left = figures.stream().mapToLong(ApplicationFigures::unfinishedBytes).sum();
    work = new Work(left, Math.min(left, inRam));
    long ours = members.all().stream().mapToLong(Member::originTotal).sum();
    var view = watch.view(now);
    double foreign =
        view.open().stream()
            .mapToDouble(e -> watch.bytesPerSecond(e.application(), now).orElse(0.0))
            .sum();
    models.observe(
        new Models.Moment(
            now,
            ours,
            foreign,
            !controller.decision().held(),
            members.all().stream().anyMatch(Member::fetchesWait),
            window == 0 ? 1 : (double) inRam / window,
            work),
        watch.predictor().duty(now));
    ourBytesPerSecond =
        watch.ours(now - 2 * OBSERVATION.toNanos(), now) / (2.0 * OBSERVATION.toSeconds());
  }

  /** Bytes a second that all nodes read from the origin; any thread may ask. */
  double ourBytesPerSecond() {
    return ourBytesPerSecond;
  }

  /** Whether a phase is known from another source than the probe; any thread may ask. */
  boolean phaseKnownWithoutProbe() {
    return phaseKnownWithoutProbe;
  }

  /** A sampled source exists from now on. */
  void source(String name, double confidence, boolean seesEverybody, Duration freshness) {
    watch.add(name, confidence, seesEverybody, freshness);
  }

  /** A source has seen something. */
  void seen(String source, List<Sighting> sightings) {
    long now = agent.now();
    watch.seen(source, sightings, now);
    control(now);
    if (source.equals(CounterSampler.NAME)) {
      Duration slack = options.signals().watch().slack();
      agent.after(slack, this::askOurs);
      options
          .signals()
          .counters()
          .map(c -> c.interval().minus(slack.multipliedBy(2)))
          .filter(untilNext -> untilNext.compareTo(slack) > 0)
          .ifPresent(untilNext -> agent.after(untilNext, this::askOurs));
    }
  }

  /** A permit is confirmed with the node's counters: each is asked for what it has read. */
  private void askOurs() {
    long now = agent.now();
    members.all().forEach(m -> m.grant(controller.nextPermit(), now));
  }

  /** A source could not see. */
  void notSeen(String source, String why) {
    watch.failed(source, why, agent.now());
  }

  private void viewChanged() {
    planner.view(members.view().view());
    members.all().forEach(m -> m.session().push(members.view()));
    orders.soon();
  }

  void node(Session session, long correlation, NodeMessage message) {
    if (message instanceof Register m) {
      register(session, correlation, m);
    } else if (message instanceof BlocksChanged m) {
      from(m.node(), session, correlation, member -> blocksChanged(m));
    } else if (message instanceof PermitApplied m) {
      // A node that is not registered over this connection is about to hear of it otherwise.
      members.of(m.node(), session).ifPresent(member -> confirmed(member, m));
    } else {
      session.reply(
          correlation, new Failure(ErrorCode.MALFORMED, message.type() + " is not for me"));
    }
  }

  private void confirmed(Member member, PermitApplied m) {
    long now = agent.now();
    long asked = member.confirmed(m.sequence(), m.counters(), now);
    boolean told = watch.ours(member.address().id().value(), member.originTotal(), asked, now);
    ledger.confirmed(member, now);
    ledger.heard(member, now);
    holds.confirmed(members.all(), now);
    if (told) {
      control(now);
    }
  }

  private void register(Session session, long correlation, Register m) {
    NodeId node = m.address().id();
    boolean newView = members.register(m, session, agent.now());
    planner.nodeJoined(node, m.capacityBytes());
    models.disturbed();
    session.reply(correlation, members.view());
    members
        .of(node, session)
        .ifPresent(member -> member.grant(controller.nextPermit(), agent.now()));
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
    m.arrived().forEach(b -> explanations.happened(m.node(), b, "arrived on", now));
    planner.dropped(m.node(), m.dropped(), now);
    m.dropped().forEach(b -> explanations.happened(m.node(), b, "was dropped by", now));
    for (FailedFetch failed : m.failed()) {
      explanations.happened(m.node(), failed.block(), "failed with " + failed.code() + " on", now);
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
    watch.announced().begin(m.application(), m.lease(), now);
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
    boolean was = watch.announced().end(application, now);
    control(now);
    return was;
  }

  /** Why something is, or is not, in the buffer. */
  List<String> why(String target) {
    return explanations.why(target, agent.now());
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
        watch.view(now).open().stream().map(e -> phase(e, now)).toList(),
        signals(now),
        members.all().stream().map(m -> m.report(now)).toList(),
        drivers.report());
  }

  private static PhaseReport phase(Evidence e, long now) {
    return new PhaseReport(
        e.application(),
        e.source(),
        (int) Math.round(100 * e.confidence()),
        TimeUnit.NANOSECONDS.toMillis(now - e.since()));
  }

  private DeploymentReport.Control signals(long now) {
    var scores = watch.predictor().scores();
    var lines = new ArrayList<>(models.describe());
    lines.add(
        String.format(
            Locale.ROOT,
            "prediction: %d phases as expected, %d too early, %d did not come",
            scores.hits(),
            scores.early(),
            scores.absent()));
    return new DeploymentReport.Control(
        controller.decision().operator(),
        watch.health(now).stream()
            .map(
                h ->
                    new SourceReport(
                        h.source(),
                        h.state().name().toLowerCase(Locale.ROOT),
                        h.age().toMillis(),
                        h.message()))
            .toList(),
        watch.predictor().forecasts().stream()
            .map(
                f ->
                    new ForecastReport(
                        f.application(),
                        TimeUnit.NANOSECONDS.toMillis(f.onset() - now),
                        TimeUnit.NANOSECONDS.toMillis(f.lengthNanos()),
                        (int) Math.round(100 * f.confidence())))
            .toList(),
        lines);
  }
}
