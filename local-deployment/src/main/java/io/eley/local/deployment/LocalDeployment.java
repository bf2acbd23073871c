package io.eley.local.deployment;

import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.CoordinatorClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origins;
import io.eley.bb.server.node.NodeKeys;
import io.eley.coordinator.config.CoordinatorKeys;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A coordinator and nodes as processes of this machine: started together, ended together. */
public final class LocalDeployment {
  /**
   * Environment variable of a process that must not outlive its parent: the number of the parent's
   * process. Killing the parent leaves nothing behind, not even what it was just about to start.
   */
  public static final String PARENT = "ELEY_PARENT";

  static final String COORDINATOR = "coordinator";
  private static final Duration START_PATIENCE = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(50);

  /**
   * Where the nodes' RAM-disk directories are noted, one a line, so that stopping can remove them.
   */
  private static final String RAM_DISKS = "ram-disks";

  private final DeploymentDirectory directory;
  private final DeploymentPlan plan;
  private final Consumer<String> progress;
  private final boolean detached;

  private LocalDeployment(
      DeploymentDirectory directory,
      DeploymentPlan plan,
      Consumer<String> progress,
      boolean detached) {
    this.directory = directory;
    this.plan = plan;
    this.progress = progress;
    this.detached = detached;
  }

  public DeploymentDirectory directory() {
    return directory;
  }

  /**
   * Starts everything and waits until all nodes are registered. The processes go on when this one
   * ends.
   *
   * @param progress gets a line at each step
   * @throws EleyException in one line; nothing is left running then
   */
  public static LocalDeployment start(
      DeploymentDirectory directory, DeploymentPlan plan, Consumer<String> progress)
      throws EleyException {
    return start(directory, plan, progress, true);
  }

  /** The same, with processes that belong to this one's session when {@code detached} is false. */
  public static LocalDeployment start(
      DeploymentDirectory directory,
      DeploymentPlan plan,
      Consumer<String> progress,
      boolean detached)
      throws EleyException {
    var deployment = new LocalDeployment(directory, plan, progress, detached);
    deployment.check();
    try {
      deployment.launch();
      return deployment;
    } catch (EleyException e) {
      stop(directory, Duration.ofSeconds(5));
      throw e;
    }
  }

  /** A client of the deployment's coordinator. */
  public static CoordinatorClient connect(DeploymentDirectory directory) throws EleyException {
    if (!Files.exists(directory.coordinatorAddress())) {
      throw new EleyException(
          ErrorCode.UNAVAILABLE,
          "no deployment runs in " + directory.path() + "; start one with `eley start`");
    }
    return CoordinatorClient.open(
        ClientOptions.from(
            Settings.of(
                Map.of(
                    ClientKeys.DEPLOYMENT.name(),
                    directory.path().toString(),
                    ClientKeys.REQUEST_DEADLINE.name(),
                    "10s"))));
  }

  /**
   * Ends the processes, nodes first: TERM, and KILL for what does not heed it. Then removes the
   * nodes' RAM-disk directories. May be repeated.
   *
   * @return how many processes were ended
   */
  public static int stop(DeploymentDirectory directory, Duration patience) throws EleyException {
    var files = directory.pidFiles();
    int stopped =
        end(files.stream().filter(f -> !f.isCoordinators()).toList(), patience)
            + end(files.stream().filter(PidFile::isCoordinators).toList(), patience);
    removeRamDisks(directory);
    return stopped;
  }

  private void check() throws EleyException {
    Origins.open(plan.origin(), "start").close();
    for (PidFile file : directory.pidFiles()) {
      if (file.running().isPresent()) {
        throw new EleyException(
            ErrorCode.UNAVAILABLE,
            "a deployment runs in "
                + directory.path()
                + " already; `eley stop` it, or name another --deployment");
      }
    }
    Path ramDisk = plan.ramDisk();
    if (!Files.isDirectory(ramDisk) || !Files.isWritable(ramDisk)) {
      throw new EleyException(
          ErrorCode.NOT_FOUND,
          "--ram-disk " + ramDisk + " is not a directory that this user can write to");
    }
    requireRoom(ramDisk);
  }

  private void requireRoom(Path ramDisk) throws EleyException {
    long needed = Math.multiplyExact(plan.memory().bytes(), plan.nodes());
    long free;
    try {
      free = Files.getFileStore(ramDisk).getUsableSpace();
    } catch (IOException e) {
      throw new EleyException(ErrorCode.NOT_FOUND, "cannot look at --ram-disk " + ramDisk, e);
    }
    if (needed > free) {
      throw new EleyException(
          ErrorCode.NO_SPACE,
          plan.nodes()
              + " nodes of "
              + plan.memory()
              + " do not fit on "
              + ramDisk
              + ", which has "
              + (free >> 20)
              + "m free; lower --memory or --nodes");
    }
  }

  private void launch() throws EleyException {
    directory.create();
    directory.createSecret();
    progress.accept("starting the coordinator and " + plan.nodes() + " nodes ...");
    // A coordinator that was killed has left its address behind: it is not the one that we wait
    // for.
    long before = toldAt();
    var processes = new ArrayList<Process>();
    processes.add(startCoordinator());
    // All at once: a node waits for its coordinator by itself.
    for (int i = 1; i <= plan.nodes(); i++) {
      processes.add(startNode("node-" + i));
    }
    awaitFile(processes, before);
    awaitNodes(processes);
  }

  private Process startCoordinator() throws EleyException {
    var arguments = new ArrayList<>(List.of(COORDINATOR));
    set(arguments, CoordinatorKeys.DIRECTORY.name(), directory.path().toString());
    set(arguments, CoordinatorKeys.ORIGIN.name(), plan.origin());
    set(arguments, CoordinatorKeys.MODE.name(), plan.mode().label());
    set(
        arguments,
        CoordinatorKeys.BLOCK_SIZE.name(),
        Integer.toString(plan.geometry().blockSize()));
    set(
        arguments,
        CoordinatorKeys.CHUNK_SIZE.name(),
        Integer.toString(plan.geometry().chunkSize()));
    set(arguments, CoordinatorKeys.LISTEN_HOST.name(), plan.host());
    set(arguments, CoordinatorKeys.PORT.name(), Integer.toString(plan.port()));
    plan.settings().forEach((key, value) -> set(arguments, key, value));
    return new JavaProcess(COORDINATOR, JavaProcess.smallHeap(256), arguments, detached)
        .start(directory);
  }

  private Process startNode(String name) throws EleyException {
    Path blocks = privateDirectory(name);
    var arguments = new ArrayList<>(List.of("node"));
    set(arguments, ClientKeys.DEPLOYMENT.name(), directory.path().toString());
    set(arguments, NodeKeys.DIRECTORY.name(), blocks.toString());
    set(arguments, NodeKeys.MEMORY.name(), plan.memory().toString());
    set(arguments, NodeKeys.LISTEN_HOST.name(), plan.host());
    set(arguments, NodeKeys.ADVERTISED_HOST.name(), plan.host());
    plan.settings().forEach((key, value) -> set(arguments, key, value));
    return new JavaProcess(name, JavaProcess.smallHeap(512), arguments, detached).start(directory);
  }

  private Path privateDirectory(String name) throws EleyException {
    try {
      Path made =
          Files.createTempDirectory(
              plan.ramDisk(),
              "eley-" + name + "-",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Files.writeString(
          directory.path().resolve(RAM_DISKS),
          made + "\n",
          java.nio.file.StandardOpenOption.CREATE,
          java.nio.file.StandardOpenOption.APPEND);
      return made;
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED,
          "cannot make a directory on " + plan.ramDisk() + ": " + e.getMessage(),
          e);
    }
  }

  /** When the coordinator's address was written, milliseconds since the epoch; 0 without one. */
  private long toldAt() {
    return directory.coordinatorAddress().toFile().lastModified();
  }

  private void awaitFile(List<Process> processes, long before) throws EleyException {
    long end = System.nanoTime() + START_PATIENCE.toNanos();
    for (long told = toldAt(); told == 0 || told == before; told = toldAt()) {
      pause(end, processes, "the coordinator");
    }
  }

  private void awaitNodes(List<Process> processes) throws EleyException {
    long end = System.nanoTime() + START_PATIENCE.toNanos();
    try (var coordinator = connect(directory)) {
      while (coordinator.report().nodes().size() < plan.nodes()) {
        pause(end, processes, "a node");
      }
    }
  }

  /** Waits a little; an ended process or a passed deadline is an error with the end of a log. */
  private void pause(long end, List<Process> processes, String what) throws EleyException {
    for (int i = 0; i < processes.size(); i++) {
      if (!processes.get(i).isAlive()) {
        String name = i == 0 ? COORDINATOR : "node-" + i;
        throw new EleyException(ErrorCode.UNAVAILABLE, lastWords(name, "ended"));
      }
    }
    if (System.nanoTime() - end > 0) {
      throw new EleyException(
          ErrorCode.DEADLINE,
          what
              + " was not ready within "
              + START_PATIENCE.toSeconds()
              + " s; see "
              + directory.logs());
    }
    try {
      boolean unused = processes.get(0).waitFor(LOOK.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted while starting", e);
    }
  }

  private String lastWords(String process, String what) {
    Path log = directory.log(process);
    try {
      List<String> lines = Files.readAllLines(log);
      String last = lines.isEmpty() ? "it said nothing" : lines.get(lines.size() - 1);
      return last.startsWith("eley: ")
          ? process + ": " + last.substring(6)
          : process + " " + what + ": " + last;
    } catch (IOException e) {
      return process + " " + what + "; see " + log;
    }
  }

  private static void set(List<String> arguments, String key, String value) {
    arguments.add("-D");
    arguments.add(key + "=" + value);
  }

  /** Ends them all at the same time; says how many there were. */
  private static int end(List<PidFile> files, Duration patience) throws EleyException {
    var running = files.stream().flatMap(file -> file.running().stream()).toList();
    running.forEach(ProcessHandle::destroy);
    long deadline = System.nanoTime() + patience.toNanos();
    for (ProcessHandle process : running) {
      awaitEnd(process, deadline);
    }
    for (PidFile file : files) {
      try {
        file.delete();
      } catch (IOException e) {
        throw new EleyException(ErrorCode.ACCESS_DENIED, "cannot remove " + file.file(), e);
      }
    }
    return running.size();
  }

  /** Looks again and again: the JVM tells of a foreign process's end only when it was reaped. */
  private static void awaitEnd(ProcessHandle process, long deadline) {
    try {
      while (PidFile.alive(process)) {
        if (System.nanoTime() - deadline > 0) {
          process.destroyForcibly();
          return;
        }
        TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }

  /** Only directories that we noted when we made them, and that still look like ours. */
  private static void removeRamDisks(DeploymentDirectory directory) throws EleyException {
    Path list = directory.path().resolve(RAM_DISKS);
    if (!Files.exists(list)) {
      return;
    }
    try {
      for (String line : Files.readAllLines(list)) {
        Path blocks = Path.of(line);
        if (blocks.getFileName().toString().startsWith("eley-node-") && Files.isDirectory(blocks)) {
          Files.walkFileTree(blocks, new Remover());
        }
      }
      Files.delete(list);
    } catch (IOException e) {
      throw new EleyException(
          ErrorCode.ACCESS_DENIED, "cannot remove the blocks of a node: " + e.getMessage(), e);
    }
  }

  private static final class Remover extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e)
        throws IOException {
      Files.deleteIfExists(visited);
      return FileVisitResult.CONTINUE;
    }
  }
}
