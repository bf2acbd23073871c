package io.eley.scheduler.hooks.job;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import io.eley.scheduler.hooks.slurm.EleyMark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script of a buffer's job, run by bash with srun, squeue, scancel, scontrol and eley of our
 * own: what it writes in its comment is what {@link BufferProgress} reads.
 */
@Timeout(120)
@Tag("slow")
class BufferScriptRunsTest {
  @TempDir private Path temp;
  private ScriptCommands commands;
  private Path origin;
  private Path results;
  private @Nullable Process job;
  private int nodes = 1;
  private String ready = "READY=180";
  private BufferChoices choices = ScriptedSlurm.USUAL;

  @BeforeEach
  void surroundings() throws IOException {
    origin = Files.createDirectory(temp.resolve("origin"));
    results = origin.resolve("results");
    Files.createDirectory(temp.resolve("ram"));
    Files.writeString(temp.resolve("served"), "42\n");
    commands = new ScriptCommands(temp);
    commands.slurm();
    commands.make(
        "scontrol",
        """
        case $1 in
          show) echo n1; echo n2 ;;
          update) for word in "$@"; do case $word in comment=*) echo "${word#*=}" ;; esac; done \\
            >>HERE/comments ;;
        esac
        """);
    // It keeps the files in RAM for as long as nobody else has a plan.
    eley("echo 'staged 5m of 5m in 2 files'; exec sleep 50");
  }

  /** A launcher whose staging does this. */
  private void eley(String stageIn) throws IOException {
    commands.eley("stage-in) " + stageIn + " ;;");
  }

  private void submit(Path where) throws IOException {
    var directive =
        new Directive(
            DataSize.parse("1g"),
            where.toString(),
            Optional.of("in/*"),
            Optional.of(results.toString()));
    var script =
        new BufferScript(42, directive, nodes, temp.resolve("eley"), temp.resolve("jobs"), choices);
    Path file =
        Files.writeString(
            temp.resolve("job.sh"),
            script
                .text()
                .replace("RAM_DISK=/dev/shm", "RAM_DISK=" + temp.resolve("ram"))
                .replace("READY=180", ready));
    job = commands.job("bash", file.toString()).start();
  }

  private Process started() {
    return requireNonNull(job);
  }

  @AfterEach
  void end() {
    if (job != null) {
      ScriptCommands.end(job);
    }
  }

  private List<String> comments() throws IOException {
    Path file = temp.resolve("comments");
    List<String> all = Files.exists(file) ? Files.readAllLines(file) : List.of();
    assertThat(all).as("Eley's mark").allMatch(EleyMark::in);
    return all.stream().map(EleyMark::without).toList();
  }

  private void says(BufferProgress progress) {
    await()
        .atMost(Duration.ofSeconds(40))
        .until(() -> comments().stream().anyMatch(c -> BufferProgress.of(c) == progress));
  }

  private String lastWord() throws IOException {
    return comments().get(comments().size() - 1);
  }

  private void signal(String name) throws Exception {
    assertThat(signalIfThere(name)).isZero();
  }

  /** The status of kill: the script may be over. */
  private int signalIfThere(String name) throws Exception {
    return new ProcessBuilder("kill", "-" + name, "" + started().pid()).start().waitFor();
  }

  private void endsAndLeavesNothing(int code) throws Exception {
    assertThat(started().waitFor(40, TimeUnit.SECONDS)).as("it ends").isTrue();
    assertThat(started().exitValue()).isEqualTo(code);
    assertThat(temp.resolve("jobs/42")).doesNotExist();
    assertThat(temp.resolve("ram")).isEmptyDirectory();
    for (String step : Files.readAllLines(temp.resolve("steps"))) {
      long pid = Long.parseLong(step.substring(0, step.indexOf(' ')));
      await().until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }
  }

  @Test
  void itComesUpStagesPublishesAndLeavesNothing() throws Exception {
    submit(origin);
    says(BufferProgress.STAGED);
    assertThat(comments())
        .containsExactly("starting", "ready", "staging", "staged 5m of 5m in 2 files");
    assertThat(UserJobs.isOfADirective(temp.resolve("jobs/42/deployment"))).isTrue();
    assertThat(Files.readAllLines(temp.resolve("jobs/42/conf/spark-defaults.conf")))
        .containsExactly(
            "spark.plugins x",
            "spark.driver.extraClassPath /our lib/c.jar",
            "spark.hadoop.eley.client.origin /where/it/leads",
            "spark.hadoop.eley.client.origin " + origin);
    Path made = results.resolve(".eley-42");
    Files.writeString(made.resolve("counts"), "1");
    publishes(1);
    assertThat(results.resolve("counts")).hasContent("1");
    signal("TERM");
    endsAndLeavesNothing(143);
    assertThat(made).doesNotExist();
  }

  @Test
  void whatItsSiteChoosesReachesNodesAndSpark() throws Exception {
    Path overflow = Files.createDirectory(temp.resolve("overflow"));
    choices =
        new BufferChoices(
            BufferMode.ADAPTIVE,
            true,
            Map.of(
                "eley.shuffle.copies", "2",
                "eley.node.spark-home", temp.toString(),
                "eley.node.overflow.directory", overflow.toString()));
    submit(origin);
    says(BufferProgress.STAGED);
    assertThat(Files.readAllLines(temp.resolve("jobs/42/conf/spark-defaults.conf")))
        .startsWith("spark.hadoop.eley.shuffle.copies 2", "spark.plugins x");
    await().untilAsserted(() -> assertThat(overflow).isNotEmptyDirectory());
    signal("TERM");
    endsAndLeavesNothing(143);
    assertThat(overflow).isEmptyDirectory();
  }

  @Test
  void resultsInTheWayAreNotReplacedAndNoneOfOursIsLost() throws Exception {
    submit(origin);
    says(BufferProgress.STAGED);
    Path made = results.resolve(".eley-42");
    for (String name : List.of("a", "counts")) {
      Files.writeString(made.resolve(name), "ours");
    }
    Files.writeString(results.resolve("counts"), "somebody's");
    signal("USR1");
    says(BufferProgress.FAILED);
    assertThat(BufferProgress.FAILED.detail(lastWord()))
        .isEqualTo(results + "/counts exists already; the results are in " + made);
    signal("TERM");
    endsAndLeavesNothing(143);
    assertThat(results.resolve("counts")).hasContent("somebody's");
    assertThat(results.resolve("a")).as("whole or not at all").doesNotExist();
    assertThat(made.resolve("counts")).hasContent("ours");
  }

  /**
   * Of whoever may write to the results' directory, too: the job would write, and publish, there.
   */
  @Test
  void aLinkInPlaceOfTheHiddenDirectoryEndsTheBuffer() throws Exception {
    Path home = Files.createDirectory(temp.resolve("home"));
    Files.writeString(home.resolve("key"), "own");
    Files.createDirectory(results);
    Files.createSymbolicLink(results.resolve(".eley-42"), home);
    submit(origin);
    says(BufferProgress.FAILED);
    assertThat(BufferProgress.FAILED.detail(lastWord()))
        .isEqualTo(
            results + "/.eley-42 is not this job's: somebody else has made it, or may write to it");
    signal("TERM");
    endsAndLeavesNothing(143);
    assertThat(home.resolve("key")).hasContent("own");
  }

  @Test
  void aLinkThatTakesTheHiddenDirectorysPlaceLaterIsNotPublished() throws Exception {
    Path home = Files.createDirectory(temp.resolve("home"));
    Files.writeString(home.resolve("key"), "own");
    submit(origin);
    says(BufferProgress.STAGED);
    Path made = results.resolve(".eley-42");
    Files.writeString(made.resolve("counts"), "1");
    Files.move(made, temp.resolve("away"));
    Files.createSymbolicLink(made, home);
    publishes(1);
    assertThat(results.resolve("counts")).hasContent("1");
    assertThat(results.resolve("key")).doesNotExist();
    assertThat(home.resolve("key")).hasContent("own");
    signal("TERM");
    endsAndLeavesNothing(143);
  }

  /** As Spark does that overwrites: it deletes the directory of its output, and makes another. */
  @Test
  void aHiddenDirectoryThatTheJobHasMadeAnewIsPublished() throws Exception {
    submit(origin);
    says(BufferProgress.STAGED);
    Path made = results.resolve(".eley-42");
    Files.delete(made);
    openToItsGroup(made);
    Files.writeString(made.resolve("counts"), "1");
    publishes(1);
    assertThat(results.resolve("counts")).hasContent("1");
    signal("TERM");
    endsAndLeavesNothing(143);
    assertThat(made).doesNotExist();
  }

  /** Has the script told so. */
  private void publishes(int count) throws Exception {
    signal("USR1");
    says(BufferProgress.PUBLISHED);
    assertThat(lastWord()).isEqualTo("out: " + count + " in " + results);
  }

  /** Under umask 002, as where each user has a group of his own. */
  private static void openToItsGroup(Path made) throws IOException {
    Files.createDirectories(made);
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxrwxr-x"));
  }

  /** Of a job that has made it anew, and was requeued before its results were published. */
  @Test
  void aHiddenDirectoryThatIsLeftOpenToItsGroupIsClosedAndTaken() throws Exception {
    Path made = results.resolve(".eley-42");
    openToItsGroup(made);
    Files.writeString(made.resolve("counts"), "1");
    submit(origin);
    says(BufferProgress.STAGED);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
        .isEqualTo("rwxr-xr-x");
    publishes(1);
    signal("TERM");
    endsAndLeavesNothing(143);
    assertThat(made).doesNotExist();
  }

  @Test
  void aHiddenDirectoryThatTheJobHasRemovedHeldNothing() throws Exception {
    submit(origin);
    says(BufferProgress.STAGED);
    Files.delete(results.resolve(".eley-42"));
    publishes(0);
    signal("TERM");
    endsAndLeavesNothing(143);
    assertThat(results).isEmptyDirectory();
  }

  /** However often it is asked. */
  @Test
  void aLinkInPlaceOfTheHiddenDirectoryThatIsGoneIsNotPublished() throws Exception {
    Path home = Files.createDirectory(temp.resolve("home"));
    Files.writeString(home.resolve("key"), "own");
    submit(origin);
    says(BufferProgress.STAGED);
    Path made = results.resolve(".eley-42");
    Files.delete(made);
    Files.createSymbolicLink(made, home);
    for (int asked = 1; asked <= 2; asked++) {
      signal("USR1");
      await().atMost(Duration.ofSeconds(40)).until(failures(asked));
      assertThat(BufferProgress.FAILED.detail(lastWord()))
          .isEqualTo(made + " is not this job's: somebody else has made it, or may write to it");
    }
    assertThat(results.resolve("key")).doesNotExist();
    assertThat(home.resolve("key")).hasContent("own");
    signal("TERM");
    endsAndLeavesNothing(143);
  }

  private Callable<Boolean> failures(int count) {
    return () ->
        comments().stream().filter(c -> BufferProgress.of(c) == BufferProgress.FAILED).count()
            == count;
  }

  /** Or it would say that somebody has stolen its directory, in the log of each job that failed. */
  @Test
  void aNodeIsToldToEndBeforeItsDirectoryGoes() throws Exception {
    commands.make(
        "rm",
        """
        case "$*" in *HERE/ram/*)
          pid=$(cat HERE/pids-of-nodes)
          for ((i = 0; i < 40; i++)); do
            kill -0 $pid 2>/dev/null || break
            sleep 0.1
          done
          kill -0 $pid 2>/dev/null && echo alive >>HERE/removals || echo ended >>HERE/removals ;;
        esac
        exec /bin/rm "$@"
        """);
    submit(origin);
    says(BufferProgress.STAGED);
    await().until(() -> Files.exists(temp.resolve("pids-of-nodes")));
    signal("TERM");
    endsAndLeavesNothing(143);
    assertThat(Files.readAllLines(temp.resolve("removals"))).isNotEmpty().containsOnly("ended");
  }

  @Test
  void anOriginThatIsNotMountedIsSaidWithItsHosts() throws Exception {
    submit(temp.resolve("none"));
    says(BufferProgress.FAILED);
    assertThat(BufferProgress.FAILED.detail(lastWord()))
        .isEqualTo("the origin " + temp.resolve("none") + " is not there, or not readable, on: n1");
    signal("TERM");
    endsAndLeavesNothing(143);
  }

  /** As a mount does whose server is gone: srun ends with the last of its tasks. */
  @Test
  void anOriginThatHangsOnAHostIsSaidWithItsName() throws Exception {
    Files.createFile(temp.resolve("hung"));
    nodes = 2;
    ready = "READY=5";
    submit(origin);
    says(BufferProgress.FAILED);
    assertThat(BufferProgress.FAILED.detail(lastWord()))
        .isEqualTo("the origin " + origin + " has not answered in 5 s on: n2");
    signal("TERM");
    endsAndLeavesNothing(143);
  }

  @Test
  void aJobThatIsToldToEndWhileItsOriginHangsDoesSo() throws Exception {
    Files.createFile(temp.resolve("hung"));
    submit(origin);
    Path answers = temp.resolve("jobs/42/logs/check.out");
    await()
        .atMost(Duration.ofSeconds(40))
        .until(() -> Files.exists(answers) && Files.readString(answers).equals("n1 there\n"));
    signal("TERM");
    endsAndLeavesNothing(143);
  }

  @Test
  void stagingThatFailsIsSaidInItsOwnWords() throws Exception {
    eley("echo 'eley: no file matches in/*'; exit 1");
    submit(origin);
    says(BufferProgress.FAILED);
    assertThat(lastWord()).isEqualTo("failed: stage-in: no file matches in/*");
    signal("TERM");
    endsAndLeavesNothing(143);
  }

  @Test
  void howFarStagingIsStandsInTheComment() throws Exception {
    eley(
        "echo 'staging 1m of 5m in 2 files'; until [ -e HERE/go ]; do sleep 0.1; done;"
            + " echo 'staged 5m of 5m in 2 files'; exec sleep 50");
    submit(origin);
    await()
        .atMost(Duration.ofSeconds(40))
        .until(() -> comments().contains("staging 1m of 5m in 2 files"));
    Files.createFile(temp.resolve("go"));
    says(BufferProgress.STAGED);
    assertThat(comments())
        .containsExactly(
            "starting",
            "ready",
            "staging",
            "staging 1m of 5m in 2 files",
            "staged 5m of 5m in 2 files");
    signal("TERM");
    endsAndLeavesNothing(143);
  }

  @Test
  void aServedJobThatIsGoneEndsTheBufferThatStagesForIt() throws Exception {
    eley("exec sleep 30");
    submit(origin);
    says(BufferProgress.STAGING);
    Files.writeString(temp.resolve("served"), "");
    endsAndLeavesNothing(0);
  }

  /** A controller that is busy or restarted is no reason to throw away what was staged. */
  @Test
  void aSlurmThatDoesNotAnswerIsNoReasonToEnd() throws Exception {
    eley(
        "until [ -e HERE/go ]; do sleep 0.1; done; echo 'staged 5m of 5m in 2 files'; exec sleep"
            + " 50");
    Files.createFile(temp.resolve("silent"));
    submit(origin);
    says(BufferProgress.STAGING);
    // Its log is made by the question that finds no answer.
    Path asked = temp.resolve("jobs/42/logs/queue.log");
    await()
        .atMost(Duration.ofSeconds(40))
        .until(() -> Files.exists(asked) && Files.readString(asked).contains("Unable to contact"));
    Files.createFile(temp.resolve("go"));
    says(BufferProgress.STAGED);
    Files.writeString(temp.resolve("served"), "");
    Files.delete(temp.resolve("silent"));
    int unused = signalIfThere("USR1"); // it looks at once, unless it has looked already
    endsAndLeavesNothing(0);
  }
}
