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
import io.eley.bb.server.node.NodeKeys;
import io.eley.coordinator.config.CoordinatorKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A coordinator and nodes as processes of this machine: started together, ended together. What they
 * need to find each other, and what it takes to end them, is in the deployment's directory; so
 * whoever has that can stop what another process has started.
 */
public final class LocalDeployment {
  static final String COORDINATOR = "coordinator";
  static final String NODE = "node";
  private static final int COORDINATOR_HEAP_MEBIBYTES = 256;
  private static final int NODE_HEAP_MEBIBYTES = 512;
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  private final DeploymentFiles files;
  private final DeploymentPlan plan;
  private final Program program;
  private final Supervision supervision;

  private LocalDeployment(
      DeploymentFiles files, DeploymentPlan plan, Program program, Supervision supervision) {
    this.files = files;
    this.plan = plan;
    this.program = program;
    this.supervision = supervision;
  }

  /**
   * Starts everything and waits until all nodes have registered. Blocks for up to two start
   * patiences.
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
    progress.accept("starting the coordinator and " + plan.nodes() + " nodes ...");
    try {
      new LocalDeployment(files, plan, program, supervision).launch();
    } catch (EleyException e) {
      stop(files, FAREWELL);
      throw e;
    }
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
          "no deployment runs in " + files.directory() + "; start one with `eley start`");
    }
    return CoordinatorClient.open(
        ClientOptions.from(
            Settings.of(
                Map.of(
                    ClientKeys.DEPLOYMENT.name(),
                    files.directory().toString(),
                    ClientKeys.REQUEST_DEADLINE.name(),
                    "10s"))));
  }

  /**
   * Ends the processes, nodes first: TERM, and KILL for what does not heed it. Then removes the
   * nodes' RAM-disk directories. May be repeated. Blocks for up to twice the patience.
   *
   * @return how many processes were ended
   * @throws EleyException {@code ACCESS_DENIED} when the directory is one that somebody else could
   *     have written into; nothing is ended or removed then
   */
  public static int stop(DeploymentFiles files, Duration patience) throws EleyException {
    if (!Files.exists(files.directory(), LinkOption.NOFOLLOW_LINKS)) {
      return 0;
    }
    StartChecks.requireTrusted(files.directory());
    int stopped = new ProcessList(files).end(patience);
    new RamDisks(files).remove();
    return stopped;
  }

  private void launch() throws EleyException {
    createDirectory();
    createSecret();
    long before = Readiness.addressWrittenAt(files);
    var processes = new ArrayList<ChildProcess>();
    processes.add(startCoordinator());
    // All at once: a node waits for its coordinator by itself.
    for (int i = 1; i <= plan.nodes(); i++) {
      processes.add(startNode(NODE + "-" + i));
    }
    var readiness = new Readiness(files, processes, supervision.startPatience());
    readiness.awaitCoordinator(before);
    readiness.awaitNodes(plan.nodes());
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

  private ChildProcess startCoordinator() throws EleyException {
    var settings = new LinkedHashMap<String, String>();
    settings.put(CoordinatorKeys.DIRECTORY.name(), files.directory().toString());
    settings.put(CoordinatorKeys.ORIGIN.name(), plan.origin());
    settings.put(CoordinatorKeys.MODE.name(), plan.mode().label());
    settings.put(CoordinatorKeys.BLOCK_SIZE.name(), Integer.toString(plan.geometry().blockSize()));
    settings.put(CoordinatorKeys.CHUNK_SIZE.name(), Integer.toString(plan.geometry().chunkSize()));
    settings.put(CoordinatorKeys.LISTEN_HOST.name(), plan.host());
    settings.put(CoordinatorKeys.PORT.name(), Integer.toString(plan.port()));
    return start(COORDINATOR, COORDINATOR, COORDINATOR_HEAP_MEBIBYTES, settings);
  }

  private ChildProcess startNode(String name) throws EleyException {
    Path blocks = new RamDisks(files).create(plan.ramDisk(), name);
    var settings = new LinkedHashMap<String, String>();
    settings.put(ClientKeys.DEPLOYMENT.name(), files.directory().toString());
    settings.put(NodeKeys.DIRECTORY.name(), blocks.toString());
    settings.put(NodeKeys.MEMORY.name(), plan.memory().toString());
    settings.put(NodeKeys.LISTEN_HOST.name(), plan.host());
    settings.put(NodeKeys.ADVERTISED_HOST.name(), plan.host());
    return start(name, NODE, NODE_HEAP_MEBIBYTES, settings);
  }

  /** What the user has set comes last, and so wins. */
  private ChildProcess start(String name, String verb, int heap, Map<String, String> settings)
      throws EleyException {
    var all = new LinkedHashMap<>(settings);
    all.putAll(plan.settings());
    var arguments = new ArrayList<String>();
    all.forEach((key, value) -> arguments.addAll(List.of("-D", key + "=" + value)));
    return ChildProcess.start(
        files, name, program.command(verb, heap, arguments), supervision.detached());
  }
}
