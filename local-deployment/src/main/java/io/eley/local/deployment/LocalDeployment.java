package io.eley.local.deployment;

import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A coordinator and nodes as processes of this machine: started together, ended together. What they
 * need to find each other, and what it takes to end them, is in the deployment's directory; so
 * whoever has that can stop what another process has started.
 */
public final class LocalDeployment {
  static final String COORDINATOR = "coordinator";
  static final String NODE = "node";
  static final String SUPERVISOR = "supervisor";
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  /** For a supervisor, which has others to say farewell to. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final DeploymentFiles files;
  private final Supervision supervision;

  LocalDeployment(DeploymentFiles files, Supervision supervision) {
    this.files = files;
    this.supervision = supervision;
  }

  /**
   * Starts everything and waits until all nodes serve; nobody starts again what ends later. Blocks
   * for up to two start patiences.
   *
   * @param program that has the verbs {@code coordinator} and {@code node}
   * @param progress gets a line at each step
   * @throws EleyException in one line; nothing is left running then
   */
  public static void start(
      DeploymentFiles files,
      DeploymentPlan plan,
      Program program,
      Supervision supervision,
      Consumer<String> progress)
      throws EleyException {
    StartChecks.require(files, plan);
    progress.accept(starting(plan.nodes()));
    var deployment = new LocalDeployment(files, supervision);
    try (var turn = deployment.turn()) {
      deployment.start(plan, program, turn);
    }
  }

  private void start(DeploymentPlan plan, Program program, StartTurn turn) throws EleyException {
    try {
      List<Part> parts = prepare(plan, program);
      long before = Readiness.addressWrittenAt(files);
      List<ChildProcess> processes = spawn(parts);
      turn.end();
      awaitReady(processes, before, plan.nodes());
    } catch (EleyException e) {
      try {
        stop(files, FAREWELL);
      } catch (EleyException another) {
        e.addSuppressed(another);
      }
      throw e;
    }
  }

  /** The turn to start processes here; makes the directory. Blocks while somebody else has it. */
  StartTurn turn() throws EleyException {
    createDirectory();
    return StartTurn.take(files, StartTurn.PATIENCE);
  }

  /**
   * Starts a {@link Supervisor} as a process that outlives this one and its terminal session, and
   * waits until all nodes serve. Blocks for up to two start patiences.
   *
   * @param supervisor runs {@link Supervisor#start} for this plan
   * @param progress gets a line at each step
   * @param end ends the deployment, also one that is only being started; never one that was there
   *     before, for which this fails
   * @throws EleyException in one line; nothing is left running then
   */
  public static void startSupervised(
      DeploymentFiles files,
      DeploymentPlan plan,
      List<String> supervisor,
      Consumer<String> progress,
      Teardown end)
      throws EleyException {
    StartChecks.require(files, plan);
    progress.accept(starting(plan.nodes()));
    var deployment = new LocalDeployment(files, Supervision.outlivingUs());
    try (var turn = deployment.turn()) {
      // Who is refused a turn has nothing to end.
      deployment.startSupervised(plan, new Part(SUPERVISOR, supervisor), turn, end.nested());
    }
  }

  private void startSupervised(DeploymentPlan plan, Part supervisor, StartTurn turn, Teardown own)
      throws EleyException {
    own.add(new Begun(files));
    try {
      long before = Readiness.addressWrittenAt(files);
      // An end waits for this, so that the process is noted where it is looked for.
      List<ChildProcess> process = own.make(() -> spawn(List.of(supervisor)));
      turn.end();
      awaitReady(process, before, plan.nodes());
    } catch (EleyException e) {
      own.close();
      throw e;
    } catch (IOException e) {
      own.close();
      throw new EleyException(ErrorCode.UNAVAILABLE, "cannot start " + SUPERVISOR + ": " + e, e);
    }
  }

  /** A deployment that we have begun to start. */
  private record Begun(DeploymentFiles files) implements AutoCloseable {
    @Override
    public void close() throws EleyException {
      stop(files, PATIENCE);
    }

    @Override
    public String toString() {
      return "the deployment in " + files.directory();
    }
  }

  private static String starting(int nodes) {
    return "starting the coordinator and " + nodes + (nodes == 1 ? " node ..." : " nodes ...");
  }

  /**
   * A client of a deployment's coordinator.
   *
   * @throws EleyException {@code UNAVAILABLE} when none runs there
   */
  public static CoordinatorClient connect(DeploymentFiles files) throws EleyException {
    if (Files.isDirectory(files.directory())) {
      StartChecks.requireTrusted(files.directory());
    }
    if (!Files.exists(files.coordinatorAddress())) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "no deployment runs in "
              + files.directory()
              + (Files.exists(files.secret())
                  ? " now: it has not begun yet, or has ended (its logs are there)"
                  : "; start one with `eley start`"));
    }
    return CoordinatorClient.open(
        ClientOptions.from(
            Settings.of(
                Map.of(
                    ClientKeys.DEPLOYMENT.name(),
                    files.directory().toString(),
                    // A person waits rather than goes on without an answer.
                    ClientKeys.CONNECT_TIMEOUT.name(),
                    "3s",
                    ClientKeys.SILENCE.name(),
                    "3s",
                    ClientKeys.REQUEST_DEADLINE.name(),
                    "10s"))));
  }

  /**
   * A process of a deployment, while it runs.
   *
   * @param name {@code coordinator}, {@code node-1} …
   * @throws EleyException {@code ACCESS_DENIED} when somebody else could have written its pid file
   */
  public static Optional<ProcessHandle> running(DeploymentFiles files, String name)
      throws EleyException {
    return new PidFile(files.pidFile(name)).running();
  }

  /**
   * Ends the processes, the supervisor first, then the nodes: TERM, and KILL for what does not heed
   * it. Then removes the nodes' RAM-disk directories, and the address of a coordinator that was
   * killed. May be repeated. Blocks for up to twice the patience.
   *
   * @return how many processes were ended
   * @throws EleyException {@code ACCESS_DENIED} when the directory is one that somebody else could
   *     have written into; nothing is ended or removed then. {@code UNAVAILABLE} when the
   *     deployment was started on another host: what it needs to be stopped there stays
   */
  public static int stop(DeploymentFiles files, Duration patience) throws EleyException {
    if (!Files.exists(files.directory(), LinkOption.NOFOLLOW_LINKS)) {
      return 0;
    }
    StartChecks.requireTrusted(files.directory());
    var processes = new ProcessList(files);
    boolean coordinator = Files.exists(files.pidFile(COORDINATOR));
    int stopped = processes.end(patience);
    Optional<String> elsewhere = processes.elsewhere();
    if (elsewhere.isPresent()) {
      throw new EleyException(ErrorCode.UNAVAILABLE, elsewhere.get());
    }
    new RamDisks(files).remove();
    new GivenSettings(files).remove();
    new LeftAddress(files).remove(coordinator);
    return stopped;
  }

  /** Makes what processes need before they are started, and says how to start them. */
  List<Part> prepare(DeploymentPlan plan, Program program) throws EleyException {
    createDirectory();
    createSecret();
    new GivenSettings(files).note(plan.settings());
    return new Parts(files, plan, program).make();
  }

  /** Starts processes, all at once: a node waits for its coordinator by itself. */
  List<ChildProcess> spawn(List<Part> parts) throws EleyException {
    var processes = new ArrayList<ChildProcess>();
    for (Part part : parts) {
      processes.add(ChildProcess.start(files, part, supervision.detached()));
    }
    return processes;
  }

  /**
   * Waits until the coordinator is there and so many nodes serve. Blocks.
   *
   * @param before see {@link Readiness#awaitCoordinator}
   */
  void awaitReady(List<ChildProcess> processes, long before, int nodes) throws EleyException {
    var readiness = new Readiness(files, processes, supervision.startPatience());
    readiness.awaitCoordinator(before);
    readiness.awaitNodes(nodes);
  }

  private void createDirectory() throws EleyException {
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    try {
      OwnPaths.requireDirectoryOrPlace(files.directory());
      Files.createDirectories(files.directory(), mode);
      OwnPaths.requireDirectory(files.directory());
      Files.createDirectories(files.logs(), mode);
      OwnPaths.requireDirectory(files.logs());
    } catch (EleyException e) {
      throw e;
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED,
          "cannot make the deployment directory " + files.directory() + ": " + e.getMessage(),
          e);
    }
  }

  /** If there is none: nodes need it, and are started before the coordinator could make it. */
  private void createSecret() throws EleyException {
    Path file = files.secret();
    try {
      if (!Files.exists(file)) {
        Secret.create(file);
      }
    } catch (IOException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot make the secret file " + file, e);
    }
  }
}
