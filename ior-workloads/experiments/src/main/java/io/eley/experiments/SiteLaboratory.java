package io.eley.experiments;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.emulated.pfs.PfsTrace;
import io.eley.laboratory.Deployment;
import io.eley.laboratory.DeploymentLauncher;
import io.eley.laboratory.DeploymentRequest;
import io.eley.laboratory.ExperimentClock;
import io.eley.laboratory.Installation;
import io.eley.laboratory.Laboratory;
import io.eley.laboratory.RunProtocol;
import io.eley.laboratory.Subject;
import io.eley.laboratory.SubmittedSpark;
import io.eley.laboratory.WorkDirectory;
import io.eley.workloads.SparkApplication;
import io.eley.workloads.SparkCluster;
import io.eley.workloads.SparkSubmission;
import io.eley.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The laboratory on a mounted file system: the installed IOR, a Spark cluster, a deployment for
 * each run that has one. One run at a time: {@link #begin} says which. For one thread.
 */
final class SiteLaboratory implements Laboratory {
  private static final String PLUGIN = "io.eley.spark.connector.plan.EleyPlugin";

  private static final String SHUFFLE_MANAGER =
      "io.eley.spark.connector.shuffle.EleyShuffleManager";

  /** Parallel file systems behind FUSE map no files, as Spark would those that it shuffles. */
  private static final Map<String, String> UNMAPPED =
      Map.of("spark.file.transferTo", "false", "spark.storage.memoryMapThreshold", "1g");

  /** Counters are as fresh as this, in all modes alike. */
  private static final String RENEWAL = "200ms";

  /** Looking for executors among all processes costs milliseconds. */
  private static final long LOOK_MICROS = 200_000;

  private final Parts parts;
  private final DeploymentLauncher launcher;
  private final DeploymentLauncher alluxio;
  private @Nullable RunContext context;
  private @Nullable HpcTogether hpc;
  private @Nullable ObservedDeployment deployment;

  /**
   * What was made ready before the first run.
   *
   * @param clusters one for each place of local directories that trials need
   * @param files of the experiment on the file system, relative to a mount
   */
  record Parts(
      Installation installation,
      WorkDirectory work,
      SiteClusters clusters,
      Site site,
      Design design,
      ExperimentFiles files) {}

  /**
   * A laboratory.
   *
   * @param launcher of deployments whose blocks our own nodes hold
   * @param alluxio of those over Alluxio
   */
  SiteLaboratory(Parts parts, DeploymentLauncher launcher, DeploymentLauncher alluxio) {
    this.parts = parts;
    this.launcher = launcher;
    this.alluxio = alluxio;
  }

  /** Makes everything that follows belong to a run. */
  void begin(RunContext run) {
    context = run;
    hpc = null;
    deployment = null;
  }

  /** Phases of all HPC applications together. */
  int phases() {
    return parts.design().applications().stream().mapToInt(HpcApplication::phases).sum();
  }

  private RunContext context() {
    return Objects.requireNonNull(context, "no run has begun");
  }

  @Override
  public String originAddress() {
    return parts.site().mounts().origin().toString();
  }

  /** Whatever has been counted until now; who reads directly is looked at here. */
  @Override
  public PfsTrace traceFrom(long sequence) throws EleyException {
    var traffic = context().traffic();
    var observed = deployment;
    if (observed != null) {
      observed.report();
    }
    var together = hpc;
    if (together != null) {
      traffic.phases(together.phases(), this::phaseBytes);
    }
    return traffic.from(sequence);
  }

  /** An HPC phase's bytes are known when it has ended, and nodes' when they report. */
  @Override
  public boolean tellsWhileItMoves() {
    return false;
  }

  private long phaseBytes(String application) {
    return parts.design().applications().stream()
        .filter(a -> a.name().equals(application))
        .mapToLong(HpcApplication::phaseBytes)
        .sum();
  }

  @Override
  public Path directory(String name) throws EleyException {
    return parts.work().directory(name);
  }

  /** The deployment of the run that has begun, or what stands for none. */
  Deployment launch(Subject subject, Path directory) throws EleyException {
    var run = context();
    var starts = run.trial().engine() == Engine.ALLUXIO ? alluxio : launcher;
    var real = run.trial().deployment() ? starts.launch(request(subject, directory)) : null;
    boolean direct = run.trial().subject().label().equals(Trial.NAIVE.subject().label());
    var readers = new Readers(cluster()::processes);
    long[] looked = {0};
    var observed =
        new ObservedDeployment(
            real,
            directory,
            run.kept(),
            report -> {
              long now = ExperimentClock.REAL.epochMicros();
              run.traffic().nodes(now, report);
              if (!direct) { // whose reads are the readers' below
                run.traffic().past(now, report.totals().pastBytes());
              }
              if ((real == null || direct) && now - looked[0] >= LOOK_MICROS) {
                looked[0] = now;
                run.traffic().readers(now, readers.bytes());
              }
            });
    deployment = observed;
    return observed;
  }

  private SparkCluster cluster() {
    return parts.clusters().of(context().trial().shuffle());
  }

  private DeploymentRequest request(Subject subject, Path directory) throws EleyException {
    var sizes = parts.design().sizes();
    var settings = new LinkedHashMap<String, String>();
    settings.put("eley.window.waves", Integer.toString(sizes.wavesAhead()));
    settings.put("eley.permit.renewal", RENEWAL);
    var knowledge = context().trial().knowledge();
    settings.putAll(
        knowledge == null
            ? Knowledge.NOTHING.settings(parts.site())
            : knowledge.settings(parts.site()));
    settings.putAll(parts.site().settings());
    if (context().trial().shuffle() == ShufflePlace.BUFFER) {
      settings.put("eley.node.spark-home", cluster().home().directory().toString());
    }
    try {
      EnvironmentFile.write(context().kept().resolve("settings.properties"), settings);
      return new DeploymentRequest(
          subject.mode(),
          originAddress(),
          Hosts.NODES,
          sizes.memory(),
          Sizes.GEOMETRY,
          Files.createDirectories(directory.resolve("deployment")),
          settings);
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot make a directory: " + e, e);
    }
  }

  @Override
  public Hpc startHpc(Path directory, @Nullable Deployment beside) throws EleyException {
    var run = context();
    var job = run.job();
    var runners = new ArrayList<PhaseRunner>();
    for (var application : parts.design().applications()) {
      boolean hurries = beside == null && parts.design().hurriesAlone();
      var shown = hurries ? application.hurrying() : application;
      var notices =
          beside != null && run.trial().announces()
              ? PhaseNotices.to(beside.directory())
              : PhaseNotices.NONE;
      var alone = application.command(parts.site(), parts.files().directory());
      var command = job == null ? alone : job.step(alone);
      runners.add(
          new PhaseRunner(
              shown,
              output -> new IorPhase(command, output, application.phaseBound()),
              run.kept(),
              notices,
              number -> onPhase(run, number)));
    }
    var together = new HpcTogether(runners);
    runners.forEach(PhaseRunner::start);
    hpc = together;
    return together;
  }

  private void onPhase(RunContext run, int number) {
    var observed = deployment;
    if (run.trial().losesNode() && number == 2 && observed != null && observed.killANode()) {
      run.loss().happened(System.currentTimeMillis());
    }
  }

  @Override
  public Spark submit(Workload workload, Path directory, Deployment beside, DoubleConsumer progress)
      throws EleyException {
    boolean buffered = context().trial().deployment();
    String base = buffered ? "bb:///" : "file://" + originAddress() + "/";
    var arguments = arguments(base + parts.files().directory(), directory);
    return new SubmittedSpark(
        SparkSubmission.start(
            cluster(),
            SparkApplication.of(
                    workload, parts.installation().workloadsJar(), arguments, conf(beside))
                .withDeadline(parts.design().runBound().plus(RunProtocol.USUAL_BOUND)),
            directory.resolve("spark"),
            (done, total) -> progress.accept(SubmittedSpark.part(done, total))));
  }

  private Map<String, String> conf(Deployment beside) {
    var trial = context().trial();
    var conf = new LinkedHashMap<String, String>();
    if (trial.deployment()) {
      conf.put("spark.plugins", PLUGIN);
      conf.put("spark.jars", String.join(",", jars()));
      conf.put("spark.hadoop.eley.deployment", beside.directory().toString());
    }
    if (trial.shuffle() == ShufflePlace.BUFFER) {
      conf.put("spark.shuffle.manager", SHUFFLE_MANAGER);
    }
    if (trial.shuffle() == ShufflePlace.FILE_SYSTEM) {
      conf.putAll(UNMAPPED);
    }
    return conf;
  }

  /** Alluxio's client is a jar of the application, behind Spark's own libraries. */
  private List<String> jars() {
    var jars = new ArrayList<String>();
    jars.add(parts.installation().connectorJar().toString());
    if (context().trial().engine() == Engine.ALLUXIO) {
      parts.site().alluxio().clientJars().forEach(jar -> jars.add(jar.toString()));
    }
    return jars;
  }

  /** The result goes past the file system: only reading is compared. */
  private List<String> arguments(String base, Path directory) {
    var sizes = parts.design().sizes();
    return List.of(
        base + "/" + ExperimentFiles.INPUT,
        directory.resolve("result").toUri().toString(),
        Integer.toString(Sizes.SLOTS),
        "--partition-bytes=" + sizes.split().bytes(),
        "--warm-up-input=" + base + "/" + ExperimentFiles.WARM_UP,
        "--compute=" + sizes.computeMillis());
  }
}
