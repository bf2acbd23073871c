package io.eley.laboratory;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.emulated.pfs.PfsEvent;
import io.eley.emulated.pfs.PfsOperation;
import io.eley.emulated.pfs.PfsTrace;
import io.eley.local.deployment.Teardown;
import io.eley.report.RunObservation;
import io.eley.report.RunRecord;
import io.eley.report.RunTimeline;
import io.eley.report.TraceAnalysis;
import io.eley.workloads.Workload;
import io.eley.workloads.WorkloadResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run from a cold buffer to its facts. The order is the same in every mode:
 *
 * <ol>
 *   <li>the deployment starts, empty;
 *   <li>the application is submitted;
 *   <li>with its first byte from the origin after warming up, the HPC application starts, so that
 *       every mode meets the same schedule of phases;
 *   <li>once the map phase is over, the HPC application is ended in its next pause;
 *   <li>the application ends, the facts are collected, everything is ended.
 * </ol>
 *
 * <p>Not for several threads.
 */
public final class RunProtocol {
  /** The cause under which the HPC application's traffic is recorded. */
  public static final String HPC_CAUSE = "HPC";

  /** Far beyond any run of the usual size; one that takes longer hangs. */
  public static final Duration USUAL_BOUND = Duration.ofMinutes(10);

  private static final Duration FIRST_READ_BOUND = Duration.ofMinutes(2);
  private static final Duration COUNTERS_BOUND = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(RunProtocol.class);

  private final Laboratory laboratory;
  private final DeploymentPlan plan;
  private final int slots;
  private final ExperimentClock clock;
  private final Duration bound;

  /** Makes the deployment of a subject in a directory. */
  @FunctionalInterface
  public interface DeploymentPlan {
    Deployment launch(Subject subject, Path directory) throws EleyException;
  }

  /** Runs of the usual size. */
  public RunProtocol(Laboratory laboratory, DeploymentPlan plan, int slots, ExperimentClock clock) {
    this(laboratory, plan, slots, clock, USUAL_BOUND);
  }

  /**
   * Runs of any size.
   *
   * @param bound after which a run hangs
   */
  public RunProtocol(
      Laboratory laboratory,
      DeploymentPlan plan,
      int slots,
      ExperimentClock clock,
      Duration bound) {
    this.laboratory = laboratory;
    this.plan = plan;
    this.slots = slots;
    this.clock = clock;
    this.bound = bound;
  }

  /**
   * The HPC application alone.
   *
   * @param phases how many to wait for
   * @param logs where those of a run that fails are kept; its directory goes with it
   * @throws EleyException with the last words of what failed, which name logs as they are kept
   */
  public RunObservation alone(
      Workload workload, int phases, Path logs, Teardown teardown, RunSight.Viewer viewer)
      throws EleyException {
    Path directory = directory(teardown, workload, RunRecord.HPC_ALONE);
    try {
      return alone(directory, workload, phases, teardown, viewer);
    } catch (EleyException e) {
      throw LogKeeper.keep(e, directory, logs);
    }
  }

  private RunObservation alone(
      Path directory, Workload workload, int phases, Teardown teardown, RunSight.Viewer viewer)
      throws EleyException {
    var watch = new RunWatch(laboratory, clock, viewer);
    long sequence = laboratory.traceFrom(Long.MAX_VALUE).recorded();
    long zero = clock.epochMicros();
    var hpc = teardown.add(laboratory.startHpc(directory, null));
    watch.from(sequence);
    watch.stage("nobody else", hpc);
    clock.until(
        () -> {
          int done = hpc.phases().size();
          watch.part((double) done / phases);
          watch.look(hpc);
          if (done < phases && !hpc.alive()) {
            throw died(hpc);
          }
          return done >= phases;
        },
        bound,
        "the HPC application alone has not done " + phases + " phases");
    hpc.close();
    return new RunObservation(
        RunRecord.HPC_ALONE,
        workload.label(),
        analysis(sequence, zero),
        hpc.phases().subList(0, phases),
        zero,
        clock.epochMicros(),
        null,
        List.of());
  }

  /**
   * A workload in a mode, beside the HPC application.
   *
   * @param logs where those of a run that fails are kept; its directory goes with it
   * @throws EleyException with the last words of what failed, which name logs as they are kept
   */
  public RunObservation run(
      Workload workload, Subject subject, Path logs, Teardown teardown, RunSight.Viewer viewer)
      throws EleyException {
    Path directory = directory(teardown, workload, subject.label());
    try {
      return run(directory, workload, subject, teardown, viewer);
    } catch (EleyException e) {
      throw LogKeeper.keep(e, directory, logs);
    }
  }

  private RunObservation run(
      Path directory, Workload workload, Subject subject, Teardown teardown, RunSight.Viewer viewer)
      throws EleyException {
    var watch = new RunWatch(laboratory, clock, viewer);
    watch.stage("nodes start", null);
    var deployment = teardown.add(plan.launch(subject, directory));
    long sequence = laboratory.traceFrom(Long.MAX_VALUE).recorded();
    var begun = new AtomicBoolean();
    var mapOver = new AtomicBoolean();
    watch.stage("Spark starts", null);
    var spark =
        teardown.add(
            laboratory.submit(
                workload,
                directory,
                deployment,
                done -> {
                  begun.set(true);
                  mapOver.set(done >= 1);
                  watch.part(done);
                }));
    awaitBegin(spark, begun);
    // Warming up has been over for a whole reduce stage, so nodes have reported all of it.
    var before = Served.of(deployment.report());
    if (!laboratory.tellsWhileItMoves()) {
      // What it moved was seen, and dated, in this look: by its time it would be the run's.
      sequence = laboratory.traceFrom(Long.MAX_VALUE).recorded();
    }
    watch.stage("Spark is warm", null);
    watch.from(awaitFirstRead(spark));
    var hpc = teardown.add(laboratory.startHpc(directory, deployment));
    watch.stage("map %.0f %%", hpc);
    var permits = new PermitSampler();
    beside(new Pair(spark, hpc, watch), mapOver, deployment, permits);
    var result = spark.await();
    var trace = analysis(sequence, 1000 * result.beginMillis());
    double hitRatio = hitRatio(deployment, before, trace.originBytes());
    long zero = 1000 * result.mapBeginMillis();
    return new RunObservation(
        subject.label(),
        workload.label(),
        trace,
        hpc.phases(),
        zero,
        clock.epochMicros(),
        facts(result, hitRatio),
        subject.mode() == BufferMode.NAIVE_BB ? List.of() : permits.closed(zero));
  }

  private Path directory(Teardown teardown, Workload workload, String mode) throws EleyException {
    Path directory = laboratory.directory(workload.label() + "-" + mode.replace('/', '-'));
    teardown.add(() -> WorkDirectory.delete(directory));
    return directory;
  }

  private void awaitBegin(Laboratory.Spark spark, AtomicBoolean begun) throws EleyException {
    clock.until(
        () -> {
          requireAlive(spark);
          return begun.get();
        },
        FIRST_READ_BOUND,
        "the Spark application has not warmed up");
  }

  /** Returns the number of the grant after which nothing has been looked at. */
  private long awaitFirstRead(Laboratory.Spark spark) throws EleyException {
    var from = new long[] {laboratory.traceFrom(Long.MAX_VALUE).recorded()};
    clock.until(
        () -> {
          requireAlive(spark);
          PfsTrace trace = laboratory.traceFrom(from[0]);
          from[0] = trace.next();
          return trace.events().stream().anyMatch(RunProtocol::isOurRead);
        },
        FIRST_READ_BOUND,
        "the Spark application has not read from the origin");
    return from[0];
  }

  /** Both applications, and who looks on. */
  private record Pair(Laboratory.Spark spark, Laboratory.Hpc hpc, RunWatch watch) {}

  private static void requireAlive(Laboratory.Spark spark) throws EleyException {
    if (!spark.alive()) {
      spark.await();
      throw new EleyException(
          ErrorCode.INTERNAL, "the Spark application ended without reading the origin");
    }
  }

  /** Watches both applications until the HPC application has been ended and Spark's has ended. */
  private void beside(
      Pair pair, AtomicBoolean mapOver, Deployment deployment, PermitSampler permits)
      throws EleyException {
    var spark = pair.spark();
    var hpc = pair.hpc();
    var running = new boolean[] {true};
    clock.until(
        () -> {
          sample(deployment, permits);
          pair.watch().look(running[0] ? hpc : null);
          if (running[0] && !hpc.alive()) {
            throw died(hpc);
          }
          boolean over = mapOver.get() || !spark.alive();
          if (running[0] && over && !hpc.inPhase()) {
            hpc.close();
            running[0] = false;
            pair.watch().stage("Spark reduces", null);
          }
          return !running[0] && !spark.alive();
        },
        bound,
        "the run has not ended");
  }

  private void sample(Deployment deployment, PermitSampler permits) {
    try {
      permits.sample(clock.epochMicros(), deployment.report());
    } catch (EleyException e) {
      // A coordinator that is gone costs a line in a chart; the job goes on, and so do we.
      LOG.debug("no report: {}", e.getMessage());
    }
  }

  /** Part of what tasks read that was in RAM; what they read past the buffer counts as a miss. */
  private double hitRatio(Deployment deployment, Served before, Map<String, Long> origin)
      throws EleyException {
    long endMicros = clock.epochMicros();
    clock.until(
        () ->
            deployment.report().nodes().stream()
                .allMatch(n -> 1000 * n.heardMillisAgo() < clock.epochMicros() - endMicros),
        COUNTERS_BOUND,
        "nodes have not reported their counters");
    var after = Served.of(deployment.report());
    long served = after.bytes() - before.bytes();
    long past =
        origin.getOrDefault(ReadCause.DIRECT.name(), 0L)
            + origin.getOrDefault(ReadCause.FALLBACK.name(), 0L);
    // A node that was lost took its counters with it.
    double ratio =
        served + past <= 0 ? 0 : (after.hits() - before.hits()) / (double) (served + past);
    return Math.max(0, Math.min(1, ratio));
  }

  /** What all nodes together have served, and how much of that from RAM. */
  private record Served(long bytes, long hits) {
    static Served of(DeploymentReport report) {
      var nodes = report.nodes();
      return new Served(
          nodes.stream().mapToLong(n -> n.counters().servedBytes()).sum(),
          nodes.stream().mapToLong(n -> n.counters().hitBytes()).sum());
    }
  }

  private RunObservation.SparkFacts facts(WorkloadResult result, double hitRatio) {
    long zero = result.mapBeginMillis();
    return new RunObservation.SparkFacts(
        new RunTimeline.Span(0, result.mapSeconds()),
        result.totalSeconds(),
        result.inputBytes(),
        hitRatio,
        result.digest(),
        result.tasks().stream()
            .map(
                t ->
                    new RunTimeline.Task(
                        (t.launchMillis() - zero) / 1e3,
                        (t.finishMillis() - zero) / 1e3,
                        0,
                        t.host()))
            .toList(),
        slots);
  }

  /** Of everything recorded from a sequence number and a time of day on. */
  private TraceAnalysis analysis(long sequence, long fromMicros) throws EleyException {
    var trace = laboratory.traceFrom(sequence);
    if (trace.first() != sequence) {
      throw new EleyException(
          ErrorCode.INTERNAL, "the emulated PFS forgot grants of this run; raise its trace limit");
    }
    return new TraceAnalysis(
        trace.events().stream().filter(e -> e.epochMicros() >= fromMicros).toList(),
        e -> e.cause().equals(HPC_CAUSE));
  }

  private static boolean isOurRead(PfsEvent event) {
    return event.bytes() > 0
        && event.operation().equals(PfsOperation.READ.name())
        && !event.cause().equals(HPC_CAUSE);
  }

  private static EleyException died(Laboratory.Hpc hpc) {
    return new EleyException(
        ErrorCode.INTERNAL, "the HPC application ended too early: " + hpc.lastWords());
  }
}
