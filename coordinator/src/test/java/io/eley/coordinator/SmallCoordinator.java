package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.client.ConnectionOptions;
import io.eley.bb.api.client.PushHandler;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.process.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A coordinator of a bounded heap in a process of its own, which ends when that is full. */
final class SmallCoordinator {
  final ClientOptions.Deployment deployment;
  private final Path log;
  private final Process process;
  private final List<AutoCloseable> open = new ArrayList<>();

  /**
   * Starts one and waits until it listens.
   *
   * @param directory for the deployment and the log; the origin is in it
   * @param settings further ones, {@code KEY=VALUE}
   */
  SmallCoordinator(Path directory, String heap, String... settings) throws IOException {
    Path own = directory.resolve("deployment");
    deployment = ClientOptions.Deployment.in(own);
    log = directory.resolve("log");
    var usual =
        Stream.of(
            "eley.coordinator.directory=" + own,
            "eley.coordinator.origin=" + directory.resolve("origin"),
            "eley.coordinator.listen-host=127.0.0.1",
            "eley.heartbeat-timeout=60s",
            "eley.network.handshake-deadline=60s");
    process =
        new ProcessBuilder(
                JavaCommand.ofThisJvm()
                    .heap(heap)
                    .serialCollector()
                    .quickStart()
                    .options(List.of("-XX:+ExitOnOutOfMemoryError"))
                    .classPathOfThisJvm()
                    .run(
                        SmallCoordinatorMain.class.getName(),
                        Stream.concat(usual, Stream.of(settings)).toList()))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.exists(own.resolve("coordinator.address")));
  }

  Connection connect() throws EleyException {
    var connection =
        Connection.open(
            deployment.address(),
            deployment.credentials(),
            ConnectionOptions.toCoordinator("test", FakeNode.DEADLINE),
            PushHandler.IGNORE);
    open.add(connection);
    return connection;
  }

  FakeNode registeredNode() throws Exception {
    var node = new FakeNode("n1", 1001, deployment.address(), deployment.secret());
    open.add(node);
    node.register();
    return node;
  }

  void requireAlive() throws IOException {
    assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
    assertThat(Files.readString(log)).doesNotContain("OutOfMemoryError");
  }

  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    process.destroyForcibly().waitFor();
  }
}
