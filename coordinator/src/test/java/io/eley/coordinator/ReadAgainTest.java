package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.PhaseMessage.GetReport;
import io.eley.bb.api.wire.PhaseMessage.Report;
import io.eley.bb.api.wire.PlanMessage.EndApplication;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.bb.api.wire.PlanMessage.StageEnded;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.PlanMessage.TasksEnded;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.eley.bb.server.node.NodeOptions;
import io.eley.bb.server.node.NodeServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joins and iterative jobs: how often a real node reads what they read more than once. */
@Tag("slow")
class ReadAgainTest {
  private static final int BLOCK = TestDeployment.BLOCK;
  private static final int FACTS = 20;
  private static final int NAMES = 2;

  @TempDir private Path temporary;
  private TestDeployment deployment;
  private NodeServer node;
  private Connection driver;

  @BeforeEach
  void start() throws Exception {
    deployment = new TestDeployment(temporary, BufferMode.FULL_DELAY);
    deployment.file("facts", FACTS);
    deployment.file("names", NAMES);
    Path directory = Files.createDirectories(temporary.resolve("ram"));
    var settings =
        Settings.of(
            Map.of(
                "eley.node.directory", directory.toString(),
                "eley.node.memory", "1m",
                "eley.node.listen-host", "127.0.0.1"));
    node =
        NodeServer.start(
            NodeOptions.from(settings, () -> deployment.server().address(), deployment.secret()));
    driver = deployment.connect();
    begin("app");
  }

  @AfterEach
  void stop() {
    node.close();
    deployment.close();
  }

  private void begin(String application) throws Exception {
    TestDeployment.ask(driver, new StartApplication(application, ""));
    TestDeployment.ask(driver, new WaveSize(application, 4));
  }

  private static FileSlice block(String path, int index) {
    return new FileSlice(path, new ByteRange((long) index * BLOCK, BLOCK));
  }

  private static List<Split> scan(String path, int blocks) {
    return IntStream.range(0, blocks).mapToObj(i -> new Split(i, List.of(block(path, i)))).toList();
  }

  private void plan(StageId stage, List<Split> splits) throws Exception {
    TestDeployment.ask(driver, new PlanStage(stage, splits, true));
  }

  /** Ends the stage's tasks one after the other, each when its blocks are there. */
  private void run(StageId stage, List<Split> splits) throws Exception {
    for (Split split : splits) {
      await().pollInterval(Duration.ofMillis(10)).until(() -> windowIsThere(stage.application()));
      TestDeployment.ask(driver, new TasksEnded(stage, List.of(split.partition())));
    }
    TestDeployment.ask(driver, new StageEnded(stage));
  }

  private DeploymentReport report() throws Exception {
    return ((Report) TestDeployment.ask(driver, new GetReport())).report();
  }

  private boolean windowIsThere(String application) throws Exception {
    return report().applications().stream()
        .filter(a -> a.application().equals(application))
        .allMatch(a -> a.windowBytesInRam() == a.windowBytes());
  }

  private void assertBlocksRead(int blocks) {
    await()
        .untilAsserted(
            () ->
                assertThat(report().originBytes())
                    .containsEntry(ReadCause.PREFETCH, (long) blocks * BLOCK));
    assertThat(node.counters().originBytes())
        .as("what tasks waited for is none of it")
        .doesNotContainKey(ReadCause.DEMAND);
  }

  private void scanAll(String application, int stage) throws Exception {
    var id = new StageId(application, stage, 0);
    plan(id, scan("/facts", FACTS));
    run(id, scan("/facts", FACTS));
  }

  @Test
  void whatTheNextStageReadsAgainIsReadFromTheOriginOnce() throws Exception {
    for (int iteration = 0; iteration < 3; iteration++) {
      scanAll("app", iteration);
    }
    assertBlocksRead(FACTS);
  }

  @Test
  void thePlanOfTheNextJobTakesOverWhatTheLastOneHasLeft() throws Exception {
    scanAll("app", 0);
    TestDeployment.ask(driver, new EndApplication("app"));
    begin("next");
    scanAll("next", 0);
    assertBlocksRead(FACTS);
  }

  @Test
  void whatWasPrefetchedForAJobThatDidNotReadItIsThereForTheNext() throws Exception {
    plan(new StageId("app", 0, 0), scan("/facts", FACTS));
    await().until(() -> windowIsThere("app"));
    assertBlocksRead(8);
    TestDeployment.ask(driver, new EndApplication("app"));
    begin("next");
    scanAll("next", 0);
    assertBlocksRead(FACTS);
  }

  @Test
  void bothInputsOfAStageAreThereForEachTask() throws Exception {
    var splits = new ArrayList<Split>();
    for (int i = 0; i < FACTS; i++) {
      splits.add(new Split(i, List.of(block("/facts", i), block("/names", i % NAMES))));
    }
    var join = new StageId("app", 0, 0);
    plan(join, splits);
    run(join, splits);
    assertBlocksRead(FACTS + NAMES);
  }

  @Test
  void aBroadcastSideIsReadFirstAndOnceForAllQueries() throws Exception {
    for (int query = 0; query < 3; query++) {
      var side = new StageId("app", 2 * query, 0);
      var scan = new StageId("app", 2 * query + 1, 0);
      plan(side, scan("/names", NAMES));
      plan(scan, scan("/facts", FACTS));
      run(side, scan("/names", NAMES));
      run(scan, scan("/facts", FACTS));
    }
    assertBlocksRead(FACTS + NAMES);
  }

  @Test
  void ofWhatSparkHadCachedOnlyLostPartitionsAreFetched() throws Exception {
    var recomputed = new StageId("app", 5, 0);
    List<Split> lost = List.of(scan("/facts", FACTS).get(7), scan("/facts", FACTS).get(15));
    plan(recomputed, lost);
    run(recomputed, lost);
    assertBlocksRead(2);
  }
}
