package io.eley.demo;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.laboratory.ExperimentClock;
import io.eley.laboratory.Installation;
import io.eley.laboratory.Laboratory;
import io.eley.laboratory.PlannedStep;
import io.eley.laboratory.Steps;
import io.eley.laboratory.WorkDirectory;
import io.eley.local.deployment.Teardown;
import io.eley.report.Parameters;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.RandomTextWriter;
import io.eley.workloads.SparkCluster;
import io.eley.workloads.SparkClusterOptions;
import io.eley.workloads.WorkloadResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes the laboratory in a private directory: how fast this machine computes, the Spark cluster,
 * the input, the emulated PFS. Everything started is in the teardown it was given.
 */
final class DemoSetup {
  static final String INPUT_DIRECTORY = "input";

  /** Small input through which nodes, clients and Spark warm up before each run's clock starts. */
  static final String WARM_UP_DIRECTORY = "warm-up";

  /** Waves to warm up: enough for the JIT compiler to compile the hot loops, some two seconds. */
  private static final int WARM_UP_WAVES = 2;

  private static final int WORKERS = 2;

  /** Tasks that run at once: one core for each worker, which is all that a small machine has. */
  static final int SLOTS = WORKERS;

  /**
   * Steps that {@link #prepare} makes, and seconds that are thought of until one has ended: rounded
   * by hand after runs on two cores, not measured on this machine.
   */
  static final List<PlannedStep> PLAN =
      List.of(
          new PlannedStep("calibration", 20),
          new PlannedStep("cluster", 6),
          new PlannedStep("input", 4),
          new PlannedStep("file system", 1));

  private static final int CALIBRATION_WAVES = 5;
  private static final DataSize EXECUTOR_MEMORY = DataSize.ofMebibytes(768);

  /** Bytes that the private directory needs, whatever the input. */
  static final long LEAST_DISK = DataSize.ofMebibytes(3072).bytes();

  private final Installation installation;
  private final DemoOptions options;
  private final Steps steps;
  private final Teardown teardown;

  DemoSetup(Installation installation, DemoOptions options, Steps steps, Teardown teardown) {
    this.installation = installation;
    this.options = options;
    this.steps = steps;
    this.teardown = teardown;
  }

  /** The result of {@link #prepare}. */
  record Ready(Laboratory laboratory, Path sparkHome, Parameters parameters) {}

  Ready prepare(WorkDirectory work) throws EleyException {
    var home = LinkedSparkHome.create(work.directory("spark-home"), installation.spark());
    steps.next("Calibration");
    long rate = computeRate(work, home);
    steps.next("Spark cluster");
    var cluster = teardown.add(SparkCluster.start(clusterOptions(home, work)));
    var sizing = Sizing.of(options.input(), options.hpc(), rate, options.origin(), SLOTS);
    steps.next("Input");
    Path origin = work.directory("origin");
    long inputBytes = makeInput(work, origin.resolve(INPUT_DIRECTORY), sizing);
    generate(
        origin.resolve(WARM_UP_DIRECTORY),
        WARM_UP_WAVES * SLOTS,
        options.input().split().bytes(),
        "text to warm up with");
    steps.next("Emulated PFS");
    var pfs =
        teardown.add(
            PfsProcess.start(
                installation,
                origin,
                work.directory("pfs"),
                options
                    .origin()
                    .withCapacity(new DataSize(sizing.bytesPerSecond()))
                    .withStreamRate(new DataSize(sizing.streamBytesPerSecond())),
                ExperimentClock.REAL));
    var ior = new IorLoad(options.hpc(), sizing.hpcTaskBytes(), pfs.address());
    work.directory("origin/ior");
    var laboratory =
        new ProcessLaboratory(
            installation, work, cluster, pfs, ior, options.input().split().bytes());
    return new Ready(laboratory, home.directory(), parameters(home, sizing, inputBytes, ior));
  }

  private static SparkClusterOptions clusterOptions(LinkedSparkHome home, WorkDirectory work)
      throws EleyException {
    return new SparkClusterOptions(
        home,
        work.directory("spark"),
        work.directory("spark-local"),
        WORKERS,
        SLOTS / WORKERS,
        EXECUTOR_MEMORY);
  }

  /**
   * Bytes per second that all slots together compute on WordCount, with nothing to wait for: the
   * input in RAM, read directly. The first waves, in which the JVM warms up, are left out.
   */
  private long computeRate(WorkDirectory work, LinkedSparkHome home) throws EleyException {
    var capacity = options.origin().capacity();
    if (capacity != null) {
      return capacity.bytes();
    }
    Path directory = work.directory("calibration");
    long split = options.input().split().bytes();
    generate(directory.resolve("input"), CALIBRATION_WAVES, split * SLOTS, "calibration text");
    long rate;
    try (var scope = teardown.nested()) {
      var spark =
          scope.add(
              ProcessLaboratory.runPlain(
                  installation,
                  home,
                  new DataSize(WORKERS * EXECUTOR_MEMORY.bytes()),
                  directory,
                  split,
                  steps.percent()));
      rate = steadyRate(spark.await(), split);
    }
    WorkDirectory.delete(directory); // One that failed stays until its logs have been kept.
    steps.note("WordCount computes %d MiB/s here, all tasks of a wave together", rate >> 20);
    return rate;
  }

  /** The rate over the last half of the tasks. */
  static long steadyRate(WorkloadResult result, long splitBytes) throws EleyException {
    var launches = result.tasks().stream().map(WorkloadResult.Task::launchMillis).sorted().toList();
    if (launches.size() < 2 * SLOTS) {
      throw new EleyException(ErrorCode.INTERNAL, "too few tasks to calibrate by");
    }
    int from = launches.size() / 2;
    long millis = result.mapEndMillis() - launches.get(from);
    return Math.max(1 << 20, (launches.size() - from) * splitBytes * 1000 / Math.max(1, millis));
  }

  private long makeInput(WorkDirectory work, Path directory, Sizing sizing) throws EleyException {
    Path own = options.input().directory();
    if (own == null) {
      requireRoom(work, sizing.inputBytes(), sizing);
      generate(directory, sizing.waves(), sizing.waveBytes(), "random text");
      return sizing.inputBytes();
    }
    var files = InputFiles.of(own);
    requireRoom(work, files.bytes(), sizing);
    files.bring(directory, steps.percent());
    return files.bytes();
  }

  private void generate(Path directory, int files, long fileBytes, String what)
      throws EleyException {
    var plan = new RandomTextWriter.Plan(directory, files, fileBytes, options.input().seed());
    var written = new AtomicLong();
    var progress = steps.percent();
    try {
      RandomTextWriter.write(
          plan,
          Runtime.getRuntime().availableProcessors(),
          bytes -> progress.accept((double) written.addAndGet(bytes) / plan.totalBytes()));
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot write the " + what + ": " + e, e);
    }
  }

  private void requireRoom(WorkDirectory work, long inputBytes, Sizing sizing)
      throws EleyException {
    long buffers = options.buffer().nodes() * options.buffer().memory().bytes();
    long needed =
        Sizing.diskBytes(inputBytes, buffers, sizing.hpcTaskBytes() * options.hpc().tasks());
    if (work.usable() < needed) {
      throw new EleyException(
          ErrorCode.NO_SPACE,
          text(
              "%s has room for %d MiB, but %d MiB of input need %d MiB; give less input",
              work.path(), work.usable() >> 20, inputBytes >> 20, needed >> 20));
    }
  }

  private Parameters parameters(LinkedSparkHome home, Sizing sizing, long inputBytes, IorLoad ior) {
    long split = options.input().split().bytes();
    int waves = Math.toIntExact((inputBytes + split * SLOTS - 1) / (split * SLOTS));
    return new Parameters(
        inputName(options.input().directory()),
        inputBytes,
        split,
        SLOTS,
        waves,
        options.buffer().nodes(),
        options.buffer().memory().bytes(),
        options.buffer().geometry().blockSize(),
        options.buffer().geometry().chunkSize(),
        options.buffer().fetchers(),
        sizing.bytesPerSecond(),
        sizing.streamBytesPerSecond(),
        options.origin().latency().toNanos() / 1000,
        options.origin().capacity() == null
            ? "measured here: a quarter more than the tasks of a wave compute of WordCount"
            : "as asked for",
        ior.commandLine(),
        options.hpc().tasks(),
        sizing.hpcTaskBytes() * options.hpc().tasks(),
        options.hpc().pause().toMillis() / 1e3,
        home.version(),
        options.input().seed());
  }

  private static String inputName(@Nullable Path directory) {
    return directory == null ? "random text" : "files of " + directory;
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
