package io.eley.chaos;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.local.deployment.DeploymentPlan;
import io.eley.local.deployment.LocalDeployment;
import io.eley.local.deployment.Program;
import io.eley.local.deployment.Supervisor;
import io.eley.local.deployment.Teardown;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The deployment that is treated badly: real processes on loopback, supervised, over a directory as
 * origin. One thread waits for its health, any thread may ask for its processes.
 */
final class Patient {
  static final int NODES = 3;
  static final String MAIN = "io.eley.cli.Main";
  static final String COORDINATOR = "coordinator";
  static final String NODE = "node-";
  private static final DataSize MEMORY = DataSize.ofMebibytes(8);
  private static final BlockGeometry GEOMETRY = new BlockGeometry(1 << 20, 1 << 18);

  private static final Duration POLL = Duration.ofMillis(20);

  private final DeploymentFiles files;
  private final Path origin;
  private final Path ramDisk;
  private final Optional<Clocks> clocks;
  private volatile List<NodeAddress> nodes = List.of();

  private Patient(DeploymentFiles files, Path origin, Path ramDisk, Optional<Clocks> clocks) {
    this.clocks = clocks;
    this.files = files;
    this.origin = origin;
    this.ramDisk = ramDisk;
  }

  /**
   * Starts it and waits until its nodes are there.
   *
   * @param work a private directory for everything but the blocks
   * @param ramDisk where blocks go
   * @param teardown ends it, also while it is being started
   */
  static Patient start(Path work, Path ramDisk, Teardown teardown) throws IOException {
    // Behind an end they would be made in a directory that is being deleted.
    Path origin = teardown.make(() -> Files.createDirectory(work.resolve("origin")));
    Optional<Clocks> clocks = teardown.make(() -> Clocks.in(work.resolve("clocks")));
    var files = new DeploymentFiles(work.resolve("deployment"));
    var plan =
        new DeploymentPlan(
            origin.toString(),
            NODES,
            MEMORY,
            BufferMode.FULL_DELAY,
            GEOMETRY,
            ramDisk,
            "127.0.0.1",
            0,
            Map.of());
    if (clocks.isPresent()) {
      teardown.add(clocks.get());
    }
    Program program = program();
    Supervisor.start(files, plan, clocks.map(c -> c.around(program)).orElse(program), teardown);
    return new Patient(files, origin, ramDisk, clocks);
  }

  /** Nobody waits for the second compiler of a process that is killed within seconds. */
  private static Program program() {
    Program usual = Program.ofThisJvm(MAIN);
    return (verb, heap, arguments) -> {
      var words = new ArrayList<>(usual.command(verb, heap, arguments));
      words.add(1, "-XX:TieredStopAtLevel=1");
      return words;
    };
  }

  Path origin() {
    return origin;
  }

  /**
   * A client as an executor opens it.
   *
   * @param verify whether it checks what nodes send; one that does not may read a node's files
   */
  EleyClient client(boolean verify) throws EleyException {
    var settings =
        Map.of(
            ClientKeys.DEPLOYMENT.name(), files.directory().toString(),
            ClientKeys.VERIFY.name(), Boolean.toString(verify));
    return EleyClient.open(ClientOptions.from(Settings.of(settings)));
  }

  /** The coordinator's process, while it runs. */
  Optional<ProcessHandle> coordinator() throws EleyException {
    return LocalDeployment.running(files, COORDINATOR);
  }

  static String nodeName(int which) {
    return NODE + (1 + which % NODES);
  }

  /** Whether processes have clocks that can be set. */
  boolean hasClocks() {
    return clocks.isPresent();
  }

  /** Sets a process's clock this much ahead of the right time. */
  void setClock(String process, long seconds) throws IOException {
    clocks.orElseThrow().set(process, seconds);
  }

  /** A node's process, while it runs. */
  Optional<ProcessHandle> node(int which) throws EleyException {
    return LocalDeployment.running(files, nodeName(which));
  }

  /** The port on which a node listened when all were well. */
  OptionalInt nodePort(int which) {
    List<NodeAddress> known = nodes;
    return known.isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of(known.get(which % known.size()).port());
  }

  /** The port on which the coordinator listens, while it does. */
  OptionalInt coordinatorPort() {
    try {
      String address = Files.readString(files.coordinatorAddress()).strip();
      return OptionalInt.of(Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)));
    } catch (IOException | NumberFormatException e) {
      return OptionalInt.empty(); // between two coordinators
    }
  }

  /** The files of all blocks in RAM. */
  List<Path> blocks() throws IOException {
    try (Stream<Path> all = Files.walk(ramDisk)) {
      return all.filter(f -> f.toString().contains("/blocks/"))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      return List.of(); // a file went while it was looked at
    }
  }

  Path ramDisk() {
    return ramDisk;
  }

  /**
   * Waits until every process runs and every node has reported just now. Blocks.
   *
   * @return how long that took
   * @throws EleyException {@code DEADLINE} when it takes longer than the patience
   */
  Duration awaitHealth(Duration patience) throws EleyException {
    long began = System.nanoTime();
    while (!healthy()) {
      if (System.nanoTime() - began > patience.toNanos()) {
        throw new EleyException(
            ErrorCode.DEADLINE,
            "not all nodes are back after " + patience.toSeconds() + " s; see " + files.logs());
      }
      pause();
    }
    return Duration.ofNanos(System.nanoTime() - began);
  }

  private boolean healthy() {
    try (var connection = LocalDeployment.connect(files)) {
      var reports = connection.report().nodes();
      if (reports.size() != NODES || reports.stream().anyMatch(n -> n.heardMillisAgo() >= 1_000)) {
        return false;
      }
      nodes = connection.view().view().nodes();
      return true;
    } catch (EleyException e) {
      return false; // between two coordinators
    }
  }

  private static void pause() throws EleyException {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.UNAVAILABLE, "interrupted", e);
    }
  }
}
