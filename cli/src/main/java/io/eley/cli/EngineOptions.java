package io.eley.cli;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.config.ConfigKey;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.server.node.NodeKeys;
import io.eley.coordinator.config.CoordinatorKeys;
import io.eley.engine.alluxio.AlluxioCheck;
import io.eley.engine.alluxio.AlluxioKeys;
import io.eley.engine.alluxio.AlluxioPort;
import io.eley.local.deployment.DeploymentPlan;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where the nodes' blocks are. */
final class EngineOptions {
  /** What holds blocks. */
  enum Engine {
    eley,
    alluxio
  }

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      defaultValue = "eley",
      description =
          "what holds blocks: eley, our own nodes, or alluxio, a cluster that is there"
              + " (default: ${DEFAULT-VALUE})")
  private Engine engine = Engine.eley;

  @Option(
      names = "--alluxio-master",
      paramLabel = "HOST:PORT",
      description = "its master; each of its workers gets a node, whose memory is ours in each")
  private @Nullable String master;

  @Option(
      names = "--alluxio-client",
      paramLabel = "JARS",
      description = "its client: jars, or a directory of jars (default: $ALLUXIO_HOME/client)")
  private @Nullable String client;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  /** What says where intermediate data goes; of eley.conf it is for who takes our own nodes. */
  private static final List<ConfigKey<?>> INTERMEDIATE =
      List.of(NodeKeys.SPARK_HOME, NodeKeys.OVERFLOW_DIRECTORY, NodeKeys.OVERFLOW_SIZE);

  /**
   * What a verb says of nodes.
   *
   * @param memory of each for blocks
   * @param option that says so
   * @param ours options that go with nodes of our own
   */
  record Nodes(DataSize memory, String option, List<String> ours) {}

  /**
   * The plan with what Alluxio has for us, if it is to hold the blocks. Blocks for seconds when its
   * master does not answer.
   *
   * @throws EleyException in one line: no master there, one of another version, no room
   */
  DeploymentPlan resolve(DeploymentPlan plan, Map<String, String> environment)
      throws EleyException {
    var settings = new LinkedHashMap<>(plan.settings());
    var nodes = new Nodes(plan.memory(), "--memory", List.of("--nodes", "--block-size"));
    Optional<AlluxioCheck.Found> found = look(plan.origin(), nodes, settings, environment);
    if (found.isEmpty()) {
      return plan;
    }
    return new DeploymentPlan(
        plan.origin(),
        found.get().workers().size(),
        plan.memory(),
        plan.mode(),
        new BlockGeometry((int) found.get().blockSize(), plan.geometry().chunkSize()),
        plan.ramDisk(),
        plan.host(),
        plan.port(),
        settings,
        found.get().workers().stream()
            .map(worker -> Map.of(AlluxioKeys.WORKER.name(), worker.address()))
            .toList());
  }

  /**
   * What Alluxio has for us, if it is to hold the blocks; settings get what its nodes must know.
   * Blocks for seconds when its master does not answer.
   *
   * @throws EleyException in one line: no master there, one of another version, no room
   */
  Optional<AlluxioCheck.Found> look(
      String origin, Nodes nodes, Map<String, String> settings, Map<String, String> environment)
      throws EleyException {
    if (engine == Engine.eley) {
      // Those of eley.conf are for who takes that engine.
      if (typed("--alluxio-master") || typed("--alluxio-client")) {
        throw new IllegalArgumentException(
            "--alluxio-master and --alluxio-client go with --engine alluxio");
      }
      return Optional.empty();
    }
    if (master == null) {
      throw new IllegalArgumentException("--engine alluxio needs --alluxio-master HOST:PORT");
    }
    for (String ours : nodes.ours) {
      if (typed(ours)) {
        throw new IllegalArgumentException(
            ours + " goes with our own nodes, not with --engine alluxio");
      }
    }
    if (typed("--overflow")) {
      throw new IllegalArgumentException(
          "--overflow is for intermediate data, which stays with Spark under --engine alluxio");
    }
    for (ConfigKey<?> key : INTERMEDIATE) {
      if (Typed.setting(key.name(), command)) {
        throw new IllegalArgumentException(
            key.name()
                + " is for intermediate data, which stays with Spark under --engine alluxio");
      }
      settings.remove(key.name());
    }
    settings.put(AlluxioKeys.MASTER.name(), master);
    settings.put(AlluxioKeys.CLIENT.name(), client(environment));
    return Optional.of(look(origin, nodes.memory, nodes.option, Settings.of(settings)));
  }

  private boolean typed(String option) {
    return Typed.was(option, command);
  }

  /**
   * What the Alluxio of these settings has for us, with room for our memory in each worker.
   *
   * @param option that says how much that is
   */
  static AlluxioCheck.Found look(String origin, DataSize memory, String option, Settings settings)
      throws EleyException {
    AlluxioCheck.Found found =
        AlluxioCheck.look(
            settings.get(AlluxioKeys.CLIENT), settings.get(AlluxioKeys.MASTER), origin);
    requireOurs(found.blockSize(), settings.get(CoordinatorKeys.CHUNK_SIZE));
    for (AlluxioPort.Worker worker : found.workers()) {
      if (worker.freeBytes() < memory.bytes()) {
        throw new EleyException(
            ErrorCode.NO_SPACE,
            "Alluxio's worker "
                + worker.address()
                + " has "
                + (worker.freeBytes() >> 20)
                + "m free, less than "
                + option
                + " "
                + memory);
      }
    }
    return found;
  }

  private String client(Map<String, String> environment) {
    if (client != null) {
      return classPath(client, "--alluxio-client");
    }
    String home = environment.getOrDefault("ALLUXIO_HOME", "");
    if (home.isBlank()) {
      throw new IllegalArgumentException(
          "--engine alluxio needs Alluxio's client: give --alluxio-client, or set ALLUXIO_HOME");
    }
    return classPath(home + "/client", "ALLUXIO_HOME");
  }

  /** As Java takes it: a directory stands for its jars. */
  private static String classPath(String typed, String from) {
    var entries = new ArrayList<String>();
    for (String entry : typed.split(File.pathSeparator, -1)) {
      boolean all = entry.endsWith("/*");
      Path path = Home.path(all ? entry.substring(0, entry.length() - 2) : entry).toAbsolutePath();
      if (entry.isBlank() || !Files.isReadable(path)) {
        throw new IllegalArgumentException(from + ": there is no '" + entry + "'");
      }
      entries.add(path.normalize() + (Files.isDirectory(path) ? "/*" : ""));
    }
    return String.join(File.pathSeparator, entries);
  }

  private static void requireOurs(long blockSize, DataSize chunkSize) throws EleyException {
    boolean fits =
        blockSize % chunkSize.bytes() == 0
            && CoordinatorKeys.BLOCK_SIZE.bounds().test(new DataSize(blockSize));
    if (!fits) {
      throw new EleyException(
          ErrorCode.INCOMPATIBLE,
          "Alluxio cuts files into blocks of "
              + blockSize
              + " bytes, not a "
              + CoordinatorKeys.BLOCK_SIZE.form());
    }
  }
}
