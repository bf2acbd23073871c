package io.eley.workloads;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real Spark cluster on this machine: a master and workers as processes of their own, everything
 * on loopback. Workers get addresses of their own (127.0.0.2, 127.0.0.3 …), so Spark takes them for
 * different hosts, and all ports are free ones.
 *
 * <p>Its connections are authenticated with a random secret, which is in a file that only its owner
 * can read ({@code spark.conf}), never on a command line. Its web pages open to nobody without the
 * certificate beside that file ({@link WebCertificate}).
 *
 * <p>{@link #start} blocks until every worker has registered, and {@link #close} until every
 * process has ended, executors included. A JVM that exits without closing ends them too.
 */
public final class SparkCluster implements AutoCloseable {
  private static final String MASTER_HOST = "127.0.0.1";
  private static final Pattern MASTER_PORT =
      Pattern.compile("Successfully started service 'sparkMaster' on port (\\d+)");
  private static final Pattern REGISTERED =
      Pattern.compile("Successfully registered with master (\\S+)");
  private static final Duration POLL = Duration.ofMillis(100);

  private final SparkClusterOptions options;
  private final Map<String, String> conf = new TreeMap<>();
  private final Path confFile;

  /**
   * On a real site executors have hosts of their own. Here they share their cores with the nodes,
   * the coordinator and the HPC application, none of which would there ever wait for a task's
   * computing: so tasks yield to them (nice(1), POSIX).
   */
  private static final List<String> YIELDING = List.of("nice", "-n", "10");

  private final List<LoggedProcess> processes = new ArrayList<>();
  private final Thread exitHook = new Thread(this::endProcesses, "spark-cluster-exit");
  private final long deadlineNanos =
      System.nanoTime() + SparkClusterOptions.READY_DEADLINE.toNanos();
  private String master = "";

  private SparkCluster(SparkClusterOptions options) throws IOException {
    this.options = options;
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(options.directory(), ownerOnly);
    Files.createDirectories(localDirectory());
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    conf.put("spark.authenticate", "true");
    conf.put("spark.authenticate.secret", HexFormat.of().formatHex(secret));
    confFile = options.directory().resolve("spark.conf");
    var daemons = new TreeMap<>(conf);
    daemons.put("spark.master.rest.enabled", "false");
    daemons.putAll(
        WebCertificate.create(options.directory().resolve("web.p12").toAbsolutePath())
            .daemonConf());
    PropertiesFile.write(confFile, daemons);
  }

  /**
   * Starts master and workers and waits until they know each other: some seconds.
   *
   * @throws EleyException {@code UNAVAILABLE} with the last lines of the log of the process that
   *     did not come up
   */
  public static SparkCluster start(SparkClusterOptions options) throws EleyException {
    SparkCluster cluster;
    try {
      cluster = new SparkCluster(options);
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "cannot prepare " + options.directory() + ": " + e, e);
    }
    Runtime.getRuntime().addShutdownHook(cluster.exitHook);
    try {
      cluster.startProcesses();
      return cluster;
    } catch (EleyException e) {
      cluster.close();
      throw e;
    } catch (IOException e) {
      cluster.close();
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot start Spark: " + e.getMessage(), e);
    }
  }

  /** {@code spark://host:port}. */
  public String master() {
    return master;
  }

  public LinkedSparkHome home() {
    return options.home();
  }

  /** Tasks that run at once: the size of a wave. */
  public int slots() {
    return options.workers() * options.slots();
  }

  /**
   * The settings of an application on this cluster, its secret included: not to be printed. One
   * executor per worker; the first task waits until all executors are there, so that a map phase
   * does not begin on half a cluster.
   */
  Map<String, String> applicationConf() {
    var application = new HashMap<>(conf);
    application.put("spark.master", master);
    application.put("spark.submit.deployMode", "client");
    application.put("spark.driver.host", MASTER_HOST);
    application.put("spark.driver.bindAddress", MASTER_HOST);
    application.put("spark.executor.cores", Integer.toString(options.slots()));
    application.put("spark.executor.memory", options.executorMemory().toString());
    application.put(
        "spark.executor.extraJavaOptions", String.join(" ", options.home().executorOptions()));
    application.put("spark.cores.max", Integer.toString(slots()));
    application.put("spark.scheduler.minRegisteredResourcesRatio", "1.0");
    application.put("spark.ui.enabled", "false");
    return application;
  }

  /** Entered by a driver before it starts. */
  List<String> driverEntry() {
    return options.hosts().driver();
  }

  /** Directory for logs and private files. */
  Path directory() {
    return options.directory();
  }

  Path localDirectory() {
    Path local = options.localDirectory();
    return local == null ? options.directory().resolve("local") : local;
  }

  /** The cluster's own processes, the master first; executors are children of workers. */
  public List<ProcessHandle> processes() {
    return processes.stream().map(p -> p.process().toHandle()).toList();
  }

  /** Ends every process. May be repeated. */
  @Override
  public void close() {
    endProcesses();
    try {
      Runtime.getRuntime().removeShutdownHook(exitHook);
    } catch (IllegalStateException e) {
      // The JVM is exiting already, and the hook does the same once more.
    }
  }

  /** Workers first: they end their executors, and a worker without a master would only complain. */
  private synchronized void endProcesses() {
    for (int i = processes.size() - 1; i >= 0; i--) {
      processes.get(i).close();
    }
  }

  private void startProcesses() throws IOException {
    LoggedProcess first =
        launch(
            "master", MASTER_HOST, List.of(), "org.apache.spark.deploy.master.Master", List.of());
    master = "spark://" + MASTER_HOST + ":" + await(first, MASTER_PORT);
    var workers = new ArrayList<LoggedProcess>();
    for (int i = 0; i < options.workers(); i++) {
      workers.add(launchWorker("127.0.0." + (2 + i), options.hosts().worker(i)));
    }
    for (LoggedProcess worker : workers) {
      await(worker, REGISTERED);
    }
  }

  private LoggedProcess launchWorker(String host, List<String> entry) throws IOException {
    // The worker only keeps count of memory; twice the heap leaves room for one application more.
    var before = new ArrayList<>(YIELDING);
    before.addAll(entry);
    return launch(
        "worker-" + host,
        host,
        before,
        "org.apache.spark.deploy.worker.Worker",
        List.of(
            "--cores",
            Integer.toString(options.slots()),
            "--memory",
            2 * (options.executorMemory().bytes() >> 20) + "m",
            "--work-dir",
            options.directory().resolve("work-" + host).toString(),
            master));
  }

  private synchronized LoggedProcess launch(
      String name, String host, List<String> before, String mainClass, List<String> arguments)
      throws IOException {
    var command = new ArrayList<>(before);
    var words = new ArrayList<>(List.of("--properties-file", confFile.toString()));
    words.addAll(List.of("--host", host, "--port", "0", "--webui-port", "0"));
    words.addAll(arguments);
    command.addAll(options.home().java("512m", List.of()).run(mainClass, words));
    var environment = options.home().environment(host, localDirectory(), directory());
    var process =
        LoggedProcess.start(name, command, environment, options.directory().resolve(name + ".log"));
    processes.add(process);
    return process;
  }

  /** What a process says in its log, once it does. */
  private String await(LoggedProcess process, Pattern pattern) throws IOException {
    Matcher found = process.find(pattern);
    while (found == null) {
      for (var each : processes) {
        if (!each.alive()) {
          pause("it has ended", each);
        }
      }
      pause("it has not come up in time", process);
      found = process.find(pattern);
    }
    return found.group(1);
  }

  /** Pauses between two polls, or gives up. */
  private void pause(String why, LoggedProcess process) throws EleyException {
    boolean ended = !process.alive();
    if (ended || System.nanoTime() > deadlineNanos || Thread.currentThread().isInterrupted()) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE, "Spark did not start, " + why + ": " + process.lastWords());
    }
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL.toMillis()));
  }
}
