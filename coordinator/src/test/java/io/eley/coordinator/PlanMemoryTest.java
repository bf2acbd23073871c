package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
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
  private SmallCoordinator coordinator;

  @BeforeEach
  void start() throws Exception {
    Path origin = Files.createDirectory(temporary.resolve("origin"));
    Files.write(origin.resolve("in"), new byte[10 * BLOCK]);
    Files.write(origin.resolve("other"), new byte[10 * BLOCK]);
    coordinator =
        new SmallCoordinator(
            temporary, "64m", "eley.block-size=4k", "eley.chunk-size=4k", "eley.window.overrun=0");
  }

  @AfterEach
  void stop() throws Exception {
    coordinator.stop();
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
    var node = coordinator.registeredNode();
    var greedy = coordinator.connect();
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
                            + " waits for tasks to end"));
    TestDeployment.ask(greedy, new TasksEnded(stage, IntStream.range(0, 200_000).boxed().toList()));

    var honest = coordinator.connect();
    node.fetches.clear();
    TestDeployment.ask(honest, new StartApplication("honest", ""));
    TestDeployment.ask(honest, new WaveSize("honest", 2));
    TestDeployment.ask(
        honest, new PlanStage(new StageId("honest", 0, 0), splits("/other", 0, 10), true));
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> node.fetches.stream().anyMatch(b -> b.file().path().equals("/other")));
    coordinator.requireAlive();
  }
}
