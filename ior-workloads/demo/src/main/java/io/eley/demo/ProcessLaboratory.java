package io.eley.demo;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.emulated.pfs.PfsTrace;
import io.eley.laboratory.Deployment;
import io.eley.laboratory.Installation;
import io.eley.laboratory.Laboratory;
import io.eley.laboratory.SubmittedSpark;
import io.eley.laboratory.WorkDirectory;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.SparkApplication;
import io.eley.workloads.SparkCluster;
import io.eley.workloads.SparkSubmission;
import io.eley.workloads.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** The laboratory of real processes: a Spark cluster, an emulated PFS, an IOR. */
final class ProcessLaboratory implements Laboratory {
  private static final String PLUGIN = "io.eley.spark.connector.plan.EleyPlugin";
  private static final String SHUFFLE_MANAGER =
      "io.eley.spark.connector.shuffle.EleyShuffleManager";
  private static final String INPUT = "bb:///" + DemoSetup.INPUT_DIRECTORY;
  private static final String WARM_UP_INPUT = "bb:///" + DemoSetup.WARM_UP_DIRECTORY;

  private final Installation installation;
  private final WorkDirectory work;
  private final SparkCluster cluster;
  private final PfsProcess origin;
  private final IorLoad ior;
  private final long splitBytes;

  ProcessLaboratory(
      Installation installation,
      WorkDirectory work,
      SparkCluster cluster,
      PfsProcess origin,
      IorLoad ior,
      long splitBytes) {
    this.installation = installation;
    this.work = work;
    this.cluster = cluster;
    this.origin = origin;
    this.ior = ior;
    this.splitBytes = splitBytes;
  }

  @Override
  public String originAddress() {
    return origin.address().toString();
  }

  @Override
  public PfsTrace traceFrom(long sequence) throws EleyException {
    return origin.traceFrom(sequence);
  }

  @Override
  public Path directory(String name) throws EleyException {
    return work.directory(name);
  }

  @Override
  public Hpc startHpc(Path directory, @Nullable Deployment deployment) throws EleyException {
    return IorProcess.start(installation, ior, directory, deployment);
  }

  @Override
  public Spark submit(
      Workload workload, Path directory, Deployment deployment, DoubleConsumer progress)
      throws EleyException {
    var conf =
        Map.of(
            "spark.plugins",
            PLUGIN,
            "spark.jars",
            installation.connectorJar() + "," + installation.emulatedPfsJar(),
            "spark.shuffle.manager",
            SHUFFLE_MANAGER,
            "spark.hadoop.eley.deployment",
            deployment.directory().toString());
    var arguments = new ArrayList<>(arguments(INPUT, directory, splitBytes));
    arguments.add("--warm-up-input=" + WARM_UP_INPUT);
    return submit(
        cluster,
        SparkApplication.of(workload, installation.workloadsJar(), arguments, conf),
        directory,
        progress);
  }

  /** Runs WordCount over {@code directory/input}, without Eley and a cluster: for calibration. */
  static Spark runPlain(
      Installation installation,
      LinkedSparkHome home,
      DataSize heap,
      Path directory,
      long splitBytes,
      DoubleConsumer progress)
      throws EleyException {
    String input = directory.resolve("input").toUri().toString();
    var application =
        SparkApplication.of(
            Workload.WORD_COUNT,
            installation.workloadsJar(),
            arguments(input, directory, splitBytes),
            Map.of());
    return new SubmittedSpark(
        SparkSubmission.startLocal(
            home,
            DemoSetup.SLOTS,
            heap,
            application,
            directory.resolve("spark"),
            (done, total) -> progress.accept(SubmittedSpark.part(done, total))));
  }

  /** The result goes to the run's own directory, past the origin: only reading is compared. */
  private static List<String> arguments(String input, Path directory, long splitBytes) {
    return List.of(
        input,
        directory.resolve("result").toUri().toString(),
        Integer.toString(DemoSetup.SLOTS),
        "--partition-bytes=" + splitBytes);
  }

  private static Spark submit(
      SparkCluster cluster, SparkApplication application, Path directory, DoubleConsumer progress)
      throws EleyException {
    var submission =
        SparkSubmission.start(
            cluster,
            application,
            directory.resolve("spark"),
            (done, total) -> progress.accept(SubmittedSpark.part(done, total)));
    return new SubmittedSpark(submission);
  }
}
