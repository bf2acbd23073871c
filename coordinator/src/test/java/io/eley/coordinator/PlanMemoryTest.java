package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.client.ConnectionOptions;
import io.eley.bb.api.client.PushHandler;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.process.JavaCommand;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.PlanMessage.TasksEnded;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One application with two million splits, and a coordinator of 64 MiB that others use, too. */
@Timeout(180)
@Tag("slow")
class PlanMemoryTest {
  private static final int SPLITS = 2_000_000;
  private static final int BATCH = 4000;
  private static final int BLOCK = 4096;

  @TempDir private Path temporary;
  private Process coordinator;
  private ClientOptions.Deployment deployment;
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    Path origin = Files.createDirectory(temporary.resolve("origin"));
    Files.write(origin.resolve("in"), new byte[10 * BLOCK]);
    Files.write(origin.resolve("other"), new byte[10 * BLOCK]);
    Path directory = temporary.resolve("deployment");
    deployment = ClientOptions.Deployment.in(directory);
    coordinator =
        new ProcessBuilder(
                JavaCommand.ofThisJvm()
                    .heap("64m")
                    .serialCollector()
                    .quickStart()
                    .options(List.of("-XX:+ExitOnOutOfMemoryError"))
                    .classPathOfThisJvm()
                    .run(
                        SmallCoordinatorMain.class.getName(),
                        List.of(
                            "eley.coordinator.directory=" + directory,
                            "eley.coordinator.origin=" + origin,
                            "eley.coordinator.listen-host=127.0.0.1",
                            "eley.heartbeat-timeout=60s",
                            "eley.block-size=4k",
                            "eley.chunk-size=4k",
                            "eley.window.overrun=0")))
            .redirectErrorStream(true)
            .redirectOutput(temporary.resolve("log").toFile())
            .start();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.exists(directory.resolve("coordinator.address")));
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    coordinator.destroyForcibly().waitFor();
  }

  private Connection connect() throws Exception {
    var connection =
        Connection.open(
            deployment.address(),
            deployment.credentials(),
            ConnectionOptions.toCoordinator("test", FakeNode.DEADLINE),
            PushHandler.IGNORE);
    open.add(connection);
    return connection;
  }

  private static List<Split> splits(String path, int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(
            i ->
                new Split(
                    i, List.of(new FileSlice(path, new ByteRange((long) (i % 10) * BLOCK, BLOCK)))))
        .toList();
  }

  @Test
  void itRefusesTheRestInWordsAndServesOthersOnAndOn() throws Exception {
    var node = new FakeNode("n1", 1001, deployment.address(), deployment.secret());
    open.add(node);
    node.register();
    var greedy = connect();
    var stage = new StageId("greedy", 3, 0);
    assertThat(TestDeployment.ask(greedy, new StartApplication("greedy", ""))).isEqualTo(new Ok());
    int taken = 0;
    var refusals = new ArrayList<EleyException>();
    for (int from = 0; from < SPLITS; from += BATCH) {
      try {
        TestDeployment.ask(
            greedy, new PlanStage(stage, splits("/in", from, BATCH), from + BATCH == SPLITS));
        taken++;
      } catch (EleyException e) {
        refusals.add(e);
      }
    }
    assertThat(taken).isPositive();
    assertThat(refusals)
        .hasSizeGreaterThan(SPLITS / BATCH / 2)
        .allSatisfy(e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE))
        .allSatisfy(
            e ->
                assertThat(e)
                    .hasMessage(
                        "the plan of stage greedy/3.0 does not fit into eley.plan-memory: the rest"
                            + " is read without prefetching"));
    TestDeployment.ask(greedy, new TasksEnded(stage, IntStream.range(0, 200_000).boxed().toList()));

    var honest = connect();
    node.fetches.clear();
    TestDeployment.ask(honest, new StartApplication("honest", ""));
    TestDeployment.ask(honest, new WaveSize("honest", 2));
    TestDeployment.ask(
        honest, new PlanStage(new StageId("honest", 0, 0), splits("/other", 0, 10), true));
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> node.fetches.stream().anyMatch(b -> b.file().path().equals("/other")));
    assertThat(coordinator.isAlive()).as(Files.readString(temporary.resolve("log"))).isTrue();
    assertThat(Files.readString(temporary.resolve("log"))).doesNotContain("OutOfMemoryError");
  }
}
