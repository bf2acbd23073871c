package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.edge.OwnFiles;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.coordinator.config.CoordinatorKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starting, with real processes and with such that go wrong; and stopping what was left. */
@Timeout(120)
@Tag("slow")
class StartAndStopTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Supervision IMPATIENT = new Supervision(false, Duration.ofMillis(400));
  private static final Supervision PATIENT = new Supervision(false, PATIENCE);

  @TempDir private Path temp;
  private Path origin;
  private Path ram;
  private DeploymentFiles files;
  private final List<String> progress = new ArrayList<>();

  @BeforeEach
  void surroundings() throws IOException {
    origin = Files.createDirectory(temp.resolve("origin"));
    ram = Files.createDirectory(temp.resolve("ram"));
    files = new DeploymentFiles(temp.resolve("deployment"));
  }

  @AfterEach
  void nothingRunsAfterwards() throws EleyException {
    LocalDeployment.stop(files, Duration.ofMillis(100));
  }

  private DeploymentPlan plan(int nodes, Map<String, String> settings) {
    return new DeploymentPlan(
        origin.toString(),
        nodes,
        DataSize.ofMebibytes(16),
        BufferMode.FULL_DELAY,
        BlockGeometry.DEFAULT,
        ram,
        "127.0.0.1",
        0,
        settings);
  }

  private void start(Program program, Supervision supervision) throws EleyException {
    LocalDeployment.start(
        files,
        plan(2, Map.of("eley.network.handshake-deadline", "60s")),
        program,
        supervision,
        progress::add);
  }

  private void nothingIsLeft() throws IOException {
    assertThat(ram).isEmptyDirectory();
    assertThat(files.ramDisks()).doesNotExist();
    assertThat(files.settings()).doesNotExist();
    try (var left = Files.list(files.directory())) {
      assertThat(left.filter(DeploymentFiles::isPidFile)).isEmpty();
    }
  }

  private ProcessHandle process(String name) throws EleyException {
    return new PidFile(files.pidFile(name)).running().orElseThrow();
  }

  @Test
  void realProcessesComeUpAndEndTogether() throws Exception {
    start(Program.ofThisJvm(RealProcesses.class.getName()), PATIENT);
    assertThat(progress).containsExactly("starting the coordinator and 2 nodes ...");
    try (var coordinator = LocalDeployment.connect(files)) {
      assertThat(coordinator.report().nodes()).hasSize(2);
    }
    assertThat(new GivenSettings(files).noted())
        .isEqualTo(Map.of("eley.network.handshake-deadline", "60s"));
    assertThat(Files.getPosixFilePermissions(files.secret()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(Files.getPosixFilePermissions(files.directory()))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    try (var made = Files.list(ram)) {
      assertThat(made)
          .hasSize(2)
          .allMatch(d -> d.getFileName().toString().startsWith("eley-node-"));
    }

    assertThatThrownBy(() -> start(new Children("exit 0", "exit 0"), PATIENT))
        .hasMessageContaining("a deployment runs in " + files.directory() + " already");

    var nodes = List.of(process("node-1"), process("node-2"));
    var coordinator = process("coordinator");
    assertThat(LocalDeployment.stop(files, PATIENCE)).isEqualTo(3);
    assertThat(nodes).noneMatch(PidFile::alive);
    assertThat(PidFile.alive(coordinator)).isFalse();
    nothingIsLeft();
    assertThat(files.coordinatorAddress()).as("taken away by a TERM").doesNotExist();
    assertThat(LocalDeployment.stop(files, PATIENCE)).as("again").isZero();
  }

  @Test
  void aDeploymentStartsInTheDirectoryThatAKilledCoordinatorLeft() throws Exception {
    var program = Program.ofThisJvm(RealProcesses.class.getName());
    start(program, PATIENT);
    process("coordinator").destroyForcibly();
    process("node-1").destroyForcibly();
    await().until(() -> !new PidFile(files.pidFile("coordinator")).running().isPresent());
    await().until(() -> !new PidFile(files.pidFile("node-1")).running().isPresent());
    String old = Files.readString(files.coordinatorAddress());
    assertThat(LocalDeployment.stop(files, PATIENCE)).as("the other node").isEqualTo(1);
    nothingIsLeft();
    assertThat(files.whileItListens()).as("left by the killed one").noneMatch(Files::exists);
    String secret = Files.readString(files.secret());
    OwnFiles.replace(files.coordinatorAddress(), old); // as after a reboot, when nobody stopped it

    start(program, PATIENT);
    try (var coordinator = LocalDeployment.connect(files)) {
      assertThat(coordinator.report().nodes()).hasSize(2);
    }
    assertThat(files.secret()).as("clients keep theirs").hasContent(secret);
  }

  @Test
  void aCoordinatorThatDiesAtItsStartIsQuotedAndTheNodesAreEnded() throws Exception {
    assertThatThrownBy(() -> start(new Children(Children.DIES_AT_START, Children.RUNS), PATIENT))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .hasMessage("coordinator: the port is in use");
    nothingIsLeft();
    assertThat(Files.readString(files.log("coordinator"))).contains("a stack trace");
  }

  @Test
  void aNodeThatDiesAtItsStartIsNamed() throws Exception {
    var children = new Children(Children.RUNS, Children.DIES_OF_AN_ACCIDENT);
    assertThatThrownBy(() -> start(children, PATIENT))
        .message()
        .matches("node-[12] ended: OutOfMemoryError");
    nothingIsLeft();
    var silent = new Children(Children.RUNS, Children.DIES_WITHOUT_A_WORD);
    assertThatThrownBy(() -> start(silent, PATIENT))
        .message()
        .matches("node-[12] ended: it said nothing");
  }

  @Test
  void aProgramThatIsNotThereIsSaid() {
    assertThatThrownBy(
            () -> start((verb, heap, arguments) -> List.of(temp + "/no-such-java"), PATIENT))
        .hasMessageStartingWith("cannot start coordinator: ")
        .hasMessageContaining("no-such-java");
  }

  @Test
  void aCoordinatorThatNeverAnswersIsGivenUp() throws Exception {
    assertThatThrownBy(() -> start(new Children(Children.RUNS, Children.RUNS), IMPATIENT))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE))
        .hasMessageStartingWith("the coordinator was not ready within 0 s; see ");
    nothingIsLeft();
  }

  /** Shell's words that make an address where nobody is: whole at once, for it is read at once. */
  private String addressOfNobody() {
    Path address = files.coordinatorAddress();
    return "echo 127.0.0.1:1 >%1$s.new; mv %1$s.new %1$s; ".formatted(address);
  }

  /** Its address is known before it answers there, as on a machine with too much to do. */
  @Test
  void aCoordinatorThatIsSlowToAnswerIsAskedAgain() throws Exception {
    var real = Program.ofThisJvm(RealProcesses.class.getName());
    Program slow =
        (verb, heap, arguments) -> {
          var words = new ArrayList<String>();
          if (verb.equals("coordinator")) {
            String early = addressOfNobody() + "exec \"$@\"";
            words.addAll(List.of("/bin/sh", "-c", early, verb));
          }
          words.addAll(real.command(verb, heap, arguments));
          return words;
        };
    start(slow, PATIENT);
    try (var coordinator = LocalDeployment.connect(files)) {
      assertThat(coordinator.report().nodes())
          .hasSize(2)
          .allMatch(node -> node.counters().serving());
    }
  }

  @Test
  void aCoordinatorThatListensButNeverSpeaksIsGivenUp() {
    // The address appears, but nobody is behind it: the deployment must not count as started.
    String address = addressOfNobody() + "while :; do sleep 0.2; done";
    var patience = Duration.ofSeconds(5);
    assertThatThrownBy(
            () -> start(new Children(address, Children.RUNS), new Supervision(false, patience)))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE))
        .hasMessageStartingWith("the coordinator (")
        .hasMessageContaining(" was not ready within 5 s; see ");
  }

  @Test
  void aProcessThatSurvivesTermIsKilled() throws Exception {
    Path said = temp.resolve("deaf");
    Files.createDirectories(files.logs());
    var deafly = List.of("/bin/sh", "-c", Children.survivesTerm(said));
    ChildProcess.start(files, new Part("node-1", deafly), false);
    await().until(() -> Files.exists(said));
    ProcessHandle deaf = process("node-1");
    assertThat(LocalDeployment.stop(files, Duration.ofMillis(200))).isEqualTo(1);
    await().until(() -> !PidFile.alive(deaf));
    assertThat(files.pidFile("node-1")).doesNotExist();
  }

  @Test
  void aStalePidFileEndsNobody() throws Exception {
    Files.createDirectories(files.directory());
    // The number of this very JVM, but the start of another process that had the number before.
    Files.writeString(files.pidFile("node-1"), ProcessHandle.current().pid() + " 1");
    Files.writeString(files.pidFile("coordinator"), "garbage");
    assertThat(LocalDeployment.stop(files, PATIENCE)).isZero();
    assertThat(ProcessHandle.current().isAlive()).isTrue();
    nothingIsLeft();
  }

  @Test
  void whatTheUserSetsComesLastAndGoesToAllProcesses() throws Exception {
    var children = new Children(Children.DIES_AT_START, Children.RUNS);
    String host = CoordinatorKeys.LISTEN_HOST.name();
    var settings = Map.of(host, "0.0.0.0", "eley.delay.max", "3s");
    assertThatThrownBy(
            () -> LocalDeployment.start(files, plan(1, settings), children, PATIENT, progress::add))
        .isInstanceOf(EleyException.class);
    assertThat(children.started).hasSize(2);
    assertThat(children.started.get(0))
        .startsWith("coordinator", "256", "-D")
        .contains("eley.delay.max=3s", "eley.mode=FullDelay", host + "=0.0.0.0")
        .doesNotContain(host + "=127.0.0.1");
    assertThat(children.started.get(1))
        .startsWith("node", "512", "-D")
        .contains("eley.delay.max=3s", "eley.node.memory=16m");
  }

  @Test
  void eachNodeHasADirectoryOfItsOwnInTheOverflow() throws Exception {
    Path disk = Files.createDirectory(temp.resolve("disk"));
    Path others = Files.createFile(disk.resolve("somebody's"));
    var children = new Children(Children.DIES_AT_START, Children.RUNS);
    var settings =
        Map.of("eley.node.overflow.directory", disk + "", "eley.node.overflow.size", "1m");
    assertThatThrownBy(
            () -> LocalDeployment.start(files, plan(2, settings), children, PATIENT, progress::add))
        .hasMessageContaining("the port is in use");
    for (int node = 1; node <= 2; node++) {
      String own = "eley.node.overflow.directory=" + disk + "/eley-node-" + node + "-";
      assertThat(children.started.get(node))
          .filteredOn(argument -> argument.startsWith("eley.node.overflow.directory="))
          .singleElement()
          .asString()
          .startsWith(own);
    }
    LocalDeployment.stop(files, PATIENCE);
    assertThat(disk)
        .isDirectoryContaining(others::equals)
        .isDirectoryNotContaining(path -> !path.equals(others));
  }

  @Test
  void whatCannotWorkIsRefusedBeforeAnythingIsMade() {
    var children = new Children(Children.RUNS, Children.RUNS);
    Path gone = temp.resolve("gone");
    ram = gone;
    assertThatThrownBy(() -> start(children, PATIENT))
        .hasMessage("--ram-disk " + gone + " is not a directory that this user can write to");
    ram = temp;
    String key = "eley.node.overflow.directory";
    assertThatThrownBy(
            () ->
                LocalDeployment.start(
                    files, plan(2, Map.of(key, gone + "")), children, PATIENT, progress::add))
        .hasMessage("--overflow " + gone + " is not a directory that this user can write to");
    var large = Map.of(key, temp + "", "eley.node.overflow.size", "900t");
    assertThatThrownBy(
            () -> LocalDeployment.start(files, plan(2, large), children, PATIENT, progress::add))
        .hasMessageContaining("2 nodes of 900t do not fit on " + temp);
    assertThatThrownBy(
            () ->
                LocalDeployment.start(
                    files,
                    new DeploymentPlan(
                        origin.toString(),
                        64,
                        DataSize.parse("1000t"),
                        BufferMode.NO_ACTION,
                        BlockGeometry.DEFAULT,
                        ram,
                        "127.0.0.1",
                        0,
                        Map.of()),
                    children,
                    PATIENT,
                    progress::add))
        .hasMessageContaining("64 nodes of 1000t do not fit on " + temp);
    origin = temp.resolve("no origin");
    assertThatThrownBy(() -> start(children, PATIENT)).hasMessageContaining("does not exist");
    assertThat(children.started).isEmpty();
    assertThat(files.directory()).doesNotExist();
    assertThat(progress).isEmpty();
  }

  @Test
  void withoutADeploymentThereIsNobodyToConnectTo() {
    assertThatThrownBy(() -> LocalDeployment.connect(files))
        .hasMessage("no deployment runs in " + files.directory() + "; start one with `eley start`");
  }

  /** A job's coordinator may come a moment later: nobody is to start another one. */
  @Test
  void whereOneWasMadeItIsSaidThatItDoesNotRunNow() throws Exception {
    Files.createDirectories(files.directory());
    Files.createFile(
        files.secret(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    assertThatThrownBy(() -> LocalDeployment.connect(files))
        .hasMessage(
            "no deployment runs in "
                + files.directory()
                + " now: it has not begun yet, or has ended (its logs are there)");
  }
}
