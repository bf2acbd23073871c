package io.eley.simulation;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ClusterView;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.ReadTime;
import io.eley.bb.api.permit.PermitGate;
import io.eley.controller.loop.ControlOptions;
import io.eley.controller.loop.Moved;
import io.eley.controller.loop.PermitTiming;
import io.eley.controller.predict.PredictionOptions;
import io.eley.controller.watch.WatchOptions;
import io.eley.prefetcher.control.DemandPolicy;
import io.eley.prefetcher.control.FullDelay;
import io.eley.prefetcher.control.OperatorChoice;
import io.eley.prefetcher.plan.PlanOptions;
import io.eley.simulation.Testbed.Trial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of the {@link Testbed}. Not reusable; one thread. */
final class TestbedRun {
  private static final int WAVES = 5;
  private static final int FETCHERS = 4;
  private static final long MEMORY = 256L * Testbed.MIB;
  private static final long CAPPED = 16L * Testbed.MIB;
  private static final Duration DELAY_MAX = Duration.ofSeconds(60);

  /** Out of a node's RAM, which is the network's rate here. */
  private static final double RAM_BYTES_PER_SECOND = 1e9;

  private static final long MESSAGE_NANOS = 3_000_000;

  /** How often nodes report the reads that are under way. */
  private static final Duration UNDER_WAY = Duration.ofMillis(40);

  /** By then the ledger has settled. */
  private static final long AFTERMATH = 5 * Testbed.SECOND;

  /** Our bytes, and how long it took until prefetching was held, in one phase. */
  private static final class PhaseMeter {
    long bytesBefore;
    long bytes;
    long heldAfter = -1;
  }

  /**
   * What came of it.
   *
   * @param mapSeconds 0 where Spark does not run
   * @param phases of IOR
   * @param ourBytes in each phase
   * @param heldAfterMillis of each phase; negative where nothing was held
   * @param ledgerPhases as many as the ledger has
   * @param breaches of promises; empty is good
   */
  record Outcome(
      double mapSeconds,
      List<SimHpc.Phase> phases,
      List<Long> ourBytes,
      List<Double> heldAfterMillis,
      int ledgerPhases,
      List<String> breaches) {
    /** As in the experiment's report: at least half of it fell into the map phase, or alone. */
    boolean counts(int phase) {
      var its = phases.get(phase);
      double beside = Math.min(its.end(), mapSeconds) - its.begin();
      return mapSeconds <= 0 || beside >= 0.5 * its.seconds();
    }
  }

  private final Testbed bed;
  private final Trial trial;
  private final Agenda agenda = new Agenda();
  private final Random random;
  private final StripedFileSystem files;
  private final Network network;
  private final Watch watch = new Watch(DELAY_MAX);
  private final Map<NodeId, SimNode> nodes = new LinkedHashMap<>();
  private final List<PhaseMeter> meters = new ArrayList<>();
  private final SimCoordinator coordinator;
  private final SimIor ior;
  private final SimSpark spark;
  private Function<BlockId, @Nullable NodeAddress> placement = block -> null;
  private boolean metering;

  TestbedRun(Testbed bed, Trial trial, long seed) {
    this.bed = bed;
    this.trial = trial;
    random = new Random(seed);
    files = new StripedFileSystem(agenda, bed.layout(), new Random(random.nextLong()));
    network = new Network(agenda, random, MESSAGE_NANOS, 0);
    var setup =
        new SimCoordinator.Setup(
            control(), new PlanOptions(Testbed.GEOMETRY, WAVES, 0), TestbedSources.of(trial));
    coordinator =
        new SimCoordinator(
            agenda,
            setup,
            new ClusterView(1, Testbed.GEOMETRY, trial.mode(), List.of()),
            new PlanMeter(bed.job().splits() * 2L),
            new Surroundings(),
            InputLog.NONE);
    watch.watchHolds(() -> coordinator.control().heldFor().toNanos(), network.mostNanos());
    ior = new SimIor(agenda, Testbed.IOR, mounts(Testbed.SERVERS), new Mpirun());
    spark = spark();
  }

  private List<Mount> mounts(int count) {
    return Stream.generate(files::mount).limit(count).toList();
  }

  private ControlOptions control() {
    var defaults = WatchOptions.DEFAULT;
    var watching =
        new WatchOptions(
            defaults.thresholds(),
            new PredictionOptions(
                false,
                defaults.prediction().guard(),
                defaults.prediction().leastCycles(),
                defaults.prediction().leastConfidence()),
            trial.readsListen(),
            defaults.leastConfidence(),
            defaults.slack(),
            defaults.patience());
    var timing = PermitTiming.DEFAULT;
    var hold = new FullDelay(DemandPolicy.WAIT, DELAY_MAX, CAPPED);
    return new ControlOptions(
        OperatorChoice.CHOOSER.of(trial.mode(), hold, 0, FETCHERS),
        DELAY_MAX,
        FETCHERS,
        new PermitTiming(
            timing.timeToLive(), Duration.ofMillis(200), timing.confirmation(), timing.silence()),
        watching);
  }

  private final class Surroundings implements SimCoordinator.World {
    @Override
    public void placeBy(ClusterView view) {
      placement = SimSpark.placement(view);
      nodes.values().forEach(node -> node.learnView(view.nodes().size()));
    }

    @Override
    public void putOut(NodeId node) {
      watch.noteBreach(agenda.now(), node + " was put out");
    }
  }

  /** Announces where phases are announced. */
  private final class Mpirun implements SimIor.Announcements {
    private final Network.Path path = network.path();

    @Override
    public void begin() {
      if (trial == Trial.ANNOUNCED) {
        path.sendSurely(() -> coordinator.begin("ior", Duration.ofMinutes(30)));
      }
    }

    @Override
    public void end() {
      if (trial == Trial.ANNOUNCED) {
        path.sendSurely(() -> coordinator.end("ior"));
      }
    }
  }

  private SimSpark spark() {
    var mounts = mounts(Testbed.WORKERS);
    return new SimSpark(
        "app",
        bed.job(),
        new SimSpark.Surroundings(agenda, watch, Testbed.GEOMETRY, random),
        new SimSpark.Buffer(
            this::owner,
            MESSAGE_NANOS / 2,
            RAM_BYTES_PER_SECOND,
            split -> mounts.get(split % mounts.size())),
        coordinator.plans(),
        network.path());
  }

  private @Nullable SimNode owner(BlockId block) {
    NodeAddress address = buffered() ? placement.apply(block) : null;
    return address == null ? null : nodes.get(address.id());
  }

  private boolean buffered() {
    return trial.mode() != BufferMode.NAIVE_BB;
  }

  /** Runs until the map phase is over, or IOR where it is alone. */
  Outcome run() {
    if (buffered()) {
      IntStream.range(0, Testbed.NODES).forEach(this::startNode);
    }
    ior.start();
    boolean alone = trial == Trial.HPC_ALONE;
    if (!alone) {
      spark.start();
    }
    var sources = new TestbedSources(agenda, coordinator);
    if (trial == Trial.COUNTERS) {
      sources.watchCounters(files);
    } else if (trial == Trial.SLURM) {
      sources.watchSteps(ior);
    }
    agenda.every(Duration.ofMillis(5), this::measure);
    boolean over = agenda.run(() -> ior.over() && (alone || spark.over()), Duration.ofMinutes(10));
    long end = agenda.now() + AFTERMATH;
    boolean unused = agenda.run(() -> agenda.now() >= end, Duration.ofMinutes(20));
    if (!over) {
      watch.noteBreach(agenda.now(), "a task has not got its input");
    }
    return outcome(alone);
  }

  private void startNode(int i) {
    var id = new NodeId("n" + i);
    var gate = new PermitGate(DELAY_MAX, CAPPED, FETCHERS, agenda::now);
    var reports = new Reports(id, network.path());
    var node =
        new SimOwnNode(
            id,
            new SimNode.Hardware(MEMORY, FETCHERS),
            Testbed.GEOMETRY,
            gate,
            new SimNode.Surroundings(agenda, files.mount(), watch, reports));
    nodes.put(id, node);
    coordinator.register(node, network.path(), List.of());
    agenda.every(UNDER_WAY, node::reportUnderWay);
  }

  /** What a node tells the coordinator. */
  private final class Reports implements SimNode.Reports {
    private final NodeId id;
    private final Network.Path path;

    Reports(NodeId id, Network.Path path) {
      this.id = id;
      this.path = path;
    }

    @Override
    public void arrived(BlockId block) {
      path.sendSurely(() -> coordinator.change(id, List.of(block), List.of()));
    }

    @Override
    public void dropped(BlockId block) {
      path.sendSurely(() -> coordinator.change(id, List.of(), List.of(block)));
    }

    @Override
    public void confirmed(long sequence, Moved moved) {
      path.sendSurely(() -> coordinator.confirm(id, sequence, moved));
    }

    @Override
    public void read(List<ReadTime> ended, List<ReadTime> underWay) {
      long sent = agenda.now();
      path.sendSurely(
          () -> {
            var late = new ArrayList<ReadTime>();
            for (ReadTime r : ended) {
              late.add(
                  new ReadTime(
                      r.agoNanos() + agenda.now() - sent, r.tookNanos(), r.bytes(), r.underWay()));
            }
            coordinator.observeReads(id, late, underWay);
          });
    }
  }

  private long ourBytes() {
    return watch.bytes().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Looks what we do in a phase. */
  private void measure() {
    if (ior.inPhase() && !metering) {
      var meter = new PhaseMeter();
      meter.bytesBefore = ourBytes();
      meters.add(meter);
    }
    metering = ior.inPhase();
    if (metering) {
      PhaseMeter meter = meters.get(meters.size() - 1);
      meter.bytes = ourBytes() - meter.bytesBefore;
      boolean held = coordinator.control().heldFor().toNanos() > 0;
      if (held && meter.heldAfter < 0) {
        meter.heldAfter = agenda.now() - ior.begin();
      }
    }
  }

  private Outcome outcome(boolean alone) {
    return new Outcome(
        alone ? 0 : spark.mapSeconds(),
        ior.phases(),
        meters.stream().map(m -> m.bytes).toList(),
        meters.stream().map(m -> m.heldAfter / 1e6).toList(),
        coordinator.entries().size(),
        watch.breaches());
  }
}
