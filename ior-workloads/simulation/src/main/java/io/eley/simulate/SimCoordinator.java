package io.eley.simulate;

import io.eley.api.BlockId;
import io.eley.api.ClusterView;
import io.eley.api.NodeId;
import io.eley.api.Permit;
import io.eley.hooks.signal.AnnouncedPhases;
import io.eley.hooks.signal.Evidence;
import io.eley.hooks.signal.PhaseListener;
import io.eley.prefetch.control.Operator;
import io.eley.prefetch.control.PermitController;
import io.eley.prefetch.plan.NodeOrders;
import io.eley.prefetch.plan.PlanOptions;
import io.eley.prefetch.plan.WavePlanner;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The coordinator's loop on virtual time: the production planner, phases and permit controller, fed
 * by messages and ticks as the process feeds them.
 */
final class SimCoordinator {
  private static final Duration TICK = Duration.ofMillis(100);
  private static final PhaseListener NOBODY =
      new PhaseListener() {
        @Override
        public void opened(Evidence phase) {}

        @Override
        public void closed(Evidence phase, long at, Ending why) {}
      };

  private record Member(SimNode node, Network.Path toNode) {}

  /**
   * How permits are given and plans are made.
   *
   * @param moment between the first change and the plan
   */
  record Permits(Duration timeToLive, Duration renewal, Duration moment) {}

  private final Agenda agenda;
  private final WavePlanner planner;
  private final PermitController controller;
  private final AnnouncedPhases phases = new AnnouncedPhases(NOBODY);
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
   * @param prefetches whether anything is prefetched at all
   */
  SimCoordinator(
      Agenda agenda,
      PlanOptions plan,
      ClusterView view,
      Operator operator,
      Permits permits,
      boolean prefetches) {
    this.agenda = agenda;
    this.planner = new WavePlanner(plan, view);
    this.controller =
        new PermitController(operator, permits.timeToLive(), permits.renewal(), agenda.now());
    this.prefetches = prefetches;
    this.moment = permits.moment();
    agenda.every(TICK, this::tick);
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
    phases.begin(application, lease, agenda.now());
    control();
  }

  void end(String application) {
    phases.end(application, agenda.now());
    control();
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

  private void control() {
    long now = agenda.now();
    var open = phases.openPhases(now).stream().map(Evidence::application).toList();
    boolean news = controller.update(open, now);
    if (!controller.decision().held()) {
      heldSince = -1;
    } else if (heldSince < 0) {
      heldSince = now;
    }
    if (news) {
      members.values().forEach(this::grant);
    }
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
