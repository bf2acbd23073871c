package io.eley.system.slurm;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Assumptions;

/**
 * A real Slurm with several nodes on this machine: daemons of the installed packages as children of
 * the test, their files in a directory of their own, their ports free ones. Set up {@link #ofSite
 * as sites do}, or quicker: all as root and without munge; {@code auth/none} trusts everybody,
 * which is for tests alone.
 */
public final class SlurmCluster implements AutoCloseable {
  private static final Random RANDOM = new Random();

  /** Below those that the kernel gives to connections; each of two forks has half of them. */
  private static final int FIRST_PORT = 10_000;

  private static final int PORTS_OF_A_FORK = 11_000;

  /** Of all clusters of this JVM: a port stays free until a daemon takes it, seconds later. */
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  /** Slurm's own default. */
  private static final Duration CREDENTIALS = Duration.ofMinutes(2);

  /**
   * That something comes at all: two jobs of Spark beside each other have some twenty JVMs on what
   * may be two cores. Less than the classes' time-outs, so that the awaited state is named.
   */
  static final Duration PATIENCE = Duration.ofSeconds(250);

  private final Path directory;
  private final long firstJob = RANDOM.nextInt(1_000, 60_000_000);
  private final List<Process> daemons = new ArrayList<>();
  private final StepProcesses steps;
  private final int nodes;
  private final Optional<Munge> munge;
  private final Duration credentials;

  /** Why there can be no Slurm here, or empty when there can. */
  public static Optional<String> missing() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return Optional.of("Slurm's daemons need root");
    }
    for (String daemon : List.of("slurmctld", "slurmd", "sbatch", "sstat", "squeue", "munged")) {
      if (program(daemon).isEmpty()) {
        return Optional.of("Slurm is not installed: there is no " + daemon);
      }
    }
    return Optional.empty();
  }

  /** That of a name which is first on the path. */
  static Optional<Path> program(String name) {
    return Arrays.stream(System.getenv("PATH").split(":", -1))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Skips the test that asks, with the reason, where there can be no Slurm. */
  static void assumeThere() {
    missing().ifPresent(SlurmCluster::skip);
  }

  static void skip(String why) {
    System.out.println("skipped: " + why);
    Assumptions.assumeTrue(false, why);
  }

  /**
   * Starts a cluster that is root's and waits until all nodes are idle.
   *
   * @param directory of its own, short: sockets are made in it
   * @param more lines of slurm.conf
   */
  public SlurmCluster(Path directory, int nodes, String... more) throws Exception {
    this(directory, nodes, Optional.empty(), CREDENTIALS, more);
  }

  /** The same as sites set it up: slurmctld runs as slurm, and munge says who somebody is. */
  static SlurmCluster ofSite(Path directory, int nodes, String... more) throws Exception {
    return ofSite(directory, nodes, CREDENTIALS, more);
  }

  /**
   * The same where a job's credentials are good for another time than Slurm's default.
   *
   * @param credentials longer than any step of a busy machine takes to begin
   */
  static SlurmCluster ofSite(Path directory, int nodes, Duration credentials, String... more)
      throws Exception {
    Files.createDirectories(directory);
    var munge = new Munge(directory.resolve("munge"));
    return new SlurmCluster(directory, nodes, Optional.of(munge), credentials, more);
  }

  private SlurmCluster(
      Path directory, int nodes, Optional<Munge> munge, Duration credentials, String... more)
      throws Exception {
    this.credentials = credentials;
    this.directory = Files.createDirectories(directory);
    this.steps = new StepProcesses(Files.createDirectories(workingDirectory()), daemons);
    this.nodes = nodes;
    this.munge = munge;
    try {
      configure(more);
      daemon("slurmctld", "-D", "-f", conf().toString());
      for (int i = 1; i <= nodes; i++) {
        daemon("slurmd", "-D", "-N", "n" + i, "-f", conf().toString());
      }
      await(
          () -> run("sinfo", "-h", "-t", "idle", "-o", "%D").strip().equals("" + nodes),
          "nodes are not idle");
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  private void configure(String... more) throws Exception {
    var text = new StringBuilder();
    Path state = Files.createDirectories(directory.resolve("state"));
    text.append(
        """
        ClusterName=eleytest
        SlurmctldHost=localhost(127.0.0.1)
        SlurmctldPort=%d
        FirstJobId=%d
        SlurmdUser=root
        StateSaveLocation=%s
        SlurmdSpoolDir=%s/spool-%%n
        SlurmctldPidFile=%s/slurmctld.pid
        SlurmdPidFile=%s/slurmd-%%n.pid
        ProctrackType=proctrack/linuxproc
        JobAcctGatherType=jobacct_gather/linux
        SelectType=select/cons_tres
        SelectTypeParameters=CR_CPU_Memory
        SlurmdParameters=config_overrides
        SchedulerParameters=sched_interval=1,bf_interval=1
        MessageTimeout=60
        BatchStartTimeout=60
        MpiDefault=none
        ReturnToService=2
        """
            .formatted(freePort(), firstJob, state, directory, directory, directory));
    text.append(
        munge
            .map(m -> "SlurmUser=slurm\n" + m.lines(credentials))
            .orElse("SlurmUser=root\nAuthType=auth/none\nCredType=cred/none\n"));
    if (munge.isPresent()) {
      SlurmSite.run("chown", "slurm", state.toString());
    }
    for (String line : more) {
      text.append(line).append('\n');
    }
    for (int i = 1; i <= nodes; i++) {
      Files.createDirectories(directory.resolve("spool-n" + i));
      text.append(
          "NodeName=n%d NodeHostname=localhost NodeAddr=127.0.0.1 Port=%d CPUs=4 RealMemory=4000%n"
              .formatted(i, freePort()));
    }
    text.append("PartitionName=all Nodes=n[1-%d] Default=YES State=UP%n".formatted(nodes));
    Files.writeString(conf(), text);
    if (version().compareTo("24.05") >= 0) {
      // It would make groups of the machine's. Older ones cannot be told, and do so when a plugin
      // asks.
      Files.writeString(directory.resolve("cgroup.conf"), "CgroupPlugin=disabled\n");
    }
  }

  /** {@code 22.05.8}: of the Slurm that is first on the path. */
  static String version() throws IOException, InterruptedException {
    Process asked = new ProcessBuilder("slurmctld", "-V").redirectErrorStream(true).start();
    String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    asked.waitFor();
    return said.strip().replaceAll("(?s).*\\s", "");
  }

  /**
   * Id of its first job. Directories on the RAM-disk carry job ids: clusters beside each other must
   * not share them.
   */
  long firstJob() {
    return firstJob;
  }

  /** One that nobody has, and that none was given before. */
  private static int freePort() throws IOException {
    int first = FIRST_PORT + (Integer.getInteger("eley.test.fork", 1) - 1) % 2 * PORTS_OF_A_FORK;
    while (true) {
      int port = RANDOM.nextInt(first, first + PORTS_OF_A_FORK);
      if (!GIVEN.add(port)) {
        continue;
      }
      try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // Somebody's; another will do.
      }
    }
  }

  private void daemon(String... command) throws IOException {
    daemons.add(
        new ProcessBuilder(command)
            .directory(workingDirectory().toFile())
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(
                    directory.resolve(command[0] + "-" + daemons.size() + ".log").toFile()))
            .start());
  }

  /** Of the daemons and of the processes of steps; of nothing else. */
  private Path workingDirectory() {
    return directory.resolve("daemons");
  }

  /** Processes of jobs' steps. */
  StepProcesses steps() {
    return steps;
  }

  /** The daemons: the controller first, then one for each node. */
  List<Process> daemons() {
    return List.copyOf(daemons);
  }

  /** Its slurm.conf, for {@code SLURM_CONF}. */
  public Path conf() {
    return directory.resolve("slurm.conf");
  }

  /** What commands need in their environment. */
  public Map<String, String> environment() {
    return Map.of("SLURM_CONF", conf().toString());
  }

  /** Runs a client command to its end; its output, whatever its status. */
  public String run(String... command) throws Exception {
    return run(Map.of(), command);
  }

  /** The same with more in the environment. */
  public String run(Map<String, String> more, String... command) throws Exception {
    Path output = Files.createTempFile(directory, "out", ".txt");
    try {
      var builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectOutput(output.toFile());
      var environment = new HashMap<>(environment());
      environment.putAll(more);
      builder.environment().putAll(environment);
      // The build's, which users of a site have not.
      builder.environment().remove("TMPDIR");
      Process process = builder.start();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(String.join(" ", command) + " hangs");
      }
      return Files.readString(output, StandardCharsets.UTF_8);
    } finally {
      Files.delete(output);
    }
  }

  /** Submits a batch script as whoever runs the test; the job's number. */
  public long submit(String script, String... options) throws Exception {
    Path file = Files.createTempFile(directory, "job", ".sh");
    Files.writeString(file, script);
    var command = new ArrayList<>(List.of("sbatch", "--parsable", "-o", directory + "/job-%j.out"));
    command.addAll(List.of(options));
    command.add(file.toString());
    String answer = run(command.toArray(String[]::new)).strip();
    if (!answer.matches("\\d+")) {
      throw new IllegalStateException("sbatch: " + answer);
    }
    return Long.parseLong(answer);
  }

  /** Whether a job is in the queue no more; a Slurm that does not answer says neither. */
  public boolean isOver(long job) throws Exception {
    String queue = run("squeue", "-h", "-o", "%A %i");
    return !queue.contains("error:") && queue.lines().noneMatch(l -> l.startsWith(job + " "));
  }

  /** What a condition asks. */
  public interface Condition {
    boolean holds() throws Exception;
  }

  /** What there is to say at a moment. */
  interface Report {
    String text() throws Exception;
  }

  /** Waits for a condition, some minutes at most. */
  public void await(Condition condition, String otherwise) {
    awaitOr(condition, () -> otherwise);
  }

  /**
   * The same where what is said of a condition that has not come is what holds then, such as a
   * job's output, and not what held before the wait.
   */
  void awaitOr(Condition condition, Report otherwise) {
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(50))
          .until(condition::holds);
    } catch (ConditionTimeoutException e) {
      throw new IllegalStateException(text(otherwise) + "\n" + state(), e);
    }
  }

  private static String text(Report report) {
    try {
      return report.text();
    } catch (Exception e) {
      return "nothing can be said: " + e;
    }
  }

  /** What a person would look at first. */
  private String state() {
    try {
      return run("squeue", "-o", "%i %j %T %r") + run("sinfo");
    } catch (Exception e) {
      return "squeue: " + e.getMessage();
    }
  }

  /**
   * Cancels what runs, waits for an empty queue, and ends the daemons. No process of a step
   * outlives this: one that has nobody to report to any more would go on trying for minutes.
   */
  @Override
  public void close() {
    try {
      if (daemons.stream().allMatch(Process::isAlive) && !daemons.isEmpty()) {
        for (String job : run("squeue", "-h", "-o", "%A").strip().split("\\s+", -1)) {
          if (!job.isBlank()) {
            run("scancel", job);
          }
        }
        await(() -> run("squeue", "-h", "-o", "%A").isBlank(), "the queue does not become empty");
        boolean unused = steps.haveEnded();
      }
    } catch (Exception e) {
      throw new IllegalStateException("the cluster does not come to rest", e);
    } finally {
      daemons.forEach(Process::destroy);
      daemons.forEach(SlurmCluster::reap);
      munge.ifPresent(Munge::close);
      steps.end();
    }
  }

  private static void reap(Process daemon) {
    try {
      if (!daemon.waitFor(20, TimeUnit.SECONDS)) {
        daemon.destroyForcibly();
      }
    } catch (InterruptedException e) {
      daemon.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
