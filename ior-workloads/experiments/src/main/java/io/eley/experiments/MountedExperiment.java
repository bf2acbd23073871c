package io.eley.experiments;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.laboratory.ExperimentClock;
import io.eley.laboratory.Installation;
import io.eley.laboratory.LocalLauncher;
import io.eley.laboratory.LogKeeper;
import io.eley.laboratory.PlannedStep;
import io.eley.laboratory.Progress;
import io.eley.laboratory.RunProtocol;
import io.eley.laboratory.Steps;
import io.eley.laboratory.WorkDirectory;
import io.eley.local.deployment.Teardown;
import io.eley.report.Host;
import io.eley.report.RunObservation;
import io.eley.report.SeriesReport;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.SparkClusterOptions;
import io.eley.workloads.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One experiment from its preparation to its report. Blocks for minutes to hours; for one thread.
 * Whatever way it ends, the JVM's exit included, nothing that it started is left running, and
 * neither its private directory nor its files on the file system are left.
 */
final class MountedExperiment {
  private static final int PREPARATIONS = 2;

  /** Thought of until one has ended; figure1 on four servers of 20 MB/s. */
  private static final PlannedStep PREPARATION = new PlannedStep("preparation", 10);

  private static final PlannedStep RUN = new PlannedStep("run", 90);
  private static final DataSize EXECUTOR_MEMORY = DataSize.ofMebibytes(768);
  private static final DataSize SPARE_DISK = DataSize.ofMebibytes(1024);

  private final Installation installation;
  private final Site site;
  private final Progress progress;

  MountedExperiment(Installation installation, Site site, Progress progress) {
    this.installation = installation;
    this.site = site;
    this.progress = progress;
  }

  /**
   * What to run.
   *
   * @param out directory for everything that is kept; made when it does not exist
   * @param seed of the generated input
   */
  record Order(String name, Design design, int repetitions, Path out, long seed) {}

  /**
   * Runs it.
   *
   * @throws EleyException when it cannot be prepared; a run that fails is in the report instead
   */
  SeriesReport run(Order order) throws EleyException {
    installation.verify();
    var design = order.design().possibleAt(site);
    var steps = new Steps(progress, plan(Series.count(design, order.repetitions())));
    try (var teardown = Teardown.onExit()) {
      var work = teardown.add(WorkDirectory.create(diskBytes(design)));
      try {
        return measure(
            new Order(order.name(), design, order.repetitions(), made(order.out()), order.seed()),
            work,
            steps,
            teardown);
      } finally {
        LogKeeper.keep(work.path(), order.out().resolve("logs"));
      }
    }
  }

  private static List<PlannedStep> plan(int runs) {
    var plan = new ArrayList<>(Collections.nCopies(PREPARATIONS, PREPARATION));
    plan.addAll(Collections.nCopies(runs, RUN));
    return plan;
  }

  private SeriesReport measure(Order order, WorkDirectory work, Steps steps, Teardown teardown)
      throws EleyException {
    var design = order.design();
    var here = hostsAt(work, design);
    steps.next("Spark cluster");
    var home = LinkedSparkHome.create(work.directory("spark-home"), installation.spark());
    var files = teardown.add(ExperimentFiles.create(here.mounts()));
    var clusters =
        SiteClusters.start(
            design,
            clusterOptions(home, work, here),
            work.directory("spark-there"),
            here.mounts().origin().resolve(files.directory()),
            teardown);
    steps.next("Input");
    files.write(design.sizes(), order.seed(), steps.percent());
    var placed = site.at(here.mounts());
    var parts = new SiteLaboratory.Parts(installation, work, clusters, placed, design, files);
    var ours = new LocalLauncher(here::deployment);
    var laboratory =
        new SiteLaboratory(parts, ours, new AlluxioLauncher(placed.alluxio(), here, ours));
    var protocol =
        new RunProtocol(
            laboratory, laboratory::launch, Sizes.SLOTS, ExperimentClock.REAL, design.runBound());
    var configuration = configuration(order, here, home);
    write(order.out().resolve("environment.txt"), placed, configuration);
    var frame =
        new SeriesReport.Frame(
            order.name(),
            design.description(),
            Host.describe(installation.commit()),
            configuration,
            Series.count(design, order.repetitions()),
            design.paper(),
            design::verdicts);
    var lab = new Series.Lab(new ColdBench(laboratory, protocol), steps);
    return new Series(design, order.repetitions(), order.out(), frame, lab).all(teardown);
  }

  private static void write(Path file, Site site, Map<String, String> configuration)
      throws EleyException {
    try {
      EnvironmentFile.write(file, site, configuration);
    } catch (IOException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot write " + file + ": " + e, e);
    }
  }

  /** Mounts of their own need a path at which each process sees its host's. */
  private Hosts hostsAt(WorkDirectory work, Design design) throws EleyException {
    var mounts = site.mounts();
    var common =
        mounts.mounts().isEmpty()
            ? mounts
            : new HostMounts(work.directory("origin"), mounts.mounts());
    var hosts = new Hosts(common, design.iorHosts());
    if (!mounts.mounts().isEmpty() && mounts.mounts().size() < hosts.count()) {
      progress.note(
          "only " + mounts.mounts().size() + " mounts for " + hosts.count() + " hosts: some share");
    }
    return hosts;
  }

  private static SparkClusterOptions clusterOptions(
      LinkedSparkHome home, WorkDirectory work, Hosts hosts) throws EleyException {
    return new SparkClusterOptions(
            home,
            work.directory("spark"),
            work.directory("spark-local"),
            Hosts.WORKERS,
            Sizes.SLOTS_PER_WORKER,
            EXECUTOR_MEMORY)
        .withHosts(hosts.spark());
  }

  /** Buffers, Sort's shuffle files and result, logs. */
  private static long diskBytes(Design design) {
    var sizes = design.sizes();
    return Hosts.NODES * sizes.memory().bytes() + 3 * sizes.input().bytes() + SPARE_DISK.bytes();
  }

  private Map<String, String> configuration(Order order, Hosts hosts, LinkedSparkHome home) {
    var design = order.design();
    var sizes = design.sizes();
    var facts = new LinkedHashMap<String, String>();
    facts.put("Repetitions", Integer.toString(order.repetitions()));
    facts.put("File system", FileSystemLine.of(hosts.mounts().of(0)));
    facts.put("Mounts", mountsText(hosts));
    facts.put("Input", sizes.input() + " of random text, seed " + order.seed());
    facts.put("Waves", sizes.waves() + " of " + Sizes.SLOTS + " tasks, " + sizes.split() + " each");
    facts.put("Compute", sizes.computeMillis() + " ms a MiB besides the tasks' own");
    facts.put("Nodes", Hosts.NODES + " of " + sizes.memory() + ", window " + sizes.wavesAhead());
    for (var application : design.applications()) {
      facts.put(
          "HPC " + application.name(),
          application.tasks()
              + " tasks, "
              + application.letters()
              + ", "
              + application.phases()
              + " phases, pauses of "
              + application.pause().toSeconds()
              + " s"
              + (design.hurriesAlone()
                  ? " (alone: " + HpcApplication.SHORT.toSeconds() + " s)"
                  : ""));
    }
    facts.put("mpirun", String.join(" ", site.mpirun()) + " … " + String.join(" ", site.ior()));
    facts.put("Spark", home.version());
    var witnesses = site.witnesses();
    facts.put("Counters", witnesses.counters().isEmpty() ? "none" : witnesses.counters());
    facts.put("Slurm", witnesses.slurm() ? "IOR is a step of a job" : "none");
    facts.put("Board", witnesses.board().isEmpty() ? "none" : witnesses.board());
    facts.put("Alluxio", site.alluxio().present() ? "of its own in each run with it" : "none");
    facts.put("Settings", site.settings().isEmpty() ? "none" : site.settings().toString());
    facts.put("Caches", site.dropCaches() ? "dropped before each run" : "as the mount keeps them");
    return facts;
  }

  private static String mountsText(Hosts hosts) {
    var own = hosts.mounts().mounts();
    return own.isEmpty()
        ? "one, shared by all hosts"
        : own.size() + " for " + hosts.count() + " hosts";
  }

  private static Path made(Path out) throws EleyException {
    try {
      return Files.createDirectories(out).toAbsolutePath().normalize();
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot make the directory " + out, e);
    }
  }

  /** Runs that begin cold: with empty buffers, and without the kernel's pages where asked. */
  private final class ColdBench implements Series.Bench {
    private final SiteLaboratory laboratory;
    private final RunProtocol protocol;

    ColdBench(SiteLaboratory laboratory, RunProtocol protocol) {
      this.laboratory = laboratory;
      this.protocol = protocol;
    }

    @Override
    public RunObservation run(
        Workload workload, @Nullable Trial trial, Path kept, Series.Scope scope)
        throws EleyException {
      var job = site.witnesses().slurm() ? allocated(kept, scope.teardown()) : null;
      if (site.dropCaches()) {
        PageCache.OF_THE_SYSTEM.drop();
      }
      // What alone is, nobody reads beside.
      var shown = trial == null ? Trial.DIRECT : trial;
      laboratory.begin(new RunContext(shown, kept, new Traffic(), job, scope.loss()));
      return trial == null
          ? protocol.alone(workload, laboratory.phases(), kept, scope.teardown(), scope.viewer())
          : protocol.run(workload, trial.subject(), kept, scope.teardown(), scope.viewer());
    }

    private SlurmAllocation allocated(Path kept, Teardown teardown) throws EleyException {
      return SlurmAllocation.allocate(
          SlurmAllocation.Slurm.INSTALLED, kept.resolve("salloc.txt"), teardown, progress::note);
    }
  }
}
