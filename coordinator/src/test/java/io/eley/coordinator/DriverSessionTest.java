package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.StayCause;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.NodeCounters;
import io.eley.bb.api.wire.PlanMessage;
import io.eley.bb.api.wire.PlanMessage.EndApplication;
import io.eley.bb.api.wire.PlanMessage.OutputsStayed;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.bb.api.wire.PlanMessage.StageEnded;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.PlanMessage.TasksEnded;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import io.eley.bb.api.wire.ScratchMessage.DropScratch;
import io.eley.bb.api.wire.Stayed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverSessionTest {
  private static final StageId STAGE = new StageId("app-1", 0, 0);

  @TempDir Path temporary;
  private TestDeployment deployment;
  private FakeNode node;
  private Connection driver;

  private void start(BufferMode mode, String... more) throws Exception {
    deployment = new TestDeployment(temporary, mode, more);
    deployment.file("in", 10);
    node = deployment.node("n1", 1001);
    node.register();
    driver = deployment.connect();
    tell(new StartApplication("app-1", "word count"));
    tell(new WaveSize("app-1", 2));
  }

  @AfterEach
  void stop() {
    deployment.close();
  }

  private void tell(PlanMessage message) throws Exception {
    assertThat(TestDeployment.ask(driver, message)).isEqualTo(new Ok());
  }

  private static List<Split> splits(String path, int from, int to) {
    long block = TestDeployment.BLOCK;
    return IntStream.range(from, to)
        .mapToObj(i -> new Split(i, List.of(new FileSlice(path, new ByteRange(i * block, block)))))
        .toList();
  }

  private List<Integer> fetched() {
    return node.fetches.stream().map(b -> b.index()).toList();
  }

  private List<Integer> freed() {
    return node.frees.stream().map(b -> b.index()).toList();
  }

  /** What is left to say at the end of a job, when its applications are over. */
  @Test
  void totalsOutliveTheApplications() throws Exception {
    start(BufferMode.FULL_DELAY);
    tell(new WaveSize("app-1", 7));
    tell(new WaveSize("app-1", 3));
    tell(new PlanMessage.TaskRead(STAGE, 0, List.of(), 1_500_000));
    tell(new PlanMessage.TaskRead(STAGE, 1, List.of(), 500_000));
    tell(new StartApplication("app-1", "again"));
    tell(new EndApplication("app-1"));
    tell(new StartApplication("app-2", "next"));
    assertThat(deployment.report().totals()).isEqualTo(new DeploymentReport.Totals(2, 7, 2, 2, 0));
  }

  /** Nodes go on when a coordinator is started again, which has counted no task yet. */
  @Test
  void whatNodesServedIsOfTheTimeInWhichTasksWereCounted() throws Exception {
    start(BufferMode.FULL_DELAY);
    try (var older = deployment.node("old", 1002)) {
      older.servedBytes = 100L << 30;
      older.register();
      older.tells();
      assertThat(deployment.report().totals().servedBytes()).isZero();
      older.servedBytes = 101L << 30;
      older.tells();
    }
    var again = deployment.node("old", 1002);
    again.register();
    again.tells();
    again.servedBytes = 1L << 30;
    again.tells();
    assertThat(deployment.report().totals())
        .isEqualTo(new DeploymentReport.Totals(1, 2, 0, 0, 0, 0, 2L << 30, 1L << 30));
  }

  /**
   * As after a broken connection, or when events were dropped: the application is as old as ever.
   */
  @Test
  void whatItsTasksReadOutlivesAReportOfEverything() throws Exception {
    start(BufferMode.FULL_DELAY);
    var slice = new FileSlice("/in", new ByteRange(0, 2 << 20));
    tell(new PlanMessage.TaskRead(STAGE, 0, List.of(slice), 1_500_000_000));
    tell(new StartApplication("app-1", "word count"));
    tell(new PlanMessage.TaskRead(STAGE, 1, List.of(slice), 500_000_000));
    assertThat(why("app-1"))
        .anyMatch(line -> line.startsWith("its 2 tasks read 4 MiB and waited 2.0 s for it"));

    tell(new EndApplication("app-1"));
    tell(new StartApplication("app-1", "another of the same name"));
    assertThat(why("app-1")).anyMatch(line -> line.startsWith("its 0 tasks read 0 MiB"));
  }

  @Test
  void whatStaysWithExecutorsIsInTheReportAsTheDriverToldItLast() throws Exception {
    start(BufferMode.FULL_DELAY);
    assertThat(stayed()).isEmpty();
    tell(new OutputsStayed("app-1", List.of(new Stayed(StayCause.NO_ROOM, 3, 30))));
    var now = List.of(new Stayed(StayCause.NO_ROOM, 4, 3 << 19), new Stayed(StayCause.ERROR, 1, 0));
    tell(new OutputsStayed("app-1", now));
    tell(new OutputsStayed("app-1", now));
    assertThat(stayed()).isEqualTo(now);
    assertThat(why("app-1"))
        .contains("4 outputs (1.5 MiB) of app-1 stayed with executors: no node had room.")
        .anyMatch(line -> line.startsWith("1 output (0.0 MiB) of app-1 stayed with executors: "));
    tell(new StartApplication("app-1", "again"));
    assertThat(stayed()).isEqualTo(now);

    tell(new EndApplication("app-1"));
    tell(new StartApplication("app-1", "another of the same name"));
    assertThat(stayed()).isEmpty();
  }

  private List<Stayed> stayed() throws Exception {
    return deployment.report().applications().get(0).stayed();
  }

  @Test
  void aStageIsFetchedWaveByWaveAndFreedBehind() throws Exception {
    start(BufferMode.FULL_DELAY);
    tell(new PlanStage(STAGE, splits("/in", 0, 5), false));
    tell(new PlanStage(STAGE, splits("/in", 5, 10), true));
    await().untilAsserted(() -> assertThat(fetched()).containsExactly(0, 1, 2, 3));
    node.arrived(node.fetches);

    tell(new TasksEnded(STAGE, List.of(0, 1, 2)));
    await().untilAsserted(() -> assertThat(fetched()).containsExactly(0, 1, 2, 3, 4, 5, 6));
    assertThat(freed()).containsExactlyInAnyOrder(0, 1, 2);
    var expected =
        new ApplicationReport(
            "app-1", "word count", 2, 4L * TestDeployment.BLOCK, TestDeployment.BLOCK, 10, 3, 0);
    assertThat(deployment.report().applications()).containsExactly(expected);

    tell(new StageEnded(STAGE));
    await().untilAsserted(() -> assertThat(freed()).contains(3, 4, 5, 6));
    assertThat(node.drops).isEmpty();
    tell(new EndApplication("app-1"));
    assertThat(deployment.report().applications()).isEmpty();
    await()
        .untilAsserted(
            () ->
                assertThat(node.drops).containsExactly(new DropScratch("app-1", DropScratch.ALL)));
    assertThat(node.fetches).as("nothing was ordered twice").doesNotHaveDuplicates();
  }

  /** It is told of a stage first what has ended, then in parts what it reads. */
  @Test
  void aNewCoordinatorFetchesNothingForTasksThatHaveEnded() throws Exception {
    start(BufferMode.FULL_DELAY);
    tell(new TasksEnded(STAGE, List.of(0, 1, 2, 3, 4, 5)));
    tell(new PlanStage(STAGE, splits("/in", 0, 5), false));
    tell(new PlanStage(STAGE, splits("/in", 5, 10), true));

    await().untilAsserted(() -> assertThat(fetched()).containsExactly(6, 7, 8, 9));
    assertThat(deployment.report().applications().get(0).endedSplits()).isEqualTo(6);
    tell(new PlanStage(STAGE, splits("/in", 3, 4), true));
    await().untilAsserted(() -> assertThat(fetched()).as("3 runs again").contains(3));
  }

  @Test
  void intermediateDataLeavesLessRoomForInput() throws Exception {
    start(BufferMode.FULL_DELAY);
    int footprint = TestDeployment.BLOCK + 4096;
    node.scratch =
        new NodeCounters.Scratch((1L << 30) - 2L * footprint, 1, 0, 0, NodeCounters.Overflow.NONE);
    node.tells();
    tell(new PlanStage(STAGE, splits("/in", 0, 10), true));
    await().untilAsserted(() -> assertThat(fetched()).containsExactly(0, 1));
    node.scratch = NodeCounters.Scratch.NONE;
    node.tells();
    await().untilAsserted(() -> assertThat(fetched()).containsExactly(0, 1, 2, 3));
  }

  @Test
  void whyABlockAFileOrATaskIsInTheBufferOrNot() throws Exception {
    start(BufferMode.FULL_DELAY);
    tell(new PlanStage(STAGE, splits("/in", 0, 10), true));
    await().until(() -> node.fetches.size() == 4);
    node.arrived(List.of(node.fetches.get(0), node.fetches.get(1)));
    tell(new TasksEnded(STAGE, List.of(0)));
    await().until(() -> node.fetches.size() == 5);

    assertThat(why("/in@0"))
        .singleElement()
        .asString()
        .contains("all tasks that read it have ended");
    assertThat(why("/in@5000"))
        .singleElement()
        .asString()
        .contains(
            "block 1 of /in", "is in RAM on n1 for task 1 of stage 0.0 of app-1, which is next")
        .contains("s ago it arrived on node n1");
    assertThat(why("app-1/0/3"))
        .singleElement()
        .asString()
        .contains("was ordered from n1 for task 3", "has 2 before it, and has not arrived");
    assertThat(why("app-1/0/9")).singleElement().asString().contains("beyond the window");
    assertThat(why("/in"))
        .hasSize(11)
        .first()
        .asString()
        .startsWith("10 blocks are planned: 1 in RAM");
    assertThat(why("app-1"))
        .as("all that is known of it, whoever knows it")
        .anyMatch(line -> line.contains("its 0 tasks read"))
        .anyMatch(line -> line.startsWith("phases of HPC applications met: none"))
        .anyMatch(line -> line.contains("app-1 (word count) reads by a plan: "));
    assertThat(why("/other")).singleElement().asString().contains("what nobody plans to read");
    assertThat(why("nonsense")).singleElement().asString().contains("APPLICATION/STAGE/PARTITION");
    node.yielded(List.of(node.fetches.get(1)));
    assertThat(why("/in@5000"))
        .singleElement()
        .asString()
        .contains("s ago it had to yield to intermediate data on node n1");
  }

  private List<String> why(String target) throws Exception {
    return ((io.eley.bb.api.wire.PhaseMessage.Why)
            TestDeployment.ask(driver, new io.eley.bb.api.wire.PhaseMessage.GetWhy(target)))
        .lines();
  }

  @Test
  void naiveBbFetchesNothing() throws Exception {
    start(BufferMode.NAIVE_BB);
    tell(new PlanStage(STAGE, splits("/in", 0, 10), true));
    await().until(() -> deployment.report().applications().get(0).plannedSplits() == 10);
    await().until(() -> node.permit != null);
    long permit = node.permit.permit().sequence();
    await().until(() -> node.permit.permit().sequence() > permit);

    assertThat(node.fetches).isEmpty();
    assertThat(why("app-1"))
        .contains("app-1 reads the origin itself: this deployment prefetches nothing (NaiveBB)")
        .noneMatch(line -> line.contains("RAM"));
    assertThat(why("/in@0"))
        .singleElement()
        .asString()
        .contains("is not in the buffer, for this deployment prefetches nothing (NaiveBB)");
  }

  @Test
  void splitsOfFilesThatDoNotExistDoNotStopTheOthers() throws Exception {
    start(BufferMode.NO_ACTION);
    tell(new PlanStage(STAGE, splits("/gone", 0, 1), false));
    tell(new PlanStage(STAGE, splits("/in", 1, 3), true));

    await().untilAsserted(() -> assertThat(fetched()).containsExactly(1, 2));
  }

  @Test
  void aDriverThatDoesNotComeBackIsForgottenAfterTheGracePeriod() throws Exception {
    start(BufferMode.FULL_DELAY, "eley.driver-grace", "100ms");
    tell(new PlanStage(STAGE, splits("/in", 0, 10), true));
    await().until(() -> node.fetches.size() == 4);
    driver.close();

    await().until(() -> deployment.report().applications().isEmpty());
    await().until(() -> node.drops.contains(new DropScratch("app-1", DropScratch.ALL)));
    await().untilAsserted(() -> assertThat(freed()).hasSize(4));
  }

  /** What the next coordinator is to know, also of applications that this one was left. */
  @Test
  void theNamesOfApplicationsAreKeptInTheDirectory() throws Exception {
    Path directory = Files.createDirectory(temporary.resolve("deployment"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    Path file = new DeploymentFiles(directory).applications();
    Files.writeString(file, "app-0\n\n" + "long".repeat(100) + "\n");
    start(BufferMode.FULL_DELAY);
    await().until(() -> Files.readAllLines(file), List.of("app-1", "app-0")::equals);
    tell(new EndApplication("app-1"));
    tell(new EndApplication("app-0"));
    await().until(() -> Files.readAllLines(file), List.of()::equals);
  }

  @Test
  void aDriverThatComesBackInTimeGoesOn() throws Exception {
    start(BufferMode.FULL_DELAY);
    tell(new PlanStage(STAGE, splits("/in", 0, 10), true));
    await().until(() -> node.fetches.size() == 4);
    var lost = driver;
    driver = deployment.connect();
    lost.close();
    tell(new TasksEnded(STAGE, List.of(0)));

    await().until(() -> node.fetches.size() == 5);
    assertThat(deployment.report().applications()).hasSize(1);
  }

  @Test
  void aFileThatChangesIsFetchedInItsNewVersion() throws Exception {
    start(BufferMode.FULL_DELAY);
    tell(new PlanStage(STAGE, splits("/in", 0, 10), true));
    await().until(() -> node.fetches.size() == 4);
    deployment.file("in", 11);

    TestDeployment.ask(driver, new GetStatus("/in", true));

    await().until(() -> node.fetches.size() == 8);
    assertThat(node.frees).hasSize(4);
    assertThat(node.fetches.get(7).file().length()).isEqualTo(11L * TestDeployment.BLOCK);
  }

  @Test
  void aNodeThatLosesItsConnectionIsToldAgain() throws Exception {
    start(BufferMode.FULL_DELAY);
    tell(new PlanStage(STAGE, splits("/in", 0, 10), true));
    await().until(() -> node.fetches.size() == 4);
    node.close();
    var again = deployment.node("n1", 1001);
    again.register();

    await().untilAsserted(() -> assertThat(again.fetches).isEqualTo(node.fetches));
  }
}
