package io.eley.coordinator;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.client.ConnectionOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.client.PushHandler;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Message;
import io.eley.bb.api.wire.PhaseMessage.GetReport;
import io.eley.bb.api.wire.PhaseMessage.Report;
import io.eley.bb.api.wire.Secret;
import io.eley.coordinator.config.CoordinatorOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A coordinator on loopback and connections to it. It bears silence for a minute, so that a busy
 * machine makes no test fail; tests about silence say otherwise.
 */
final class TestDeployment implements AutoCloseable {
  static final int BLOCK = 4096;

  final Path directory;
  final Path origin;
  private final Map<String, String> settings = new HashMap<>();
  private final List<Runnable> open = new ArrayList<>();
  private CoordinatorServer server;

  TestDeployment(Path parent, BufferMode mode, String... more) throws IOException {
    directory = parent.resolve("deployment");
    origin = Files.createDirectories(parent.resolve("origin"));
    settings.putAll(
        Map.of(
            "eley.coordinator.directory", directory.toString(),
            "eley.coordinator.origin", origin.toString(),
            "eley.mode", mode.label(),
            "eley.block-size", "4k",
            "eley.chunk-size", "4k",
            "eley.coordinator.listen-host", "127.0.0.1",
            "eley.heartbeat-timeout", "60s",
            "eley.hold.confirmation", "10s",
            "eley.driver-grace", "60s",
            "eley.window.overrun", "0"));
    settings.put("eley.network.handshake-deadline", "60s");
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    start();
  }

  void set(String key, String value) {
    settings.put(key, value);
  }

  CoordinatorOptions options() {
    return CoordinatorOptions.from(Settings.of(settings));
  }

  void start() throws EleyException {
    server = CoordinatorServer.start(options());
  }

  void stop() {
    server.close();
  }

  CoordinatorServer server() {
    return server;
  }

  Secret secret() throws IOException {
    return Secret.load(directory.resolve("secret"));
  }

  FakeNode node(String name, int port) throws IOException {
    var node = new FakeNode(name, port, server.address(), secret());
    open.add(node::close);
    return node;
  }

  Connection connect() throws IOException {
    var options = ConnectionOptions.toCoordinator("test", FakeNode.DEADLINE);
    var connection =
        Connection.open(
            server.address(),
            new Credentials(secret(), Identity.CLIENT),
            options,
            PushHandler.IGNORE);
    open.add(connection::close);
    return connection;
  }

  /** A client that finds the coordinator through the directory. */
  EleyClient client() throws EleyException {
    var values =
        Map.of(
            "eley.deployment", directory.toString(),
            "eley.client.connect-timeout", "20s",
            "eley.client.silence", "10s");
    return EleyClient.open(ClientOptions.from(Settings.of(values)));
  }

  static Message ask(Connection connection, Message message) throws EleyException {
    return connection.call(message, FakeNode.DEADLINE);
  }

  DeploymentReport report() throws IOException {
    try (var connection = connect()) {
      return ((Report) ask(connection, new GetReport())).report();
    }
  }

  void file(String name, int blocks) throws IOException {
    Files.write(origin.resolve(name), new byte[blocks * BLOCK]);
  }

  static BlockGeometry geometry() {
    return new BlockGeometry(BLOCK, BLOCK);
  }

  @Override
  public void close() {
    open.forEach(Runnable::run);
    server.close();
  }
}
