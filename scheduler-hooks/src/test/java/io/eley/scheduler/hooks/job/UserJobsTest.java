package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A user finds the jobs by their numbers, whatever has become of them. */
class UserJobsTest {
  private static final String GONE = "slurm_load_jobs error: Invalid job id specified";

  @TempDir private Path temp;
  private final ScriptedSlurm slurm = new ScriptedSlurm();
  private Path own;
  private Path buffers;
  private UserJobs jobs;

  @BeforeEach
  void jobs() {
    own = temp.resolve("jobs");
    buffers = temp.resolve("bb");
    jobs = new UserJobs(new SlurmCommands(slurm), own, buffers, "");
  }

  /** A job whose coordinator listens. */
  private static Path ready(Path place, long job) throws IOException {
    Path deployment = Files.createDirectories(place.resolve(job + "/deployment"));
    Files.createFile(deployment.resolve("coordinator.address"));
    Files.createDirectories(place.resolve(job + "/logs/marks"));
    return deployment;
  }

  @Test
  void theDeploymentOfAJobThatRunsIsFoundWithoutAskingSlurm() throws Exception {
    Path submitted = ready(own, 42);
    Path given = ready(buffers, 43);
    assertThat(jobs.deployment(42)).isEqualTo(submitted);
    assertThat(jobs.deployment(43)).isEqualTo(given);
    assertThat(jobs.ledger(42)).isEqualTo(submitted.resolve("ledger.csv"));
    assertThat(slurm.issued).isEmpty();
    assertThat(List.of(submitted, given)).allMatch(UserJobs::isOfAJob);
    Path likeAJobs = Files.createDirectories(temp.resolve("42/deployment"));
    assertThat(UserJobs.isOfAJob(likeAJobs)).as("a number proves nothing").isFalse();
    assertThat(List.of(submitted, given)).noneMatch(UserJobs::isOfADirective);
    Files.createFile(buffers.resolve("43/logs/script.log"));
    assertThat(UserJobs.isOfADirective(given)).isTrue();
    assertThat(UserJobs.isOfAJob(temp.resolve("deployment"))).isFalse();
  }

  /** Its host died, or its script outlived Slurm's patience: the address stays. */
  @Test
  void aJobThatDiedWithItsAddressIsOver() throws Exception {
    Path deployment = ready(own, 42);
    int port;
    try (var closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    Path address = deployment.resolve("coordinator.address");
    Files.writeString(address, "127.0.0.1:" + port + "\n");
    slurm.prints("--jobs=42", "RUNNING|None\n");
    assertThat(jobs.deployment(42)).as("its coordinator begins again").isEqualTo(deployment);
    slurm.recovers();
    slurm.fails("--jobs=42", "slurm_load_jobs error: Unable to contact slurm controller");
    assertThat(jobs.deployment(42)).as("nobody can say").isEqualTo(deployment);
    slurm.recovers();
    slurm.fails("--jobs=42", GONE);
    assertThatThrownBy(() -> jobs.deployment(42))
        .hasMessage(
            "job 42 is over; its logs are in "
                + own.resolve("42/logs")
                + "; `eley jobs` lists yours");

    int asked = slurm.issued.size();
    try (var listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Files.writeString(address, "127.0.0.1:" + listening.getLocalPort() + "\n");
      assertThat(jobs.deployment(42)).isEqualTo(deployment);
    }
    assertThat(slurm.issued).as("one that listens costs Slurm nothing").hasSize(asked);
  }

  @Test
  void aJobThatWaitsSaysWhy() {
    slurm.prints("--jobs=42", "PENDING|Resources\n");
    assertThatThrownBy(() -> jobs.deployment(42))
        .hasMessage("job 42 is PENDING (Resources): it has no buffer now");
  }

  /** What waits is not over because its controller is. */
  @Test
  void aSlurmThatDoesNotAnswerIsNoEndOfAJob() throws Exception {
    slurm.fails("--jobs=42", "slurm_load_jobs error: Unable to contact slurm controller");
    String silent = "Slurm does not say what job 42 is: Unable to contact slurm controller";
    assertThatThrownBy(() -> jobs.deployment(42)).hasMessage(silent);
    assertThatThrownBy(() -> jobs.logs(42)).hasMessage(silent);
    Files.createDirectories(own);
    Files.createFile(own.resolve("summary-42.txt"));
    assertThatThrownBy(() -> jobs.deployment(42))
        .as("what is there all the same")
        .hasMessage(silent + "; `eley summary 42` has its numbers");
  }

  @Test
  void aJobThatIsComingUpSaysWhereItsLogsAre() throws Exception {
    Files.createDirectories(own.resolve("42/logs"));
    slurm.prints("--jobs=42", "RUNNING|None\n");
    assertThatThrownBy(() -> jobs.deployment(42))
        .hasMessage(
            "the buffer of job 42 is still coming up; its logs are in " + own.resolve("42/logs"));
    var elsewhere = new UserJobs(new SlurmCommands(slurm), temp, temp, "");
    assertThatThrownBy(() -> elsewhere.deployment(42))
        .hasMessage(
            "job 42 runs, but no job with a buffer has its files in "
                + temp
                + " (--jobs names another directory)");
    slurm.prints("--jobs=43", "RUNNING|None\n");
    assertThatThrownBy(() -> jobs.deployment(43))
        .hasMessageContaining("has its files in " + own + " or " + buffers + " (--jobs");
    Files.createDirectories(buffers.resolve("43/logs"));
    assertThatThrownBy(() -> jobs.deployment(43))
        .hasMessage(
            "the buffer of job 43 is still coming up; its logs are in "
                + buffers.resolve("43/logs"));
  }

  @Test
  void ofAJobThatIsOverTheLedgerIsThere() throws Exception {
    slurm.fails("--jobs=42", GONE);
    assertThatThrownBy(() -> jobs.ledger(42))
        .isInstanceOf(EleyException.class)
        .hasMessage("job 42 is over, or none of yours; `eley jobs` lists yours");
    Files.createDirectories(own.resolve("42/logs"));
    Path kept = Files.createFile(own.resolve("ledger-42.csv"));
    assertThat(jobs.ledger(42)).isEqualTo(kept);
    assertThatThrownBy(() -> jobs.deployment(42))
        .hasMessage(
            "job 42 is over; `eley ledger 42` has its phases; its logs are in "
                + own.resolve("42/logs")
                + "; `eley jobs` lists yours");
  }

  /** Elsewhere the commands that are advised would find nothing. */
  @Test
  void whatIsAdvisedNamesTheDirectoryThatWasTyped() throws Exception {
    jobs = new UserJobs(new SlurmCommands(slurm), own, buffers, " --jobs '/my jobs'");
    slurm.fails("--jobs=42", GONE);
    Files.createDirectories(own);
    Files.createFile(own.resolve("ledger-42.csv"));
    Files.createFile(own.resolve("summary-42.txt"));
    assertThatThrownBy(() -> jobs.deployment(42))
        .hasMessage(
            "job 42 is over; `eley summary --jobs '/my jobs' 42` has its numbers;"
                + " `eley ledger --jobs '/my jobs' 42` has its phases;"
                + " `eley jobs --jobs '/my jobs'` lists yours");
    slurm.prints("--me", "");
    assertThatThrownBy(() -> jobs.stop("43", slurm.pause()))
        .hasMessageContaining("`eley jobs --jobs '/my jobs'` lists them");
    slurm.prints("--jobs=42_4", "");
    assertThatThrownBy(() -> jobs.number("42_4"))
        .hasMessageContaining("`eley jobs --jobs '/my jobs'` lists what");
  }

  /** Its buffer's script keeps it, where the buffers have their files. */
  @Test
  void ofADirectiveThatIsOverTheLedgerIsThere() throws Exception {
    slurm.fails("--jobs=43", GONE);
    slurm.prints("--me", "44|44|RUNNING|0:01|None|served|(null)\n");
    Files.createDirectories(buffers.resolve("44/logs"));
    Path kept = Files.createFile(buffers.resolve("ledger-43.csv"));
    assertThat(jobs.ledger(43)).isEqualTo(kept);
    assertThat(jobs.list()).containsExactly(new UserJob(43, "43", "", "ended", "", "ledger"));
    assertThatThrownBy(() -> jobs.deployment(43))
        .hasMessage("job 43 is over; `eley ledger 43` has its phases; `eley jobs` lists yours");
  }

  @Test
  void theLatestOfAllThatAreOverAreListed() throws Exception {
    Files.createDirectories(own);
    Files.createDirectories(buffers);
    for (int job = 1; job <= 12; job++) {
      Files.createFile((job % 2 == 0 ? own : buffers).resolve("ledger-" + job + ".csv"));
    }
    slurm.prints("--me", "");
    assertThat(jobs.list())
        .extracting(UserJob::id)
        .containsExactly(12L, 11L, 10L, 9L, 8L, 7L, 6L, 5L, 4L, 3L);
  }

  @Test
  void ofAJobThatIsOverTheSummaryIsThere() throws Exception {
    slurm.fails("--jobs=42", GONE);
    assertThat(jobs.summary(42)).isEmpty();
    ready(own, 42);
    Path kept = Files.createFile(own.resolve("summary-42.txt"));
    assertThat(jobs.summary(42)).as("of a run before this one").isEmpty();
    Files.delete(new DeploymentFiles(own.resolve("42/deployment")).coordinatorAddress());
    assertThat(jobs.summary(42)).contains(kept);
    assertThatThrownBy(() -> jobs.deployment(42))
        .hasMessageContaining("job 42 is over; `eley summary 42` has its numbers");
  }

  @Test
  void jobsAreThoseWithTheMarkAndThoseThatHaveLeftFiles() throws Exception {
    ready(own, 42);
    Files.createDirectories(own.resolve("44"));
    Files.createDirectories(own.resolve("40/logs"));
    Files.createFile(own.resolve("ledger-40.csv"));
    Files.createFile(own.resolve("ledger-9.csv"));
    Files.createFile(own.resolve("spark-9.log"));
    Files.createFile(own.resolve("spark-8.log"));
    Files.createFile(own.resolve("summary-7.txt"));
    Files.createFile(own.resolve("ledger-x.csv"));
    slurm.prints(
        "--me",
        """
        42+0|42|RUNNING|1:02|None|sort|mine eley=job
        42+1|43|RUNNING|1:02|None|sort|mine eley=job
        44|44|RUNNING|0:01|None|eley|eley=job
        45|45|PENDING|0:00|Resources|a\u001b[31m|eley=job
        47_3|50|RUNNING|9:00|None|array|eley=job
        47_[4-9]|47|PENDING|0:00|JobArrayTaskLimit|array|eley=job
        46|46|RUNNING|9:00|None|other|(null)
        """);
    assertThat(jobs.list())
        .containsExactly(
            new UserJob(42, "42", "sort", "RUNNING", "1:02", "buffer is there"),
            new UserJob(44, "44", "eley", "RUNNING", "0:01", "coming up"),
            new UserJob(45, "45", "a\\x1b[31m", "PENDING", "0:00", "(Resources)"),
            new UserJob(50, "47_3", "array", "RUNNING", "9:00", ""),
            new UserJob(47, "47_[4-9]", "array", "PENDING", "0:00", "(JobArrayTaskLimit)"),
            new UserJob(40, "40", "", "ended", "", "ledger, logs in " + own.resolve("40")),
            new UserJob(9, "9", "", "ended", "", "ledger, Spark's log"),
            new UserJob(8, "8", "", "ended", "", "Spark's log"),
            new UserJob(7, "7", "", "ended", "", "summary"));
  }

  @Test
  void aJobIsStoppedWhenSlurmHasNothingOfItAnyMore() throws Exception {
    ready(own, 42);
    slurm.prints("--jobs=42", "COMPLETING|None\n");
    slurm.after(3, () -> slurm.recovers());
    slurm.after(3, () -> slurm.fails("--jobs=42", GONE));
    assertThat(jobs.stop("42", slurm.pause())).isTrue();
    assertThat(slurm.commands("scancel")).containsExactly("scancel 42");
    assertThat(slurm.pauses).hasSize(3);
  }

  /** Its files stay, and scancel says nothing of a job that is over. */
  @Test
  void ofAJobThatIsOverNothingIsStopped() throws Exception {
    ready(own, 42);
    slurm.fails("--jobs=42", GONE);
    assertThat(jobs.stop("42", slurm.pause())).isFalse();
    assertThat(slurm.count("scancel")).isZero();
  }

  /** The last task of an array, and all that wait, have the array's own number. */
  @Test
  void ofAnArrayOneTaskIsStopped() throws Exception {
    slurm.prints("--me", "42_3|42|RUNNING|1:02|None|sort|eley=job\n");
    slurm.prints("--jobs=42_3", "42\n");
    slurm.after(2, () -> slurm.recovers());
    slurm.after(2, () -> slurm.prints("--jobs=42_3", ""));
    assertThat(jobs.stop("42_3", slurm.pause())).isTrue();
    assertThat(slurm.commands("scancel")).containsExactly("scancel 42_3");
    assertThat(slurm.pauses).as("until there is nothing of that task").hasSize(2);
    assertThat(slurm.commands("squeue").stream().filter(c -> c.contains("--jobs=")))
        .allMatch(c -> c.contains("--jobs=42_3"));
  }

  /** Its buffer is for all of it, and Slurm takes no component out of a job that waits. */
  @Test
  void ofAJobOfComponentsAllIsStopped() throws Exception {
    ready(own, 42);
    slurm.prints("--jobs=42", "COMPLETING|None\n");
    slurm.after(1, () -> slurm.recovers());
    slurm.after(1, () -> slurm.fails("--jobs=42", GONE));
    assertThat(jobs.stop("42+1", slurm.pause())).isTrue();
    assertThat(slurm.commands("scancel")).containsExactly("scancel 42");
  }

  @Test
  void whatIsNoJobOfEleysIsNotCancelled() {
    slurm.prints("--me", "42|42|RUNNING|9:00|None|other|(null)\n");
    assertThatThrownBy(() -> jobs.stop("42", slurm.pause()))
        .hasMessage("job 42 is no job of yours with a buffer; `eley jobs` lists them");
    assertThat(slurm.count("scancel")).isZero();
  }

  @Test
  void aJobThatDoesNotEndIsGivenUp() throws Exception {
    ready(own, 42);
    slurm.prints("--jobs=42", "COMPLETING|None\n");
    assertThatThrownBy(() -> jobs.stop("42", slurm.pause())).hasMessage("job 42 is still ending");
    assertThat(slurm.pauses).hasSize(240);
  }

  @Test
  void numbersAreWrittenAsPeopleAndSlurmDo() throws Exception {
    slurm.prints("--jobs=42_3", "57\n");
    assertThat(jobs.number("42")).isEqualTo(42);
    assertThat(jobs.number("42+1")).isEqualTo(42);
    assertThat(jobs.number("42_3")).isEqualTo(57);
  }

  @Test
  void aTaskOfAnArrayThatIsOverIsSaidToBe() {
    String over =
        "task 42_4 is over, or none of yours: `eley jobs` lists what is over by Slurm's own numbers";
    slurm.prints("--jobs=42_4", "");
    assertThatThrownBy(() -> jobs.number("42_4")).as("others go on").hasMessage(over);
    slurm.recovers();
    slurm.fails("--jobs=42_4", GONE);
    assertThatThrownBy(() -> jobs.number("42_4")).hasMessage(over);
    slurm.recovers();
    slurm.fails("--jobs=42_4", "slurm_load_jobs error: Unable to contact slurm controller");
    assertThatThrownBy(() -> jobs.number("42_4"))
        .hasMessage("squeue: Unable to contact slurm controller");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "42_", "42 3", "1234567890123456789012"})
  void whatIsNoNumberIsSaid(String text) {
    assertThatThrownBy(() -> jobs.number(text)).hasMessage("'" + text + "' is no number of a job");
  }

  @Test
  void whereTheOutputGoesIsAskedForAfterSubmission() throws Exception {
    var commands = new SlurmCommands(slurm);
    slurm.prints("scontrol", "JobId=42\n   StdErr=/home/a/e\n   StdOut=/home/a/job 42.out\n");
    assertThat(commands.outputOf(42)).contains("/home/a/job 42.out");
    assertThat(new JobSubmission(commands).output(42, false)).contains("/home/a/job 42.out");
    slurm.recovers();
    assertThat(new JobSubmission(commands).output(42, false)).isEqualTo(Optional.empty());
    assertThat(slurm.commands("scontrol")).contains("scontrol show job 42").hasSize(3);
  }

  /** Slurm has a number for "no task", and no file is called so. */
  @Test
  void whereTheOutputOfAnArrayGoesIsSaidOfATask() throws Exception {
    var submission = new JobSubmission(new SlurmCommands(slurm));
    slurm.prints("scontrol", "ArrayTaskId=0-2%1\n   StdOut=/home/a/slurm-42_4294967294.out\n");
    assertThat(submission.output(42, true)).contains("/home/a/slurm-42_N.out");
    assertThat(submission.output(42, false))
        .as("a job that is none has that in its file's name")
        .contains("/home/a/slurm-42_4294967294.out");
  }
}
