package io.eley.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.process.JavaCommand;
import io.eley.local.deployment.LocalDeployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a verb does with what a process alone has: a umask, {@code eley.conf}, signals. */
@Tag("system")
@Timeout(240)
class VerbsAsProcessesTest {
  private static final int ATTEMPTS = 3;

  /** The exit code of a shell for a command that was ended by TERM. */
  private static final int TERMINATED = 143;

  /** A deployment takes longer to start. */
  private static final Duration LATE = Duration.ofMillis(300);

  @TempDir private Path temp;
  private Path ram;
  private DeploymentFiles deployment;
  private @Nullable Process started;

  @BeforeEach
  void places() throws Exception {
    Files.createDirectory(temp.resolve("origin"));
    ram = Files.createDirectory(temp.resolve("ram"));
    deployment = new DeploymentFiles(temp.resolve("deployment"));
    Path lib = Files.createDirectories(temp.resolve("cli/target/lib"));
    Files.createFile(lib.resolve("eley-spark-connector-1.jar"));
  }

  @AfterEach
  void stop() throws Exception {
    if (started != null) {
      started.destroyForcibly().waitFor();
    }
    LocalDeployment.stop(deployment, Duration.ofSeconds(15));
  }

  /** A command line as a process of its own, which says everything into one file. */
  private Process eley(String umask, List<String> words) throws IOException {
    return shell("umask " + umask + "; exec \"$@\"", words);
  }

  /** A script whose parameters are a command line. */
  private Process shell(String script, List<String> words) throws IOException {
    var command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
    command.addAll(
        JavaCommand.ofThisJvm()
            .serialCollector()
            .quickStart()
            .property("eley.home", temp.toString())
            .classPathOfThisJvm()
            .run(Main.class.getName(), words));
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("said").toFile());
    builder.environment().remove("SPARK_HOME");
    started = builder.start();
    return started;
  }

  private static int code(Process process) throws InterruptedException {
    assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  private String said() throws IOException {
    return Files.readString(temp.resolve("said"));
  }

  /** A verb, and the options of the smallest deployment. */
  private List<String> words(String verb) {
    return List.of(
        verb,
        "--origin=" + temp.resolve("origin"),
        "--nodes=1",
        "--memory=16m",
        "--ram-disk=" + ram,
        "--no-scratch",
        "--deployment=" + deployment.directory());
  }

  @Test
  void aUmaskThatLeavesTheGroupItsRightsIsNoObstacle() throws Exception {
    Process start = eley("002", words("start"));
    assertThat(code(start)).as(said()).isZero();
    assertThat(Files.getPosixFilePermissions(deployment.log("node-1")))
        .as("this is such a umask")
        .isEqualTo(PosixFilePermissions.fromString("rw-rw-r--"));
    String place = deployment.directory().toString();
    assertThat(Eley.run("status", "-d", place).code()).isZero();
    Eley stop = Eley.run("stop", "-d", place);
    assertThat(stop.out()).as(stop.err()).contains("stopped 3 processes");
    assertThat(ram).isEmptyDirectory();
  }

  /** Whoever writes a report to a full disk has none, and is to know. */
  @Test
  void whatCannotBeWrittenIsNotDone() throws Exception {
    Process full = shell("\"$@\" >/dev/full", List.of("config"));
    assertThat(code(full)).isEqualTo(ErrorLine.FAILED);
    assertThat(said())
        .isEqualTo("eley: what there is to say cannot be written (is the disk full?)\n");
    var phase = List.of("phase", "run", "-d", temp + "/none", "--", "true");
    assertThat(code(shell("\"$@\" >/dev/full", phase))).as("its command's").isZero();
    // Into a pipe that nobody reads any more, as behind `head`.
    String closed = "exec 3>&1; { \"$@\"; echo code $? >&3; } | exec true";
    assertThat(code(shell(closed, List.of("config")))).isZero();
    assertThat(said()).isEqualTo("code 0\n");
  }

  @Test
  void aWatchEndsWithWhoReadsIt() throws Exception {
    Process start = eley("022", words("start"));
    assertThat(code(start)).as(said()).isZero();
    String place = deployment.directory().toString();
    Process watch = shell("\"$@\" | head -n 1", List.of("status", "--watch=200ms", "-d", place));
    assertThat(code(watch)).isZero();
    assertThat(said()).startsWith("FullDelay over ").hasLineCount(1);
  }

  @Test
  void aStartThatStaysSaysWhoKeepsIntermediateDataToo() throws Exception {
    var words = new ArrayList<>(words("start"));
    words.remove("--no-scratch");
    words.add("--foreground");
    Process start = eley("022", words);
    await()
        .atMost(90, TimeUnit.SECONDS)
        .until(() -> Files.exists(deployment.pidFile("supervisor")));
    assertThat(said()).contains("SPARK_HOME is not set: Spark keeps its intermediate data itself");
    start.destroy();
    assertThat(code(start)).as(said()).isEqualTo(TERMINATED);
    nothingIsLeft();
  }

  @Test
  void theCommandOfAPhaseRunsWhateverEleyConfIs() throws Exception {
    Path conf = Files.createDirectories(temp.resolve("conf")).resolve("eley.conf");
    Path ran = temp.resolve("ran");
    String place = deployment.directory().toString();
    var words = List.of("phase", "run", "-d", place, "--", "sh", "-c", "echo x >>" + ran);
    Files.writeString(conf, "origin = /x\n");
    Files.setPosixFilePermissions(conf, PosixFilePermissions.fromString("rw-rw-r--"));
    assertThat(code(eley("022", words))).as(said()).isZero();
    assertThat(said()).contains("eley: no eley.conf is used", conf + " (owner ").hasLineCount(2);
    assertThat(code(eley("022", List.of("status", "-d", place)))).as("another verb").isOne();
    assertThat(said()).contains(conf + " (owner ").hasLineCount(1);

    Files.writeString(conf, "origin = \\u12\n");
    Files.setPosixFilePermissions(conf, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(code(eley("022", words))).as(said()).isZero();
    assertThat(said()).contains("eley: no eley.conf is used", "cannot read " + conf);
    assertThat(ran).hasContent("x\nx\n");

    Files.writeString(conf, "lease = soon\n");
    assertThat(code(eley("022", words))).as(said()).isZero();
    assertThat(said())
        .contains("eley: no eley.conf is used, the command runs anyway: --lease")
        .doesNotContain("no verb has an option");
    assertThat(ran).hasContent("x\nx\nx\n");
    Files.writeString(conf, "run.lease = 0s\n");
    assertThat(code(eley("022", words))).as(said()).isZero();
    assertThat(said()).contains("the command runs anyway: --lease 0: must be longer");
    assertThat(ran).hasContent("x\nx\nx\nx\n");
    var wrong = List.of("phase", "run", "--leese", "1m", "-d", place, "--", "true");
    assertThat(code(eley("022", wrong))).as(said()).isEqualTo(ErrorLine.USAGE);
    assertThat(said()).as("what was typed makes no sense either").doesNotContain("anyway");
  }

  /** As ctrl-C on a terminal has it, which ends the command, too. */
  @Test
  void aPhaseIsOverWhenItsCommandEndsAndWeAreToldToEndJustThen() throws Exception {
    Process start = eley("022", words("start"));
    assertThat(code(start)).as(said()).isZero();
    String place = deployment.directory().toString();
    String both = "kill -TERM $PPID; exit 0";
    var phase = List.of("phase", "run", "--app=climate", "-d", place, "--", "sh", "-c", both);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      // 0 where it had ended before it was told.
      assertThat(code(eley("022", phase))).as(said()).isIn(0, TERMINATED);
      assertThat(said()).as("it was announced").isEmpty();
      assertThat(Eley.run("phase", "list", "-d", place).out())
          .startsWith("no HPC application is in a phase");
    }
  }

  /** Command lines of processes that name this test's directory. */
  private List<String> processes() {
    return ProcessHandle.allProcesses()
        .map(p -> commandOf(p.pid()))
        .filter(line -> line.contains(temp.toString()))
        .toList();
  }

  /** All of it, which the JDK does not give; empty of one that has ended. */
  private static String commandOf(long pid) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), ISO_8859_1)
          .replace('\0', ' ');
    } catch (IOException e) {
      return "";
    }
  }

  private void nothingIsLeft() throws Exception {
    // What did not heed TERM in time was killed, and may be about to end.
    await().untilAsserted(() -> assertThat(processes()).isEmpty());
    assertThat(ram).isEmptyDirectory();
    try (var left = Files.list(deployment.directory())) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.startsWith("spark-conf") || name.endsWith(".pid"));
    }
  }

  private Process run(String script) throws Exception {
    var words = new ArrayList<>(words("run"));
    words.addAll(List.of("--", "sh", "-c", script));
    return eley("022", words);
  }

  /** Where the machine lets TERM be so late that the start was over, it is tried again. */
  @Test
  void aRunThatIsToldToEndWhileItStartsLeavesNothing() throws Exception {
    Path ran = temp.resolve("ran");
    int code;
    boolean late;
    int attempts = 0;
    do {
      Files.deleteIfExists(ran);
      Process run = run("touch " + ran);
      late = endWhenItsSupervisorIsThere(run);
      code = code(run);
      nothingIsLeft();
    } while (late && Files.exists(ran) && ++attempts < ATTEMPTS);
    assertThat(code).as(said()).isEqualTo(TERMINATED);
    assertThat(ran).doesNotExist();
  }

  /** What was typed wrongly is taken back before it is there, and can be typed again. */
  @Test
  void aStartThatIsToldToEndLeavesNothing() throws Exception {
    int attempts = 0;
    boolean late;
    do {
      LocalDeployment.stop(deployment, Duration.ofSeconds(15));
      Process start = eley("022", words("start"));
      late = endWhenItsSupervisorIsThere(start);
      code(start);
    } while (late && said().contains("--conf") && ++attempts < ATTEMPTS);
    assertThat(said()).doesNotContain("--conf");
    nothingIsLeft();
  }

  /** Returns whether it was told so late that its start may have been over. */
  private boolean endWhenItsSupervisorIsThere(Process run) throws Exception {
    Path supervisor = deployment.pidFile("supervisor");
    await().atMost(90, TimeUnit.SECONDS).until(() -> Files.exists(supervisor) || !run.isAlive());
    Instant there;
    try {
      there = Files.getLastModifiedTime(supervisor).toInstant();
    } catch (NoSuchFileException e) {
      there = Instant.MIN; // it has ended
    }
    run.destroy();
    return there.isBefore(Instant.now().minus(LATE));
  }

  @Test
  void aRunThatIsToldToEndLetsItsCommandTidyUpWithTheDeployment() throws Exception {
    Path ready = temp.resolve("ready");
    Path tidied = temp.resolve("tidied");
    Process run =
        run(
            "trap 'test -s %s && touch %s; exit 3' TERM; touch %s; while :; do sleep 0.05; done"
                .formatted(deployment.coordinatorAddress(), tidied, ready));
    await().atMost(90, TimeUnit.SECONDS).until(() -> Files.exists(ready));
    run.destroy();
    assertThat(code(run)).as(said()).isEqualTo(TERMINATED);
    assertThat(tidied).exists();
    assertThat(said()).contains("eley: nothing was read through the buffer");
    nothingIsLeft();
  }

  /** A Slurm of one job, 4711, whose comment is a file. */
  private Path commentInSlurm(String text) throws Exception {
    Path comment = Files.writeString(temp.resolve("comment"), text);
    Path programs = Files.createDirectory(temp.resolve("slurm"));
    program(programs.resolve("squeue"), "printf '4711|4711|%s\\n' \"$(cat " + comment + ")\"");
    program(
        programs.resolve("scontrol"),
        "[ $1 = update ] && [ $2 = jobid=4711 ] && printf %s \"${3#comment=}\" >" + comment);
    return comment;
  }

  private static void program(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private Process inItsJob(List<String> words) throws IOException {
    return shell("SLURM_JOB_ID=4711 PATH=" + temp + "/slurm:$PATH exec \"$@\"", words);
  }

  /** A simulation may follow in its script. */
  @Test
  void aJobIsEleysForAsLongAsARunInItAlone() throws Exception {
    Path comment = commentInSlurm("my run");
    var words = new ArrayList<>(words("run"));
    String script =
        "until grep -q 'my run eley=job' %1$s; do sleep 0.05; done; echo ' phase=io' >>%1$s";
    words.addAll(List.of("--", "timeout", "60", "sh", "-c", script.formatted(comment)));
    Process run = inItsJob(words);
    assertThat(code(run)).as(said()).isZero();
    assertThat(said()).containsOnlyOnce("job 4711 counts as Eley's until this deployment ends");
    assertThat(comment).hasContent("my run phase=io");
  }

  @Test
  void aJobThatBoreTheMarkBeforeKeepsIt() throws Exception {
    Path comment = commentInSlurm("eley=job");
    assertThat(code(inItsJob(words("start")))).as(said()).isZero();
    assertThat(said()).doesNotContain("4711");
    assertThat(Eley.run("stop", "-d", deployment.directory().toString()).code()).isZero();
    assertThat(comment).hasContent("eley=job");
  }
}
