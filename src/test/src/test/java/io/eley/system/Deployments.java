package io.eley.system;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.client.ClientKeys;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.HoldKeys;
import io.eley.bb.api.config.NetworkKeys;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.server.node.NodeKeys;
import io.eley.bb.server.node.NodeOptions;
import io.eley.bb.server.node.NodeServer;
import io.eley.controller.loop.ControlKeys;
import io.eley.coordinator.CoordinatorServer;
import io.eley.coordinator.config.CoordinatorKeys;
import io.eley.coordinator.config.CoordinatorOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A deployment inside the test's JVM: the same classes and the same protocol as processes, over
 * loopback. Its parts wait long for each other, so that a busy machine makes no test fail; tests
 * about silence say otherwise.
 */
public final class Deployments implements AutoCloseable {
  public static final BlockGeometry GEOMETRY = new BlockGeometry(1 << 20, 1 << 18);

  /** Of Spark, with which clients in its processes wait as long as those of this JVM. */
  public static final Map<String, String> PATIENT_CLIENTS =
      Map.of(
          "spark.hadoop.eley.client.connect-timeout", "20s",
          "spark.hadoop.eley.client.silence", "10s");

  private static final String CONNECTOR_JAR = "eley-spark-connector-[\\d.]+(-SNAPSHOT)?\\.jar";

  private final Path directory;
  private final Map<String, String> settings = new HashMap<>();
  private final Map<String, NodeServer> nodes = new LinkedHashMap<>();
  private CoordinatorServer coordinator;

  /** Starts a coordinator; nodes are added. */
  public Deployments(Path directory, Path origin, BufferMode mode) throws Exception {
    this(directory, origin.toString(), mode);
  }

  /**
   * The same over any origin.
   *
   * @param more further keys and values, for all processes
   */
  public Deployments(Path directory, String origin, BufferMode mode, String... more)
      throws Exception {
    this.directory = directory;
    settings.put(CoordinatorKeys.DIRECTORY.name(), directory.resolve("deployment").toString());
    settings.put(CoordinatorKeys.ORIGIN.name(), origin);
    settings.put(CoordinatorKeys.MODE.name(), mode.label());
    settings.put(CoordinatorKeys.BLOCK_SIZE.name(), Integer.toString(GEOMETRY.blockSize()));
    settings.put(CoordinatorKeys.CHUNK_SIZE.name(), Integer.toString(GEOMETRY.chunkSize()));
    settings.put(CoordinatorKeys.LISTEN_HOST.name(), "127.0.0.1");
    // A hold without a coordinator ends soon, so that its loss does not make a test wait for a
    // minute.
    settings.put(HoldKeys.DELAY_MAX.name(), "500ms");
    settings.put(ClientKeys.DEPLOYMENT.name(), directory.resolve("deployment").toString());
    // On a busy machine all of this JVM may stand still for a second, and then lives all the same.
    settings.put(ClientKeys.CONNECT_TIMEOUT.name(), "20s");
    settings.put(ClientKeys.SILENCE.name(), "10s");
    settings.put(ControlKeys.HEARTBEAT_TIMEOUT.name(), "30s");
    settings.put(NetworkKeys.HANDSHAKE_DEADLINE.name(), "60s");
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    startCoordinator();
  }

  public void startCoordinator() throws Exception {
    coordinator = CoordinatorServer.start(CoordinatorOptions.from(Settings.of(settings)));
  }

  /** Starts the next one with another value of a key; nodes and clients that run keep theirs. */
  public void startCoordinator(String key, String value) throws Exception {
    settings.put(key, value);
    startCoordinator();
  }

  public void stopCoordinator() {
    coordinator.close();
  }

  /** Starts a node, or starts it again on the blocks that it left. */
  public NodeServer startNode(String name, String memory) throws Exception {
    return startNode(name, memory, "127.0.0.1");
  }

  /** The same on an address of this machine. */
  public NodeServer startNode(String name, String memory, String host) throws Exception {
    var own = new HashMap<>(settings);
    own.put(NodeKeys.DIRECTORY.name(), blocks(name).toString());
    own.put(NodeKeys.MEMORY.name(), memory);
    own.put(NodeKeys.LISTEN_HOST.name(), host);
    own.put(NodeKeys.ADVERTISED_HOST.name(), host);
    var node = NodeServer.start(NodeOptions.from(Settings.of(own)));
    nodes.put(name, node);
    return node;
  }

  public void stopNode(String name) {
    nodes.remove(name).close();
  }

  public Path blocks(String name) {
    return directory.resolve(name);
  }

  public Path deploymentDirectory() {
    return directory.resolve("deployment");
  }

  /** A client; {@code more} are further keys and values. */
  public EleyClient client(String... more) throws Exception {
    var own = new HashMap<>(settings);
    for (int i = 0; i < more.length; i += 2) {
      own.put(more[i], more[i + 1]);
    }
    return EleyClient.open(ClientOptions.from(Settings.of(own)));
  }

  public DeploymentReport report() throws Exception {
    try (var client = client()) {
      return client.coordinator().orElseThrow().report();
    }
  }

  /** The jar that goes into Spark, as it was built. */
  public static Path connectorJar() throws IOException {
    Path target = Path.of(System.getProperty("eley.root"), "spark-connector", "target");
    try (var files = Files.list(target)) {
      return files
          .filter(f -> f.getFileName().toString().matches(CONNECTOR_JAR))
          .findFirst()
          .orElseThrow();
    }
  }

  @Override
  public void close() {
    nodes.values().forEach(NodeServer::close);
    coordinator.close();
  }
}
