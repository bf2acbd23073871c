package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.PhaseMessage.BeginPhase;
import io.eley.bb.api.wire.PhaseMessage.EndPhase;
import io.eley.bb.api.wire.PhaseMessage.PhaseHeld;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.PlanMessage.TaskRead;
import io.eley.bb.api.wire.PlanMessage.TasksEnded;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.eley.bb.server.node.NodeOptions;
import io.eley.bb.server.node.NodeServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The coordinator and the nodes as they are, in one process over loopback. */
@Tag("slow")
class RealNodesTest {
  private static final StageId STAGE = new StageId("app-1", 0, 0);
  private static final int BLOCKS = 12;

  @TempDir Path temporary;

  private NodeServer node(TestDeployment deployment, String name) throws Exception {
    Path directory = Files.createDirectories(temporary.resolve(name));
    var settings =
        Settings.of(
            Map.of(
                "eley.node.directory", directory.toString(),
                "eley.node.memory", "1m",
                "eley.permit.renewal", "50ms",
                "eley.node.listen-host", "127.0.0.1"));
    return NodeServer.start(
        NodeOptions.from(settings, () -> deployment.server().address(), deployment.secret()));
  }

  private static List<Split> splits() {
    long block = TestDeployment.BLOCK;
    return IntStream.range(0, BLOCKS)
        .mapToObj(i -> new Split(i, List.of(new FileSlice("/in", new ByteRange(i * block, block)))))
        .toList();
  }

  private static boolean isHeldWithTwoInTheQueue(DeploymentReport report) {
    int queued = report.nodes().stream().mapToInt(n -> n.counters().queuedFetches()).sum();
    return queued == 2 && inRam(report) == 2 * TestDeployment.BLOCK;
  }

  private static long inRam(DeploymentReport report) {
    return report.applications().stream().mapToLong(a -> a.windowBytesInRam()).sum();
  }

  @Test
  void aPlannedWaveIsInRamAndAPhaseHoldsTheNext() throws Exception {
    try (var deployment = new TestDeployment(temporary, BufferMode.FULL_DELAY)) {
      deployment.file("in", BLOCKS);
      try (var first = node(deployment, "ram-1");
          var second = node(deployment, "ram-2");
          var driver = deployment.connect()) {
        assertThat(first.address()).isNotEqualTo(second.address());
        TestDeployment.ask(driver, new StartApplication("app-1", "sort"));
        TestDeployment.ask(driver, new WaveSize("app-1", 2));
        TestDeployment.ask(driver, new PlanStage(STAGE, splits(), true));
        await().until(() -> inRam(deployment.report()) == 4 * TestDeployment.BLOCK);

        var phase = new BeginPhase("ior", Duration.ofMinutes(1));
        var held = (PhaseHeld) TestDeployment.ask(driver, phase);
        assertThat(held.confirmed()).isEqualTo(2);
        TestDeployment.ask(driver, new TasksEnded(STAGE, List.of(0, 1)));
        await().until(() -> isHeldWithTwoInTheQueue(deployment.report()));
        assertThat(deployment.report().originBytes())
            .containsEntry(ReadCause.PREFETCH, 4L * TestDeployment.BLOCK);

        TestDeployment.ask(driver, new EndPhase("ior"));
        await().until(() -> inRam(deployment.report()) == 4 * TestDeployment.BLOCK);
        await()
            .untilAsserted(
                () ->
                    assertThat(deployment.report().originBytes())
                        .containsEntry(ReadCause.PREFETCH, 6L * TestDeployment.BLOCK));
      }
    }
  }

  /** Two tasks at once, of a block each, for a node of four reads: eight blocks ahead. */
  @Test
  void aWindowThatHasGrownIsHeldToItsLastBlock() throws Exception {
    try (var deployment = new TestDeployment(temporary, BufferMode.FULL_DELAY)) {
      deployment.file("in", BLOCKS);
      try (var only = node(deployment, "ram-1")) {
        plan(deployment);
        await().until(() -> inRam(deployment.report()) == 4 * TestDeployment.BLOCK);
        var driver = deployment.connect();
        TestDeployment.ask(driver, new BeginPhase("ior", Duration.ofMinutes(1)));
        for (Split split : splits().subList(0, 2)) {
          TestDeployment.ask(
              driver, new TaskRead(STAGE, split.partition(), split.slices(), 1_000_000));
        }
        TestDeployment.ask(driver, new TasksEnded(STAGE, List.of(0, 1)));
        await().until(() -> only.counters().queuedFetches() == 8);
        assertThat(inRam(deployment.report())).isEqualTo(2 * TestDeployment.BLOCK);
        assertThat(only.counters().originBytes())
            .as("in the hold nothing more")
            .containsEntry(ReadCause.PREFETCH, 4L * TestDeployment.BLOCK);

        TestDeployment.ask(driver, new EndPhase("ior"));
        await().until(() -> inRam(deployment.report()) == 10 * TestDeployment.BLOCK);
        assertThat(only.counters().originBytes()).doesNotContainKey(ReadCause.DEMAND);
      }
    }
  }

  @Test
  void afterARestartOfTheCoordinatorItsNodesAreBackWithTheirInventory() throws Exception {
    try (var deployment = new TestDeployment(temporary, BufferMode.FULL_DELAY)) {
      deployment.file("in", BLOCKS);
      try (var only = node(deployment, "ram-1")) {
        plan(deployment);
        await().until(() -> inRam(deployment.report()) == 4 * TestDeployment.BLOCK);
        deployment.stop();
        deployment.start();
        await().atMost(Duration.ofSeconds(20)).until(() -> deployment.report().nodes().size() == 1);
        plan(deployment);

        await().until(() -> inRam(deployment.report()) == 4 * TestDeployment.BLOCK);
        await()
            .untilAsserted(
                () ->
                    assertThat(deployment.report().originBytes())
                        .as("nothing is read twice, by %s", only.address())
                        .containsEntry(ReadCause.PREFETCH, 4L * TestDeployment.BLOCK));
      }
    }
  }

  private static void plan(TestDeployment deployment) throws Exception {
    var driver = deployment.connect();
    TestDeployment.ask(driver, new StartApplication("app-1", "sort"));
    TestDeployment.ask(driver, new WaveSize("app-1", 2));
    TestDeployment.ask(driver, new PlanStage(STAGE, splits(), true));
  }
}
