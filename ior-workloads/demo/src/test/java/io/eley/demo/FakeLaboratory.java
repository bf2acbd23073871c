package io.eley.demo;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.emulated.pfs.PfsEvent;
import io.eley.emulated.pfs.PfsTrace;
import io.eley.laboratory.Deployment;
import io.eley.laboratory.Laboratory;
import io.eley.laboratory.RunProtocol;
import io.eley.laboratory.Subject;
import io.eley.report.ObservedPhase;
import io.eley.workloads.Workload;
import io.eley.workloads.WorkloadResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A laboratory in simulated time: Spark reads from second 1 to 21 of its life and ends at 23; the
 * HPC application does phases of 2 s after pauses of 3 s. Faults can be planted. Everything that is
 * started and closed is written down.
 */
final class FakeLaboratory implements Laboratory {
  static final double PAUSE = 3;
  static final double PHASE = 2;
  private static final double WARM_UP = 0.4;

  final List<String> journal = new ArrayList<>();
  final List<PfsEvent> trace = new ArrayList<>();
  @Nullable String sparkFailure;
  double sparkNeverReadsUntil;
  double mapSeconds = 20;
  double hpcDiesAfter = Double.MAX_VALUE;
  String digest = "d1";
  boolean wrongInFullDelay;
  boolean launchFails;
  int traceForgets;

  /** What has moved is counted, and told and dated when somebody looks. */
  boolean tellsAfterwards;

  private final Map<String, Integer> counted = new TreeMap<>();
  private final FakeClock clock;
  private final Path root;

  FakeLaboratory(FakeClock clock, Path root) {
    this.clock = clock;
    this.root = root;
  }

  /** Names of what has been started and not closed. */
  List<String> open() {
    var open = new ArrayList<String>();
    for (var line : journal) {
      if (line.startsWith("start ")) {
        open.add(line.substring(6));
      } else if (line.startsWith("close ")) {
        open.remove(line.substring(6));
      }
    }
    return open;
  }

  Deployment launch(Subject subject, Path directory) throws EleyException {
    if (launchFails) {
      write(directory.resolve("deployment/logs/node-1.log"), "no RAM-disk");
      throw new EleyException(ErrorCode.UNAVAILABLE, "no node came up");
    }
    journal.add("start deployment");
    return new FakeDeployment(subject.mode(), directory);
  }

  @Override
  public String originAddress() {
    return "emulated://127.0.0.1:1/origin";
  }

  @Override
  public boolean tellsWhileItMoves() {
    return !tellsAfterwards;
  }

  @Override
  public PfsTrace traceFrom(long sequence) {
    tellCounted();
    int first = (int) Math.min(trace.size(), Math.max(traceForgets, sequence));
    return new PfsTrace(first, trace.size(), trace.subList(first, trace.size()));
  }

  @Override
  public Path directory(String name) throws EleyException {
    try {
      return Files.createDirectories(root.resolve(name));
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "no directory", e);
    }
  }

  @Override
  public Hpc startHpc(Path directory, @Nullable Deployment deployment) {
    journal.add("start hpc");
    var hpc = new FakeHpc();
    clock.onStep(hpc::step);
    return hpc;
  }

  @Override
  public Spark submit(
      Workload workload, Path directory, Deployment deployment, DoubleConsumer progress)
      throws EleyException {
    journal.add("start spark");
    var mode = ((FakeDeployment) deployment).mode;
    Path log = directory.resolve("spark/driver.log");
    write(log, "the driver's words");
    var spark = new FakeSpark(workload, mode, log, progress);
    clock.onStep(spark::step);
    return spark;
  }

  private static void write(Path file, String text) throws EleyException {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "no file", e);
    }
  }

  private void record(String client, String cause, String operation) {
    if (tellsAfterwards && operation.equals("READ")) {
      counted.merge(cause, 1 << 20, Integer::sum);
    } else {
      trace.add(new PfsEvent(clock.epochMicros(), client, cause, operation, 1 << 20));
    }
  }

  private void tellCounted() {
    counted.forEach(
        (cause, bytes) ->
            trace.add(new PfsEvent(clock.epochMicros(), "node", cause, "READ", bytes)));
    counted.clear();
  }

  private final class FakeHpc implements Hpc {
    private final double start = clock.seconds();
    private boolean closed;

    void step() {
      if (!closed && inPhase()) {
        record("ior-0", RunProtocol.HPC_CAUSE, "WRITE");
      }
    }

    @Override
    public boolean alive() {
      return !closed && age() < hpcDiesAfter;
    }

    @Override
    public List<ObservedPhase> phases() {
      var phases = new ArrayList<ObservedPhase>();
      for (double at = PAUSE; at + PHASE <= age(); at += PAUSE + PHASE) {
        long begin = FakeClock.ZERO + Math.round((start + at) * 1e6);
        phases.add(new ObservedPhase(begin, begin + 10_000, begin + Math.round(PHASE * 1e6)));
      }
      return phases;
    }

    @Override
    public boolean inPhase() {
      return age() % (PAUSE + PHASE) >= PAUSE;
    }

    @Override
    public String lastWords() {
      return "IOR: disk on fire";
    }

    @Override
    public void close() {
      if (!closed) {
        journal.add(inPhase() ? "in phase" : "in pause");
        journal.add("close hpc");
      }
      closed = true;
    }

    private double age() {
      return clock.seconds() - start;
    }
  }

  private final class FakeSpark implements Spark {
    private final double start = clock.seconds();
    private final Workload workload;
    private final BufferMode mode;
    private final Path log;
    private final DoubleConsumer progress;
    private boolean closed;

    FakeSpark(Workload workload, BufferMode mode, Path log, DoubleConsumer progress) {
      this.workload = workload;
      this.mode = mode;
      this.log = log;
      this.progress = progress;
    }

    void step() {
      if (!alive()) {
        return;
      }
      double age = clock.seconds() - start;
      if (age >= Math.max(1, sparkNeverReadsUntil) && age < 1 + mapSeconds) {
        record("spark", mode == BufferMode.NAIVE_BB ? "DIRECT" : "PREFETCH", "READ");
      }
      if (age < WARM_UP) {
        // Warming up reads as well, and must not be taken for the run.
        record("spark", "WARMING", "READ");
      } else if (age >= WARM_UP + 0.25) {
        progress.accept(Math.min(1, Math.max(0, (age - 1) / mapSeconds)));
      }
    }

    @Override
    public boolean alive() {
      double life = sparkFailure == null ? mapSeconds + 3 : 8;
      return !closed && clock.seconds() - start < Math.max(life, sparkNeverReadsUntil);
    }

    @Override
    public WorkloadResult await() throws EleyException {
      if (sparkFailure != null) {
        throw new EleyException(ErrorCode.INTERNAL, sparkFailure + ", see " + log);
      }
      long begin = (FakeClock.ZERO + Math.round((start + 1) * 1e6)) / 1000;
      long end = begin + Math.round(mapSeconds * 1e3);
      return new WorkloadResult(
          workload.label(),
          begin - 500,
          mapSeconds,
          mapSeconds + 2,
          400 << 20,
          400 << 20,
          wrongInFullDelay && mode == BufferMode.FULL_DELAY ? "other" : digest,
          begin,
          end,
          List.of(new WorkloadResult.Task(begin, end, "127.0.0.2")));
    }

    @Override
    public void close() {
      if (!closed) {
        journal.add("close spark");
      }
      closed = true;
    }
  }

  private final class FakeDeployment implements Deployment {
    private final BufferMode mode;
    private final Path directory;
    private final double started = clock.seconds();
    private boolean closed;

    FakeDeployment(BufferMode mode, Path directory) {
      this.mode = mode;
      this.directory = directory;
    }

    @Override
    public Path directory() {
      return directory;
    }

    @Override
    public DeploymentReport report() {
      tellCounted();
      boolean naive = mode == BufferMode.NAIVE_BB;
      // 1000 bytes served while warming up, without a hit, and 100 afterwards, 80 of them hits.
      boolean over = clock.seconds() - started > 2;
      int served = naive ? 0 : over ? 1100 : 1000;
      int hits = naive || !over ? 0 : 80;
      var counters = new NodeCounters(1, 1, 1, served, hits, Map.of(), 0, 0, 0, true, 0);
      return new DeploymentReport(
          mode,
          originAddress(),
          1,
          1,
          "",
          List.of(),
          new DeploymentReport.Control("no-action", List.of(), List.of(), List.of()),
          List.of(new DeploymentReport.NodeReport("n1", "127.0.0.1", 1, 0, counters)),
          List.of());
    }

    @Override
    public void close() {
      if (!closed) {
        journal.add("close deployment");
      }
      closed = true;
    }
  }
}
