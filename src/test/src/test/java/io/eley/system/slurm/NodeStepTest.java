package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The steps that run a node and a coordinator, by themselves: bash runs them where srun would, so
 * that a signal can come at a moment that a test on Slurm hits by chance only.
 */
@Timeout(60)
class NodeStepTest {
  /** Starts the step of {@code steps.sh} and waits for it. */
  private static final String JOB =
      """
      source "$1"
      dir=$2 deployment=$2/deployment RAM_DISK=$2/ram OVERFLOW=$2/disk ELEY=$2/eley
      SLURM_JOB_ID=7 SLURM_PROCID=0 BUFFER_NODES=1 BUFFER_MEMORY=1m READY=1 ELEY_SETTINGS=()
      NODE_HEAP=5m COORDINATOR_HEAP=6m MARKS=$2/marks
      export SLURM_JOB_ID SLURM_PROCID MARKS
      wait_for() { :; }
      on_buffer() { while [[ $1 == --* ]]; do shift; done; exec "$@"; }
      start_nodes
      wait
      """;

  @TempDir private Path temp;
  private Path ram;
  private Path disk;

  @BeforeEach
  void surroundings() throws IOException {
    ram = Files.createDirectory(temp.resolve("ram"));
    disk = Files.createDirectory(temp.resolve("disk"));
    Files.createDirectory(temp.resolve("logs"));
    Files.createDirectory(temp.resolve("marks"));
  }

  private void tool(String name, String text) throws IOException {
    Path file = temp.resolve(name);
    Files.writeString(file, "#!/bin/bash\n" + text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private Process step() throws IOException {
    return step(JOB);
  }

  private Process step(String text) throws IOException {
    Path steps = Path.of(System.getProperty("eley.root"), "deploy/slurm/steps.sh");
    var builder =
        new ProcessBuilder("bash", "-c", text, "job", steps.toString(), temp.toString())
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("job.out").toFile());
    builder.environment().put("PATH", temp + ":" + System.getenv("PATH"));
    builder.environment().put("ELEY_JAVA_OPTS", "-Dof=mine");
    return builder.start();
  }

  private List<String> onTheRamDisk() throws IOException {
    try (Stream<Path> files = Files.list(ram)) {
      return files.map(p -> p.getFileName().toString()).toList();
    }
  }

  private void ends(Process job) throws Exception {
    assertThat(job.waitFor(30, TimeUnit.SECONDS)).as("the step ends").isTrue();
    assertThat(onTheRamDisk()).isEmpty();
    assertThat(disk.toFile().list()).isEmpty();
  }

  @Test
  void leavesNothingWhenItIsToldToEndWhileItMakesItsDirectory() throws Exception {
    tool("eley", "touch " + temp + "/node; exec sleep 1000");
    tool("mkdir", "/bin/mkdir \"$@\"\ntouch " + temp + "/made\nkill -TERM $PPID\n");
    ends(step());
    assertThat(temp.resolve("made")).exists();
    assertThat(temp.resolve("node")).as("a node was started").doesNotExist();
  }

  @Test
  void leavesNothingWhenItIsToldToEndTwice() throws Exception {
    tool(
        "eley",
        """
        trap 'sleep 0.3; exit 0' TERM
        for a in "$@"; do
          case $a in eley.node.directory=* | eley.node.overflow.directory=*)
            mkdir "${a#*=}"; echo block >"${a#*=}/block" ;;
          esac
        done
        echo $$ >%s/node
        while :; do sleep 0.05; done
        """
            .formatted(temp));
    var job = step();
    Path node = temp.resolve("node");
    await().until(() -> Files.exists(node) && Files.size(node) > 0);
    assertThat(onTheRamDisk()).hasSize(1).allMatch(name -> name.startsWith("eley-7-0-"));
    String name = onTheRamDisk().get(0);
    assertThat(disk.resolve(name).resolve("scratch/block")).as("its overflow").exists();
    for (Path place : List.of(ram, disk)) {
      assertThat(Files.getPosixFilePermissions(place.resolve(name)))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }
    ProcessHandle step =
        job.children().findFirst().orElseThrow(() -> new AssertionError("no step"));
    step.destroy();
    step.destroy();
    ends(job);
    long pid = Long.parseLong(Files.readString(node).strip());
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).as("the node").isEmpty();
  }

  @Test
  void leavesNothingWhenItsNodeDoesNotEnd() throws Exception {
    tool("eley", "trap '' TERM; echo $$ >" + temp + "/node; while :; do sleep 0.05; done");
    var job = step();
    Path node = temp.resolve("node");
    await().until(() -> Files.exists(node) && Files.size(node) > 0);
    ProcessHandle step =
        job.children().findFirst().orElseThrow(() -> new AssertionError("no step"));
    step.destroy();
    ends(job);
    long pid = Long.parseLong(Files.readString(node).strip());
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).as("the node").isEmpty();
  }

  /**
   * As executors that nobody has told to end, of a worker that is gone; and as their processes of
   * Python, which have a group of their own and which procps finds.
   */
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"in its group, without procps", "in a group of its own"})
  void leavesNothingOfWhatItsProcessHasStarted(String where) throws Exception {
    boolean procps = !where.contains("without procps");
    if (!procps) {
      tool("pgrep", "exit 127");
    }
    tool(
        "eley",
        """
        for a in "$@"; do
          case $a in eley.node.directory=*) directory=${a#*=} ;; esac
        done
        trap 'exit 0' TERM
        %s
        ( trap '' TERM; while :; do mkdir -p "$directory"; echo >"$directory/$RANDOM"; done ) &
        echo $! >%s/child
        while :; do sleep 0.05; done
        """
            .formatted(procps ? "set -m" : "", temp));
    var job = step();
    Path child = temp.resolve("child");
    await().until(() -> Files.exists(child) && Files.size(child) > 0);
    var writer = ProcessHandle.of(Long.parseLong(Files.readString(child).strip()));
    try {
      job.children().findFirst().orElseThrow(() -> new AssertionError("no step")).destroy();
      ends(job);
      await().until(() -> writer.filter(ProcessHandle::isAlive).isEmpty());
      assertThat(onTheRamDisk()).isEmpty();
    } finally {
      writer.ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /** As one that Slurm was still launching when the others were told to end. */
  @Test
  void startsNoNodeOnceTheJobEnds() throws Exception {
    tool("eley", "touch " + temp + "/node");
    Files.createFile(temp.resolve("marks/ending"));
    ends(step());
    assertThat(temp.resolve("marks/node-step-0")).as("it has begun").exists();
    Files.move(temp.resolve("marks"), temp.resolve("gone"));
    ends(step());
    assertThat(temp.resolve("node")).as("a node was started").doesNotExist();
  }

  /** As of a buffer that was killed while it ended, and is made anew for the same job. */
  @Test
  void theEndOfAnotherRunKeepsNoNodeFromStarting() throws Exception {
    tool("eley", "exit 1");
    Path ending = Files.createFile(temp.resolve("marks/ending"));
    assertThat(coordinatorStep().waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(ending).doesNotExist();
  }

  /** Without a bound it would be a quarter of the machine, and no room be left for the blocks. */
  @Test
  void theHeapOfEachProcessIsBounded() throws Exception {
    tool("eley", "echo \"$1 $ELEY_JAVA_OPTS\" >>" + temp + "/options; exit 1");
    ends(step());
    assertThat(coordinatorStep().waitFor(30, TimeUnit.SECONDS)).isTrue();
    ends(helperStep());
    assertThat(Files.readAllLines(temp.resolve("options")))
        .as("what is in ELEY_JAVA_OPTS already goes behind, and wins")
        .containsExactly(
            "node -Xmx5m -Dof=mine", "coordinator -Xmx6m -Dof=mine", "node -Xmx5m -Dof=mine");
  }

  private String saysOfSpills(Path spills, String memory) throws Exception {
    String job =
        JOB.replace(
            "start_nodes",
            "SPILLS=%s SPILL_MEMORY=%s SLURMD_NODENAME=n1; export SLURMD_NODENAME; check_spills on_buffer"
                .formatted(spills, memory));
    assertThat(step(job).waitFor(30, TimeUnit.SECONDS)).isTrue();
    return Files.readString(temp.resolve("job.out"));
  }

  @Test
  void whoSpillsToRamUnaskedIsTold() throws Exception {
    Path inRam = Path.of("/dev/shm");
    assertThat(saysOfSpills(inRam, "0m")).startsWith("eley: /dev/shm on n1 is RAM: ");
    assertThat(saysOfSpills(inRam, "2048m")).isEmpty();
    assertThat(saysOfSpills(Path.of("/proc"), "0m")).as("no RAM-disk").isEmpty();
  }

  private Process coordinatorStep() throws IOException {
    Files.createDirectory(temp.resolve("deployment"));
    return step(
        JOB.replace("start_nodes", "MODE=NoAction WATCH_SLURM=false start_coordinator on_buffer"));
  }

  @Test
  void aCoordinatorThatHasComeUpIsStartedAgain() throws Exception {
    tool(
        "eley",
        """
        echo $$ >>%1$s/started
        echo here:1 >%1$s/deployment/coordinator.address
        [ $(wc -l <%1$s/started) -ge 3 ] || exit 137
        exec sleep 1000
        """
            .formatted(temp));
    var job = coordinatorStep();
    Path started = temp.resolve("started");
    await().until(() -> Files.exists(started) && Files.readAllLines(started).size() == 3);
    ProcessHandle step =
        job.children().findFirst().orElseThrow(() -> new AssertionError("no step"));
    step.destroy();
    assertThat(job.waitFor(30, TimeUnit.SECONDS)).as("the step ends").isTrue();
    assertThat(Files.readAllLines(started)).hasSize(3);
    long last = Long.parseLong(Files.readAllLines(started).get(2));
    assertThat(ProcessHandle.of(last).filter(ProcessHandle::isAlive)).as("it").isEmpty();
    assertThat(Files.readString(temp.resolve("logs/coordinator.log")))
        .contains("has ended with 137");
  }

  @Test
  void aCoordinatorThatCannotComeUpIsAnError() throws Exception {
    tool("eley", "echo $$ >>" + temp + "/started; exit 1");
    assertThat(coordinatorStep().waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readAllLines(temp.resolve("started"))).hasSize(1);
  }

  /** The step of helpers; what `srun` makes two tasks of is one here, the second's. */
  private Process helperStep() throws IOException {
    Path root = Path.of(System.getProperty("eley.root"), "deploy/slurm");
    String script = Files.readString(root.resolve("spark-with-buffer.sh"));
    int from = script.indexOf("start_helpers() {");
    String function = script.substring(from, script.indexOf("\n}\n", from) + 3);
    return step(
        JOB.replace("SLURM_PROCID=0", "SLURM_PROCID=1")
            .replace(
                "start_nodes\n",
                function
                    + "look_for_nodes() { echo \"${@:2}\" >$dir/looked; }\n"
                    + "eval \"under_srun() $(declare -f on_buffer | tail -n +2)\"\n"
                    + "on_buffer() { echo \"$*\" >$dir/asked; under_srun \"$@\"; }\n"
                    + "workers=(a:1 b:2)\nstart_helpers\n"));
  }

  @Test
  void aHelperIsStartedAgainOnceTheJobWasReady() throws Exception {
    tool(
        "eley",
        """
        echo "$@" >>%1$s/helpers
        touch %1$s/marks/nodes
        echo $$ >>%1$s/started
        [ $(wc -l <%1$s/started) -ge 2 ] || exit 137
        exec sleep 1000
        """
            .formatted(temp));
    var job = helperStep();
    Path started = temp.resolve("started");
    await().until(() -> Files.exists(started) && Files.readAllLines(started).size() == 2);
    ProcessHandle step =
        job.children().findFirst().orElseThrow(() -> new AssertionError("no step"));
    step.destroy();
    ends(job);
    assertThat(Files.readAllLines(temp.resolve("helpers")))
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith("node ")
                    .contains("eley.node.name=b:2 ", "eley.node.memory=1m ")
                    .endsWith("-D eley.alluxio.worker=b:2"));
    assertThat(Files.readString(temp.resolve("looked"))).isEqualTo("2 a:1,b:2\n");
    assertThat(Files.readString(temp.resolve("asked")))
        .contains("--nodes=1 --ntasks=2 --ntasks-per-node=2 ");
    assertThat(Files.readString(temp.resolve("logs/nodes.log"))).contains("has ended with 137");
    long last = Long.parseLong(Files.readAllLines(started).get(1));
    assertThat(ProcessHandle.of(last).filter(ProcessHandle::isAlive)).as("it").isEmpty();
  }

  @Test
  void aHelperThatCannotComeUpIsAnError() throws Exception {
    tool("eley", "echo $$ >>" + temp + "/started; exit 1");
    ends(helperStep());
    assertThat(Files.readAllLines(temp.resolve("started"))).hasSize(1);
  }

  @Test
  void endsWithItsNode() throws Exception {
    tool("eley", "exit 3");
    ends(step());
  }

  @Test
  void startsNoNodeWhenItCannotMakeItsDirectory() throws Exception {
    tool("eley", "touch " + temp + "/node");
    tool("mkdir", "exit 1");
    ends(step());
    assertThat(temp.resolve("node")).doesNotExist();
  }
}
