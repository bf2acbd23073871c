package io.eley.simulation;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BlockPart;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Permit;
import io.eley.bb.api.ReadTime;
import io.eley.controller.loop.BufferNode;
import io.eley.controller.loop.ControlListener;
import io.eley.controller.loop.ControlLoop;
import io.eley.controller.loop.ControlOptions;
import io.eley.controller.loop.Moved;
import io.eley.controller.loop.PlanLoop;
import io.eley.controller.loop.Timeline;
import io.eley.controller.phase.Evidence;
import io.eley.controller.phase.Sighting;
import io.eley.controller.phase.SourceKind;
import io.eley.prefetcher.control.Decision;
import io.eley.prefetcher.control.PhaseEntry;
import io.eley.prefetcher.plan.PlanOptions;
import io.eley.prefetcher.plan.WavePlanner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A coordinator on virtual time: the same two loops that the coordinator's process runs, fed by
 * messages and ticks as the process feeds them.
 */
final class SimCoordinator {
  /** Slurm's accounting as sites with room may have it asked; by default it is each second. */
  static final SourceKind ACCOUNTING =
      SourceKind.sampled("slurm", 0.95, Duration.ofMillis(250), Duration.ofSeconds(2));

  /** The rest of the world, as far as a coordinator changes it. */
  interface World {
    /** Clients and nodes place blocks by this view from now on. */
    void placeBy(ClusterView view);

    /** The coordinator has ended the connection of a node that was silent. */
    void putOut(NodeId node);
  }

  /**
   * What a coordinator runs with.
   *
   * @param sources that are polled
   */
  record Setup(ControlOptions control, PlanOptions planning, List<SourceKind> sources) {}

  private final Agenda agenda;
  private final World world;
  private final InputLog inputs;
  private final ControlLoop control;
  private final PlanLoop plans;
  private final List<PhaseEntry> entries = new ArrayList<>();
  private final Map<NodeId, NodeAddress> members = new TreeMap<>();
  private final PlanMeter meter;
  private ClusterView view;

  /**
   * A coordinator without nodes.
   *
   * @param first a view without nodes
   * @param meter what planning costs
   * @param inputs is notified of all inputs of the control loop
   */
  SimCoordinator(
      Agenda agenda,
      Setup setup,
      ClusterView first,
      PlanMeter meter,
      World world,
      InputLog inputs) {
    this.agenda = agenda;
    this.world = world;
    this.inputs = inputs;
    this.meter = meter;
    this.view = first;
    var timeline = new AgendaTimeline(agenda);
    boolean prefetches = first.mode() != io.eley.bb.api.BufferMode.NAIVE_BB;
    plans = new PlanLoop(new WavePlanner(setup.planning(), first), timeline, meter, prefetches);
    control = new ControlLoop(setup.control(), timeline, plans::figures, new Entries());
    setup.sources().forEach(control::add);
    agenda.every(ControlLoop.TICK, this::tick);
  }

  /** Time of day is time since the beginning of the run. */
  private record AgendaTimeline(Agenda agenda) implements Timeline {
    @Override
    public long now() {
      return agenda.now();
    }

    @Override
    public Instant timeOfDay() {
      return Instant.EPOCH.plusNanos(agenda.now());
    }

    @Override
    public void after(Duration delay, Runnable work) {
      agenda.after(delay, work);
    }
  }

  private final class Entries implements ControlListener {
    @Override
    public void opened(Evidence phase) {}

    @Override
    public void closed(Evidence phase, long at, Ending why) {}

    @Override
    public void decided(Decision decision) {}

    @Override
    public void recorded(PhaseEntry entry) {
      entries.add(entry);
    }
  }

  /** A node behind a connection; what is sent may be late or lost. */
  private record Connected(SimNode node, Network.Path toNode) implements BufferNode {
    @Override
    public NodeId id() {
      return node.id();
    }

    @Override
    public void grant(Permit permit) {
      boolean unused = toNode.send(() -> node.apply(permit));
    }

    @Override
    public void free(List<BlockId> blocks) {
      boolean unused = toNode.send(() -> node.free(blocks));
    }

    @Override
    public void fetch(List<BlockPart> parts) {
      boolean unused = toNode.send(() -> node.fetch(parts));
    }
  }

  /** A node registers, for the first time or again, with what it has in RAM. */
  void register(SimNode node, Network.Path toNode, List<BlockId> inventory) {
    inputs.registered(agenda.now(), node.id(), node.capacity());
    var connected = new Connected(node, toNode);
    String machine = node.ofEngine() ? NodeAddress.ENGINE : "";
    members.put(node.id(), new NodeAddress(node.id(), "h" + node.id().value(), 1, machine));
    plans.join(connected, node.capacity());
    control.join(connected);
    changeView();
    if (!inventory.isEmpty()) {
      change(node.id(), inventory, List.of());
    }
  }

  /** A node confirms a permit. */
  void confirm(NodeId node, long sequence, Moved moved) {
    if (members.containsKey(node)) {
      inputs.confirmed(agenda.now(), node, sequence, moved);
      control.confirm(node, sequence, moved);
    }
  }

  /** Blocks of a node have come or gone. */
  void change(NodeId node, List<BlockId> arrived, List<BlockId> dropped) {
    if (members.containsKey(node)) {
      inputs.heard(agenda.now(), node);
      control.noteAlive(node);
      plans.noteArrived(node, arrived);
      plans.noteDropped(node, dropped);
    }
  }

  /** An application announces a phase. */
  void begin(String application, Duration lease) {
    inputs.began(agenda.now(), application, lease);
    control.begin(application, lease, held -> {});
  }

  /** An application announces its phase's end. */
  void end(String application) {
    inputs.ended(agenda.now(), application);
    boolean unused = control.end(application);
  }

  /** Slurm's accounting has answered. */
  void account(List<Sighting> sightings) {
    inputs.accounted(agenda.now(), sightings);
    control.observe(ACCOUNTING.name(), sightings);
  }

  /** A source has looked. */
  void observe(SourceKind source, List<Sighting> sightings) {
    control.observe(source.name(), sightings);
  }

  /** A node tells how long its reads of the origin took. */
  void observeReads(NodeId node, List<ReadTime> ended, List<ReadTime> underWay) {
    if (members.containsKey(node)) {
      control.observeReads(node, ended, underWay);
    }
  }

  private void tick() {
    List<NodeId> silent = control.silentNodes();
    if (!silent.isEmpty()) {
      silent.forEach(members::remove);
      plans.leave(silent);
      control.leave(silent);
      changeView();
      silent.forEach(world::putOut);
    }
    control.tick();
    plans.tick(control.decision().held());
  }

  private void changeView() {
    view =
        new ClusterView(
            view.epoch() + 1, view.geometry(), view.mode(), List.copyOf(members.values()));
    plans.setView(view);
    world.placeBy(view);
  }

  /** The loop that drivers feed. */
  PlanLoop plans() {
    return plans;
  }

  /** The loop that signals feed. */
  ControlLoop control() {
    return control;
  }

  /** What planning has cost. */
  PlanMeter meter() {
    return meter;
  }

  /** The ledger. */
  List<PhaseEntry> entries() {
    return List.copyOf(entries);
  }
}
