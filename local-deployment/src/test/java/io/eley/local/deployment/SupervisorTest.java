package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.TreeDeletion;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.bb.api.wire.DeploymentReport.NodeReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that are killed, and come back. */
@Timeout(120)
@Tag("slow")
class SupervisorTest {
  @TempDir private Path temp;
  private Path ram;
  private DeploymentFiles files;
  private DeploymentPlan plan;

  @BeforeEach
  void surroundings() throws Exception {
    Files.createDirectory(temp.resolve("origin"));
    ram = Files.createDirectory(temp.resolve("ram"));
    files = new DeploymentFiles(temp.resolve("deployment"));
    plan = plan(temp);
  }

  private static DeploymentPlan plan(Path temp) {
    return new DeploymentPlan(
        temp.resolve("origin").toString(),
        2,
        DataSize.ofMebibytes(16),
        BufferMode.FULL_DELAY,
        BlockGeometry.DEFAULT,
        temp.resolve("ram"),
        "127.0.0.1",
        0,
        Map.of("eley.heartbeat-timeout", "2s", "eley.network.handshake-deadline", "60s"));
  }

  @AfterEach
  void nothingRunsAfterwards() throws EleyException {
    LocalDeployment.stop(files, Duration.ofMillis(100));
  }

  private Supervisor start() throws EleyException {
    return Supervisor.start(files, plan, Program.ofThisJvm(RealProcesses.class.getName()));
  }

  private ProcessHandle process(String name) throws EleyException {
    return new PidFile(files.pidFile(name)).running().orElseThrow();
  }

  private void kill(String name) throws EleyException {
    var killed = process(name);
    killed.destroyForcibly();
    await().until(() -> !PidFile.alive(killed));
  }

  private Optional<DeploymentReport> report() {
    try (var coordinator = LocalDeployment.connect(files)) {
      return Optional.of(coordinator.report());
    } catch (EleyException e) {
      return Optional.empty(); // between two coordinators
    }
  }

  private List<String> nodes() {
    return report()
        .map(r -> r.nodes().stream().map(NodeReport::id).sorted().toList())
        .orElse(List.of());
  }

  /** On a busy machine one may be silent for a moment. */
  private List<String> bothNodes() {
    var both = new ArrayList<String>();
    await()
        .until(
            () -> {
              both.clear();
              both.addAll(nodes());
              return both.size() == 2;
            });
    return both;
  }

  @Test
  void aCoordinatorThatIsKilledComesBackAndKnowsItsNodes() throws Exception {
    var supervisor = start();
    try {
      var before = bothNodes();
      await().until(() -> report().isPresent());
      long epoch = report().orElseThrow().epoch();

      kill("coordinator");
      await().untilAsserted(() -> assertThat(nodes()).isEqualTo(before));
      assertThat(report().orElseThrow().epoch())
          .as("clients take the newer view")
          .isGreaterThan(epoch);
    } finally {
      supervisor.close();
    }
    assertThat(ram).isEmptyDirectory();
    assertThat(new ProcessList(files).anyRuns()).isFalse();
  }

  @Test
  void aCoordinatorThatHadComeUpIsStartedAgainSoonHoweverOftenItIsKilled() throws Exception {
    var supervisor = start();
    try {
      var pauses = new ArrayList<Duration>();
      for (int i = 0; i < 8; i++) {
        await().until(() -> report().isPresent());
        kill("coordinator");
        // Only the pause: how long a JVM takes to come up is the machine's affair.
        long killed = System.nanoTime();
        await().until(() -> new PidFile(files.pidFile("coordinator")).running().isPresent());
        pauses.add(Duration.ofNanos(System.nanoTime() - killed));
      }
      // One that grew would be longer the last two times; once the machine may have stood still.
      assertThat(pauses.stream().filter(pause -> pause.compareTo(Duration.ofSeconds(4)) > 0))
          .as("long ones of %s", pauses)
          .hasSizeLessThan(2);
    } finally {
      supervisor.close();
    }
  }

  @Test
  void aNodeThatIsKilledComesBackUnderItsName() throws Exception {
    var supervisor = start();
    try {
      var before = bothNodes();
      var old = process("node-1");
      kill("node-1");
      await()
          .until(
              () ->
                  new PidFile(files.pidFile("node-1"))
                      .running()
                      .filter(process -> !process.equals(old))
                      .isPresent());
      await()
          .untilAsserted(
              () ->
                  assertThat(report().map(DeploymentReport::nodes).orElse(List.of()))
                      .allMatch(n -> n.heardMillisAgo() < 1_000)
                      .extracting(NodeReport::id)
                      .containsExactlyInAnyOrderElementsOf(before));
    } finally {
      supervisor.close();
    }
  }

  /**
   * As systemd-logind does it, to all of a user whose last session has ended: in one pass, which
   * leaves the directories that a node writes into meanwhile.
   */
  @Test
  void nodesWhoseDirectoriesAreRemovedUnderThemEndAndComeBackWithNewOnes() throws Exception {
    var supervisor = start();
    try {
      bothNodes();
      var before = List.of(process("node-1"), process("node-2"));
      removeOnce();
      await().untilAsserted(() -> assertThat(before).noneMatch(PidFile::alive));
      assertThat(Files.readString(files.log("node-1"))).contains("RemoveIPC");
      await()
          .untilAsserted(
              () ->
                  assertThat(report().map(DeploymentReport::nodes).orElse(List.of()))
                      .filteredOn(n -> n.heardMillisAgo() < 1_000)
                      .hasSize(2));
    } finally {
      supervisor.close();
    }
    assertThat(ram).as("what was made again is removed, too").isEmptyDirectory();
  }

  /** All of one directory; of the other one not the blocks, since one arrives. */
  private void removeOnce() throws Exception {
    List<Path> directories;
    try (var all = Files.list(ram)) {
      directories = all.sorted().toList();
    }
    assertThat(directories).hasSize(2);
    Files.writeString(directories.get(1).resolve("blocks/arriving"), "x");
    for (String name : List.of("lock", "node.id")) {
      Files.delete(directories.get(1).resolve(name));
    }
    TreeDeletion.delete(directories.get(1).resolve("tmp"));
    TreeDeletion.delete(directories.get(0));
  }

  @Test
  void whatIsStoppedIsNotStartedAgain() throws Exception {
    var supervisor = start();
    var ended = List.of(process("coordinator"), process("node-1"), process("node-2"));
    supervisor.close();
    // What did not heed TERM in time was killed, and may be about to end.
    await().untilAsserted(() -> assertThat(ended).noneMatch(PidFile::alive));
    assertThat(new ProcessList(files).anyRuns()).isFalse();
    assertThat(ram).isEmptyDirectory();
    supervisor.close(); // may be repeated
  }

  @Test
  void aDeploymentThatCannotStartIsOneLineAndLeavesNothing() throws Exception {
    var dies = new Children(Children.DIES_AT_START, Children.RUNS);
    assertThatThrownBy(() -> Supervisor.start(files, plan, dies))
        .hasMessage("coordinator: the port is in use");
    assertThat(ram).isEmptyDirectory();
    assertThat(new ProcessList(files).anyRuns()).isFalse();
  }

  /** What {@code eley start --foreground} is. */
  static final class Foreground {
    private static final String SUPERVISES = "all of it is up";

    private Foreground() {}

    public static void main(String[] arguments) throws Exception {
      Path temp = Path.of(arguments[0]);
      var files = new DeploymentFiles(temp.resolve("deployment"));
      Program real = Program.ofThisJvm(RealProcesses.class.getName());
      Daemon.run(
          Map.of(),
          unused -> {
            var supervisor = Supervisor.start(files, plan(temp), real);
            System.out.println(SUPERVISES);
            return supervisor;
          });
    }
  }

  @Test
  void whatEndsWhileTheSystemGivesNoThreadIsStartedAgainOnceItDoes() throws Exception {
    var command =
        Program.ofThisJvm(Foreground.class.getName()).command(temp.toString(), 64, List.of());
    Path output = temp.resolve("output");
    Process supervisor =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      await().until(() -> Files.readString(output).contains(Foreground.SUPERVISES));
      var ended = process("node-1");
      ThreadLimit limit = ThreadLimit.on(supervisor.toHandle());
      try {
        kill("node-1");
        await()
            .untilAsserted(
                () -> assertThat(Files.readString(output)).contains("cannot start node-1"));
      } finally {
        limit.lift();
      }
      await()
          .until(
              () ->
                  new PidFile(files.pidFile("node-1"))
                      .running()
                      .filter(process -> !process.equals(ended))
                      .isPresent());
      assertThat(Files.readString(output)).containsOnlyOnce("node-1 has ended after");
    } finally {
      LocalDeployment.stop(files, Duration.ofSeconds(5));
      supervisor.destroyForcibly();
    }
  }

  /** Starts when another one has also seen that nothing runs; the words of a refusal, or none. */
  private String startBeside(CyclicBarrier bothHaveLooked) {
    var supervisor =
        Program.ofThisJvm(Foreground.class.getName()).command(temp.toString(), 64, List.of());
    try {
      LocalDeployment.startSupervised(
          files, plan, supervisor, line -> meet(bothHaveLooked), Teardown.detached());
      return "";
    } catch (EleyException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void ofTwoStartsAtOnceOneIsADeploymentAndTheOtherIsRefused() {
    var bothHaveLooked = new CyclicBarrier(2);
    var other = CompletableFuture.supplyAsync(() -> startBeside(bothHaveLooked));
    String mine = startBeside(bothHaveLooked);
    assertThat(List.of(mine, other.join()))
        .containsExactlyInAnyOrder(
            "",
            "a deployment runs in "
                + files.directory()
                + " already; `eley stop` it, or name another --deployment");
    assertThat(bothNodes()).doesNotHaveDuplicates();
    assertThatCode(() -> process("supervisor")).doesNotThrowAnyException();
  }

  /** Supervises children that run for ever and never register, in a process of its own. */
  static final class NeverReady {
    private NeverReady() {}

    public static void main(String[] arguments) throws Exception {
      Path temp = Path.of(arguments[0]);
      var files = new DeploymentFiles(temp.resolve("deployment"));
      Program waits =
          (verb, heap, words) -> List.of("/bin/sh", "-c", Children.RUNS, verb, temp.toString());
      Supervisor.start(files, plan(temp), waits);
    }
  }

  @Test
  void aSupervisorThatIsToldToEndWhileItStartsLeavesNothing() throws Exception {
    var command =
        Program.ofThisJvm(NeverReady.class.getName()).command(temp.toString(), 64, List.of());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("output").toFile())
            .start();
    try {
      // It notes itself before it starts the others: TERM comes while it starts them.
      await().until(() -> new PidFile(files.pidFile("supervisor")).running().isPresent());
      process.destroy();
      assertThat(process.waitFor(40, TimeUnit.SECONDS)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    // What did not heed TERM in time was killed, and may be about to end.
    await()
        .untilAsserted(
            () ->
                assertThat(
                        ProcessHandle.allProcesses()
                            .filter(PidFile::alive)
                            .map(p -> p.info().commandLine().orElse(""))
                            .filter(line -> line.contains(temp.toString())))
                    .isEmpty());
    assertThat(ram).isEmptyDirectory();
    assertThat(new ProcessList(files).anyRuns()).isFalse();
  }
}
