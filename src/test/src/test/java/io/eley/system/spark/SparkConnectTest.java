package io.eley.system.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.process.JavaCommand;
import io.eley.system.Deployments;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.RandomTextWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spark Connect: the application is a server, and who asks has neither Spark nor us in its JVM. The
 * server's plugin plans as any driver's.
 */
@Tag("spark")
@Timeout(300)
class SparkConnectTest {
  private static final Pattern STARTED = Pattern.compile("server started at: [^ ]*:(\\d+)");
  private static final int FILES = 2;
  private static final int FILE_BYTES = 4 << 20;

  @TempDir private Path temp;

  @Test
  void aServersQueriesArePlannedAndAnsweredRight() throws Exception {
    Path origin = Files.createDirectory(temp.resolve("origin"));
    RandomTextWriter.write(
        new RandomTextWriter.Plan(origin.resolve("in"), FILES, FILE_BYTES, 7), 2, bytes -> {});
    try (var deployment =
        new Deployments(
            Files.createDirectory(temp.resolve("deployment")), origin, BufferMode.NO_ACTION)) {
      var node = deployment.startNode("a", "64m");
      Path log = temp.resolve("server.log");
      Process server = startServer(deployment.deploymentDirectory(), log);
      try {
        await()
            .atMost(Duration.ofMinutes(2))
            .until(() -> !port(log).isEmpty() || !server.isAlive());
        var asked =
            ConnectQueries.ask(
                temp,
                "sc://127.0.0.1:" + port(log),
                Map.of(),
                "file://" + origin + "/in",
                "bb:///in");
        assertThat(asked.status()).as(asked.errors()).isZero();
        List<String> answers = asked.lines();
        assertThat(answers).hasSize(2);
        assertThat(answers.get(1)).isEqualTo(answers.get(0));
        assertThat(Files.readString(log)).doesNotContain("Exception").doesNotContain("WARN Eley");
        await().until(() -> node.counters().queuedFetches() == 0);
        assertThat(node.counters().originBytes().get(ReadCause.PREFETCH)).isPositive();
      } finally {
        server.destroyForcibly();
      }
    }
  }

  private Process startServer(Path deployment, Path log) throws Exception {
    var home =
        LinkedSparkHome.create(temp.resolve("home"), ConnectQueries.classPath("spark-connect-4.2"));
    JavaCommand java =
        home.java("1g", List.of(Deployments.connectorJar()))
            // It is killed, and would leave there where it keeps its sessions' artifacts.
            .property("java.io.tmpdir", temp.toString())
            .property("spark.app.name", "connect")
            .property("spark.master", "local[2]")
            .property("spark.driver.host", "127.0.0.1")
            .property("spark.driver.bindAddress", "127.0.0.1")
            .property("spark.connect.grpc.binding.address", "127.0.0.1")
            .property("spark.connect.grpc.binding.port", "0")
            .property("spark.ui.enabled", "false")
            .property("spark.local.dir", temp.resolve("local").toString())
            .property("spark.sql.warehouse.dir", temp.resolve("warehouse").toString())
            .property("spark.sql.files.maxPartitionBytes", "1m")
            .property("spark.plugins", "io.eley.spark.connector.plan.EleyPlugin")
            .property("spark.hadoop.eley.deployment", deployment.toString())
            // On a busy machine nobody falls silent: the log is to be quiet.
            .property("spark.hadoop.eley.client.connect-timeout", "20s")
            .property("spark.hadoop.eley.client.silence", "10s");
    return new ProcessBuilder(
            java.run("org.apache.spark.sql.connect.service.SparkConnectServer", List.of()))
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** Empty before the server listens. */
  private static String port(Path log) throws IOException {
    var found = STARTED.matcher(Files.readString(log));
    return found.find() ? found.group(1) : "";
  }
}
