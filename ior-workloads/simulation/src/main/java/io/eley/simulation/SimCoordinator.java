package io.eley.simulation;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadCause;
import io.eley.controller.phase.Sighting;
import io.eley.controller.predict.Forecast;
import io.eley.controller.predict.PhasePredictor;
import io.eley.controller.watch.PhaseWatch;
import io.eley.prefetcher.control.Conditions;
import io.eley.prefetcher.control.Models;
import io.eley.prefetcher.control.Operator;
import io.eley.prefetcher.control.Outlook.Work;
import io.eley.prefetcher.control.PermitController;
import io.eley.prefetcher.control.PhaseEntry;
import io.eley.prefetcher.plan.ApplicationFigures;
import io.eley.prefetcher.plan.NodeOrders;
import io.eley.prefetcher.plan.PlanOptions;
import io.eley.prefetcher.plan.WavePlanner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The coordinator's loop on virtual time: the production planner, signals, predictor, models and
 * permit controller, fed by messages and ticks as the process feeds them.
 */
final class SimCoordinator {
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String ACCOUNTING = "slurm";
  private static final double ACCOUNTING_CONFIDENCE = 0.95;

  private record Member(SimNode node, Network.Path toNode) {}

  /**
   * How permits are given and plans are made.
   *
   * @param delayMax see {@code eley.delay.max}
   * @param moment between the first change and the plan
   * @param fetchers of a node
   */
  record Permits(
      Duration delayMax, Duration timeToLive, Duration renewal, Duration moment, int fetchers) {}

  private final Agenda agenda;
  private final WavePlanner planner;
  private final PermitController controller;
  private final PhaseWatch watch;
  private final Models models = new Models();
  private final SimLedger ledger;
  private final Supplier<Map<ReadCause, Long>> ours;
  private final List<String> applications = new ArrayList<>();
  private final int fetchers;
  private Work work = Work.NONE;
  private long needless;
  private long heldForNothing = -1;
  private final Map<NodeId, Member> members = new LinkedHashMap<>();
  private final boolean prefetches;
  private final Duration moment;
  private long heldSince = -1;
  private boolean planning;
  private long plans;
  private long planNanos;

  /**
   * A coordinator without nodes.
   *
   * @param ours what all nodes have read, by cause
   * @param prefetches whether anything is prefetched at all
   */
  SimCoordinator(
      Agenda agenda,
      PlanOptions plan,
      ClusterView view,
      Operator operator,
      Permits permits,
      Supplier<Map<ReadCause, Long>> ours,
      boolean prefetches) {
    this.agenda = agenda;
    this.planner = new WavePlanner(plan, view);
    this.controller =
        new PermitController(
            operator, permits.delayMax(), permits.timeToLive(), permits.renewal(), agenda.now());
    this.prefetches = prefetches;
    this.moment = permits.moment();
    this.fetchers = permits.fetchers();
    this.ours = ours;
    this.ledger = new SimLedger(controller::decision, ours, this::forecast, models);
    this.watch = new PhaseWatch(PhaseWatch.WatchOptions.DEFAULT, ledger);
    watch.add(ACCOUNTING, ACCOUNTING_CONFIDENCE, false, Duration.ofSeconds(2));
    agenda.every(TICK, this::tick);
    agenda.every(SECOND, this::observe);
  }

  WavePlanner planner() {
    return planner;
  }

  void joins(SimNode node, Network.Path toNode) {
    members.put(node.id(), new Member(node, toNode));
    planner.nodeJoined(node.id(), node.capacity());
    grant(members.get(node.id()));
    soon();
  }

  /** The node has been silent for too long. */
  void leaves(NodeId node, ClusterView view) {
    members.remove(node);
    planner.nodeLeft(node);
    planner.view(view);
    soon();
  }

  void arrived(NodeId node, BlockId block) {
    planner.arrived(node, List.of(block));
    soon();
  }

  void dropped(NodeId node, BlockId block) {
    planner.dropped(node, List.of(block), agenda.now());
    soon();
  }

  void begin(String application, Duration lease) {
    watch.announced().begin(application, lease, agenda.now());
    control();
  }

  void end(String application) {
    watch.announced().end(application, agenda.now());
    control();
  }

  /** Slurm's accounting has been asked. */
  void accounted(List<Sighting> sightings) {
    watch.seen(ACCOUNTING, sightings, agenda.now());
    control();
  }

  /** A Spark application's plan is to be looked at for what is left of it. */
  void knows(String application) {
    applications.add(application);
  }

  /** Learns from earlier runs, as the production does from its ledger. */
  void history(List<PhaseEntry> entries) {
    watch.predictor().history(entries);
    entries.forEach(ledger::learn);
    entries.forEach(models::phase);
  }

  /** What the production's ledger would hold. */
  List<PhaseEntry> entries() {
    return ledger.entries();
  }

  /** How forecasts turned out. */
  PhasePredictor.Scores scores() {
    return watch.predictor().scores();
  }

  /** Seconds in which prefetching was held though no phase was open. */
  double needlessSeconds() {
    return needless / 1e9;
  }

  /** For how long prefetching has been held without a gap, in nanoseconds; 0 when it is not. */
  long heldNanos() {
    return heldSince < 0 ? 0 : agenda.now() - heldSince;
  }

  private void tick() {
    control();
    if (planner.waitsForTime()) {
      soon();
    }
  }

  private Optional<Forecast> forecast(String application) {
    return watch.predictor().forecast(application);
  }

  private void control() {
    long now = agenda.now();
    var view = watch.view(now);
    var before = controller.decision();
    boolean news = controller.update(conditions(view, now), now);
    ledger.decided();
    if (!controller.decision().equals(before)) {
      models.disturbed();
    }
    account(view, now);
    if (news) {
      members.values().forEach(this::grant);
    }
  }

  private void account(PhaseWatch.View view, long now) {
    boolean held = controller.decision().held();
    if (!held) {
      heldSince = -1;
    } else if (heldSince < 0) {
      heldSince = now;
    }
    if (heldForNothing >= 0) {
      needless += now - heldForNothing;
    }
    heldForNothing = held && view.open().isEmpty() ? now : -1;
  }

  private Conditions conditions(PhaseWatch.View view, long now) {
    var open =
        view.open().stream()
            .map(
                e -> {
                  var rate = watch.bytesPerSecond(e.application(), now);
                  rate.ifPresent(r -> ledger.moves(e.application(), r));
                  return new Conditions.Activity(
                      e.application(), rate, ledger.aloneKnown(e.application()));
                })
            .toList();
    var expected =
        view.expected()
            .map(f -> new Conditions.Expected(f.application(), Duration.ofNanos(f.onset() - now)));
    var outlook = models.outlook(members.size(), fetchers, work, watch.predictor().duty(now));
    return new Conditions(open, expected, Duration.ZERO, view.blind(), outlook);
  }

  private void observe() {
    long now = agenda.now();
    long left = 0;
    long window = 0;
    long inRam = 0;
    for (String application : applications) {
      var figures = planner.figures(application);
      left += figures.map(ApplicationFigures::unfinishedBytes).orElse(0L);
      window += figures.map(ApplicationFigures::windowBytes).orElse(0L);
      inRam += figures.map(ApplicationFigures::windowBytesInRam).orElse(0L);
    }
    work = new Work(left, Math.min(left, inRam));
    models.observe(
        new Models.Moment(
            now,
            ours.get().values().stream().mapToLong(Long::longValue).sum(),
            0,
            !controller.decision().held(),
            inRam < window,
            window == 0 ? 1 : (double) inRam / window,
            work),
        watch.predictor().duty(now));
  }

  private void grant(Member member) {
    Permit permit = controller.nextPermit();
    boolean unused = member.toNode().send(() -> member.node().permit(permit));
  }

  /** Plans in a moment; what changes meanwhile is in the same plan. */
  void soon() {
    if (prefetches && !planning) {
      planning = true;
      agenda.after(moment, this::plan);
    }
  }

  private void plan() {
    planning = false;
    long began = System.nanoTime();
    List<NodeOrders> all = planner.plan(agenda.now());
    planNanos += System.nanoTime() - began;
    plans++;
    for (NodeOrders orders : all) {
      Member member = members.get(orders.node());
      if (member != null) {
        boolean unused =
            member
                .toNode()
                .send(
                    () -> {
                      member.node().free(orders.free());
                      member.node().fetch(orders.fetch());
                    });
      }
    }
  }

  /** Plans made, and the real time that one took on average. */
  long plans() {
    return plans;
  }

  double meanPlanMicros() {
    return plans == 0 ? 0 : planNanos / 1e3 / plans;
  }
}
