package io.eley.simulation;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.permit.PermitGate;
import io.eley.controller.loop.ControlOptions;
import io.eley.controller.loop.Moved;
import io.eley.controller.loop.PermitTiming;
import io.eley.controller.phase.Sighting;
import io.eley.controller.predict.PhasePredictor;
import io.eley.controller.watch.WatchOptions;
import io.eley.prefetcher.control.FullDelay;
import io.eley.prefetcher.control.Operator;
import io.eley.prefetcher.control.PhaseEntry;
import io.eley.prefetcher.plan.PlanOptions;
import io.eley.prefetcher.plan.WindowReach;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One run of a scenario. Not reusable; one thread. */
public final class Simulation {
  /**
   * The time from the loss of a connection to the next registration, besides the message's latency.
   */
  private static final Duration REDIAL = Duration.ofMillis(100);

  private static final Duration BOUND = Duration.ofHours(24);

  private final Scenario scenario;
  private final InputLog inputs;
  private final SimNode.Maker maker;
  private final Agenda agenda = new Agenda();
  private final Random random;
  private final FairLink origin;
  private final Network network;
  private final Watch watch;
  private final Map<NodeId, SimNode> nodes = new LinkedHashMap<>();
  private final List<SimSpark> spark = new ArrayList<>();
  private final List<SimHpc> hpc = new ArrayList<>();
  private final SimCoordinator coordinator;
  private Function<BlockId, @Nullable NodeAddress> placement = block -> null;

  /** Sets the scene, with no history. */
  public Simulation(Scenario scenario) {
    this(scenario, List.of());
  }

  /**
   * Sets the scene of a second run.
   *
   * @param history the ledger of earlier ones
   */
  public Simulation(Scenario scenario, List<PhaseEntry> history) {
    this(scenario, history, InputLog.NONE);
  }

  /**
   * Sets the scene of a run that is recorded.
   *
   * @param inputs is notified of all inputs of the coordinator's control loop
   */
  public Simulation(Scenario scenario, List<PhaseEntry> history, InputLog inputs) {
    this(scenario, history, inputs, SimOwnNode::new);
  }

  /**
   * Sets the scene with nodes of some kind.
   *
   * @param maker makes them
   */
  Simulation(Scenario scenario, List<PhaseEntry> history, InputLog inputs, SimNode.Maker maker) {
    this.scenario = scenario;
    this.inputs = inputs;
    this.maker = maker;
    random = new Random(scenario.seed());
    origin =
        new FairLink(
            agenda, scenario.origin().bytesPerSecond(), scenario.origin().streamBytesPerSecond());
    network =
        new Network(
            agenda,
            random,
            nanos(scenario.network().mostDelaySeconds()),
            scenario.network().loss());
    watch = new Watch(scenario.control().delayMax());
    coordinator =
        new SimCoordinator(
            agenda,
            new SimCoordinator.Setup(
                controlOptions(scenario),
                new PlanOptions(scenario.nodes().geometry(), scenario.control().reach(), 0),
                List.of(SimCoordinator.ACCOUNTING)),
            new ClusterView(1, scenario.nodes().geometry(), scenario.mode(), List.of()),
            new PlanMeter(windowBlocks(scenario)),
            new Surroundings(),
            inputs);
    coordinator.control().learn(history);
    Duration life = PermitTiming.DEFAULT.timeToLive();
    watch.watchHolds(
        () -> coordinator.control().heldFor().toNanos(),
        network.mostNanos() + (scenario.network().loss() > 0 ? life.toNanos() : 0));
  }

  /** What a scenario's coordinator runs with; what a scenario leaves open has its default. */
  public static ControlOptions controlOptions(Scenario scenario) {
    return new ControlOptions(
        operator(scenario),
        scenario.control().delayMax(),
        scenario.nodes().fetchers(),
        PermitTiming.DEFAULT,
        WatchOptions.DEFAULT.withoutReads());
  }

  /** What a coordinator changes in this world. */
  private final class Surroundings implements SimCoordinator.World {
    @Override
    public void placeBy(ClusterView view) {
      placement = SimSpark.placement(view);
      nodes.values().forEach(node -> node.learnView(view.nodes().size()));
    }

    @Override
    public void putOut(NodeId id) {
      SimNode node = Objects.requireNonNull(nodes.get(id));
      if (node.alive()) {
        var path = network.path();
        agenda.after(REDIAL, () -> path.sendSurely(() -> register(node)));
      }
    }
  }

  private void register(SimNode node) {
    coordinator.register(node, network.path(), node.inventory());
  }

  /** What sstat would show of the last interval; the answer may be lost as any message. */
  private void account(Network.Path fromSlurm) {
    long to = agenda.now();
    long from = to - SimCoordinator.ACCOUNTING.interval().toNanos();
    boolean alone = scenario.control().signals() == Scenario.Signals.ACCOUNTED;
    var sightings =
        hpc.stream()
            .map(h -> new Sighting(h.name(), from, to, h.movedSinceAsked(), alone && h.inPhase()))
            .toList();
    boolean unused = fromSlurm.send(() -> coordinator.account(sightings));
  }

  private static Operator operator(Scenario scenario) {
    var control = scenario.control();
    var hold = new FullDelay(control.demand(), control.delayMax(), control.cappedBytesPerSecond());
    // A virtual node has no more fetchers than it uses.
    return control
        .operator()
        .of(scenario.mode(), hold, control.maxSlowdown(), scenario.nodes().fetchers());
  }

  /**
   * The results of a run.
   *
   * @param mapSeconds of each Spark application
   * @param phases of all HPC applications that ended before the last map phase did
   * @param phaseSecondsAlone of each HPC application
   * @param bytes read, by cause
   * @param longestWaitSeconds of a task for one block
   * @param breaches of promises; empty is good
   * @param steps of the simulation
   * @param entries of the ledger
   * @param scores of forecasts
   * @param needlessSeconds in which prefetching was held though no phase was open
   * @param plans that the coordinator made
   * @param planMicros that one plan took, in real time on this machine, on average
   */
  public record Outcome(
      List<Double> mapSeconds,
      List<List<Double>> phases,
      List<Double> phaseSecondsAlone,
      Map<ReadCause, Long> bytes,
      double longestWaitSeconds,
      List<String> breaches,
      long steps,
      List<PhaseEntry> entries,
      PhasePredictor.Scores scores,
      double needlessSeconds,
      long plans,
      double planMicros) {
    /** Mean slowdown of all phases, as a fraction; empty without phases. */
    public OptionalDouble slowdown() {
      double sum = 0;
      int count = 0;
      for (int i = 0; i < phases.size(); i++) {
        for (double seconds : phases.get(i)) {
          sum += seconds / phaseSecondsAlone.get(i) - 1;
          count++;
        }
      }
      return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / count);
    }

    /** The last map phase's end. */
    public double lastMapSeconds() {
      return mapSeconds.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
  }

  /** Runs until all map phases are over. */
  public Outcome run() {
    if (prefetches()) {
      IntStream.range(0, scenario.nodes().count()).forEach(this::startNode);
    }
    IntStream.range(0, scenario.spark().size()).forEach(this::startSpark);
    IntStream.range(0, scenario.hpc().size()).forEach(this::startHpc);
    if (scenario.nodes().killAt() >= 0 && prefetches()) {
      agenda.after(nanos(scenario.nodes().killAt()), this::killFirst);
    }
    if (scenario.control().signals() != Scenario.Signals.ANNOUNCED) {
      var fromSlurm = network.path();
      agenda.every(SimCoordinator.ACCOUNTING.interval(), () -> account(fromSlurm));
    }
    boolean over = agenda.run(() -> spark.stream().allMatch(SimSpark::over), BOUND);
    inputs.over(agenda.now());
    if (!over) {
      watch.noteBreach(agenda.now(), "a task has not got its input");
    }
    return outcome();
  }

  private boolean prefetches() {
    return scenario.mode() != BufferMode.NAIVE_BB;
  }

  /** Blocks of all windows together, at most. */
  private static long windowBlocks(Scenario scenario) {
    WindowReach reach = scenario.control().reach();
    return scenario.spark().stream()
        .mapToLong(
            j -> {
              long blocks = 1 + j.splitBytes() / scenario.nodes().geometry().blockSize();
              return Math.max(
                  reach.leastSplits(j.slots()) * blocks,
                  (j.slots() + 1) * blocks + reach.blocksAhead(scenario.nodes().count()));
            })
        .sum();
  }

  private static NodeId id(int i) {
    return new NodeId("n" + i);
  }

  private void startNode(int i) {
    var id = id(i);
    long skew = nanos(scenario.nodes().skewSeconds() * (2 * random.nextDouble() - 1));
    var gate =
        new PermitGate(
            scenario.control().delayMax(),
            scenario.control().cappedBytesPerSecond(),
            scenario.nodes().fetchers(),
            SimNode.skewed(agenda, skew));
    var toCoordinator = network.path();
    var reports =
        new SimNode.Reports() {
          @Override
          public void arrived(BlockId block) {
            toCoordinator.sendSurely(() -> coordinator.change(id, List.of(block), List.of()));
          }

          @Override
          public void dropped(BlockId block) {
            toCoordinator.sendSurely(() -> coordinator.change(id, List.of(), List.of(block)));
          }

          @Override
          public void confirmed(long sequence, Moved moved) {
            boolean unused = toCoordinator.send(() -> coordinator.confirm(id, sequence, moved));
          }
        };
    var node =
        maker.make(
            id,
            new SimNode.Hardware(scenario.nodes().memory(), scenario.nodes().fetchers()),
            scenario.nodes().geometry(),
            gate,
            new SimNode.Surroundings(
                agenda, origin.after(nanos(scenario.origin().latencySeconds())), watch, reports));
    nodes.put(id, node);
    register(node);
  }

  private void startSpark(int i) {
    var job = scenario.spark().get(i);
    Mount pastBuffer = origin.weighing(scenario.origin().taskWeight());
    var app =
        new SimSpark(
            "app" + i,
            job,
            new SimSpark.Surroundings(agenda, watch, scenario.nodes().geometry(), random),
            new SimSpark.Buffer(
                this::owner,
                nanos(scenario.network().mostDelaySeconds() / 2),
                scenario.network().ramBytesPerSecond(),
                split -> pastBuffer),
            coordinator.plans(),
            network.path());
    spark.add(app);
    app.start();
  }

  private @Nullable SimNode owner(BlockId block) {
    NodeAddress address = prefetches() ? placement.apply(block) : null;
    return address == null ? null : nodes.get(address.id());
  }

  private void startHpc(int i) {
    var load = scenario.hpc().get(i);
    var app =
        new SimHpc(
            "hpc" + i,
            load,
            agenda,
            origin,
            random,
            scenario.control().signals() == Scenario.Signals.ACCOUNTED
                ? Optional.empty()
                : Optional.of(coordinator),
            network.path());
    hpc.add(app);
    app.start();
  }

  /** The coordinator notices by the node's silence. */
  private void killFirst() {
    Objects.requireNonNull(nodes.get(id(0))).die();
  }

  private Outcome outcome() {
    return new Outcome(
        spark.stream().map(SimSpark::mapSeconds).toList(),
        hpc.stream().map(h -> h.phases().stream().map(SimHpc.Phase::seconds).toList()).toList(),
        hpc.stream().map(SimHpc::secondsAlone).toList(),
        watch.bytes(),
        watch.longestWaitSeconds(),
        watch.breaches(),
        agenda.steps(),
        coordinator.entries(),
        coordinator.control().scores(),
        coordinator.control().heldWithoutNeed().toNanos() / 1e9,
        coordinator.meter().plans(),
        coordinator.meter().meanMicros());
  }

  private static long nanos(double seconds) {
    return (long) (seconds * 1e9);
  }
}
