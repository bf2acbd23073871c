package io.eley.coordinator;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.FileVersion;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.FallbackMessage.AskFallback;
import io.eley.bb.api.wire.FallbackMessage.FallbackLane;
import io.eley.bb.api.wire.NodeMessage;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.server.net.Session;
import io.eley.controller.loop.ControlListener;
import io.eley.controller.loop.ControlLoop;
import io.eley.controller.loop.PlanCost;
import io.eley.controller.loop.PlanLoop;
import io.eley.coordinator.agent.Agent;
import io.eley.coordinator.config.CoordinatorOptions;
import io.eley.coordinator.drivers.Drivers;
import io.eley.coordinator.live.LiveState;
import io.eley.coordinator.members.BlockHistory;
import io.eley.coordinator.members.Fallbacks;
import io.eley.coordinator.members.Members;
import io.eley.coordinator.members.NodeRequests;
import io.eley.coordinator.metadata.MetadataCache;
import io.eley.coordinator.phases.Announcements;
import io.eley.coordinator.phases.PublishedRates;
import io.eley.coordinator.status.DeploymentStatus;
import io.eley.coordinator.status.Explanations;
import io.eley.prefetcher.control.PhaseEntry;
import io.eley.prefetcher.plan.WavePlanner;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Composes the two loops with their inputs, and routes each message to its part. Every method but
 * {@link #announcements}' runs on the {@link Agent}'s thread, which owns everything reachable from
 * here but the metadata cache.
 *
 * <p>All of it may be lost at any time: nodes register again with their inventory, drivers plan
 * again, phases are announced again by their leases' renewal.
 */
final class Coordinator {
  private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);

  private final CoordinatorOptions options;
  private final Agent agent;
  private final MetadataCache metadata;
  private final ControlLoop control;
  private final PlanLoop plans;
  private final Drivers drivers;
  private final NodeRequests nodes;
  private final Explanations explanations;
  private final DeploymentStatus status;
  private final Announcements announcements;
  private final LiveState live;
  private final Fallbacks fallbacks = new Fallbacks();
  private final PublishedRates rates = new PublishedRates();

  /** A coordinator without nodes and applications. */
  Coordinator(
      CoordinatorOptions options,
      Agent agent,
      Members members,
      MetadataCache metadata,
      Ledger ledger) {
    this.options = options;
    this.agent = agent;
    this.metadata = metadata;
    var planner = new WavePlanner(options.planOptions(), members.view().view());
    plans = new PlanLoop(planner, agent, PlanCost.measuredBy(agent), options.prefetches());
    var history = new LiveState.History(ledger.past(), ledger.listener());
    control = new ControlLoop(options.control(), agent, plans::figures, history);
    control.learn(ledger.past());
    drivers =
        new Drivers(
            plans,
            metadata,
            agent,
            // Intermediate data lives as long as its application, also one that was killed.
            application -> members.push(dropOf(application)));
    var blocks = new BlockHistory();
    nodes =
        new NodeRequests(
            agent, members, new NodeRequests.Loops(control, plans), blocks, this::renew);
    explanations =
        new Explanations(
            plans,
            options.geometry(),
            control::decision,
            blocks,
            new Explanations.Reports(
                options.mode(), drivers::report, () -> members.report(agent.now())));
    status = new DeploymentStatus(agent, members, drivers, control, fallbacks, metadata);
    announcements = new Announcements(agent, control, status::report);
    live = new LiveState(agent, control, drivers, history, status::report);
  }

  /**
   * The ledger's past and its writer.
   *
   * @param past entries of earlier runs, the oldest first
   * @param listener takes the new ones
   */
  record Ledger(List<PhaseEntry> past, ControlListener listener) {}

  /** Takes over an earlier coordinator's applications; see {@link Drivers#takeOver}. */
  void takeOver(List<String> applications, Consumer<List<String>> keeper) {
    drivers.takeOver(applications, keeper);
  }

  /** Lets time pass: silence, leases, renewals, retries. */
  void tick() {
    nodes.expire();
    drivers.expire(options.members().driverGrace(), agent.now());
    control.noteMetadata(metadata.calls());
    control.tick();
    metadata.hold(control.decision().demand().closed());
    plans.tick(control.decision().held());
    rates.publish(control);
    live.tick();
  }

  void handleNode(Session session, long correlation, NodeMessage message) {
    if (message instanceof NodeMessage.OriginRead m) {
      live.noteReads(m.ended());
    }
    nodes.handle(session, correlation, message);
    if (message instanceof NodeMessage.Register) {
      // It may have been away when they ended, and holds their outputs and services still.
      drivers.endedLately().forEach(application -> session.push(dropOf(application)));
    }
  }

  private static DropScratch dropOf(String application) {
    return new DropScratch(application, DropScratch.ALL);
  }

  void handleDriver(Session session, long correlation, PlanMessage message) {
    drivers.handle(session, correlation, message);
  }

  /** Answers a client that reads past the buffer. */
  FallbackLane fallback(AskFallback question) {
    control.noteFallback(fallbacks.take(question, agent.now()));
    return fallbacks.lane(control.decision().demand(), agent.now());
  }

  void closed(Session session) {
    drivers.disconnect(session, agent.now());
  }

  /** Asks the origin again about a block whose planned version is gone. */
  private void renew(BlockId stale) {
    var unused =
        metadata
            .stat(stale.file().path(), true)
            .thenAccept(found -> agent.execute(() -> fileChanged(found.version())));
  }

  /** Notes the version that a file has now. */
  void fileChanged(FileVersion file) {
    if (plans.replace(file)) {
      LOG.info("planned file has changed: {}", file);
    }
  }

  /** Why something is, or is not, in the buffer. */
  List<String> why(String target) {
    return Stream.concat(
            // What it waits for; then its plan, and where its intermediate data is.
            live.explain(target).stream(), explanations.why(target, agent.now()).stream())
        .toList();
  }

  /** What is kept for those who look. */
  LiveState live() {
    return live;
  }

  DeploymentReport report() {
    return status.report();
  }

  /** Where applications announce phases; any thread may use it. */
  Announcements announcements() {
    return announcements;
  }

  /** The control loop, to which signals report. */
  ControlLoop control() {
    return control;
  }

  /** The rates that pollers need; any thread may read them. */
  PublishedRates rates() {
    return rates;
  }
}
