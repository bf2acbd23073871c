package io.eley.scheduler.hooks.job;

import static io.eley.scheduler.hooks.job.ScriptedSlurm.SERVED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BufferMode;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What root submits for a job's number, and what it refuses. */
@Timeout(60)
class BufferSubmissionTest {
  private final ScriptedSlurm slurm = new ScriptedSlurm();
  private final BufferSubmission submission = slurm.submission("/shared/%u");

  BufferSubmissionTest() {
    slurm.script = "#!/bin/sh\n#BB_LUA pool=eley capacity=1G origin=/mnt stage_out=o\n";
  }

  @Test
  void whoseTheJobIsAndWhatItAsksForSlurmSays() throws Exception {
    slurm.owner = "41|7|7|PENDING\n42|1234|567|PENDING\n";
    assertThat(submission.submit(SERVED))
        .isEqualTo(
            """
            ELEY_DEPLOYMENT=/shared/alice/42/deployment
            ELEY_SPARK_CONF=/shared/alice/42/conf/spark-defaults.conf
            ELEY_STAGE_OUT=/mnt/o/.eley-42
            """);
    assertThat(slurm.issued.subList(0, 3))
        .containsExactly(
            List.of("squeue", "--noheader", "--jobs=42", "--format=%A|%U|%G|%T"),
            List.of("scontrol", "write", "batch_script", "42", "-"),
            List.of("getent", "passwd", "1234"));
    assertThat(slurm.commands("sbatch").get(0)).contains(" --uid=1234 --gid=567 ");
    assertThat(slurm.scripts.get(0)).contains("JOBS=/shared/alice\n", "ORIGIN=/mnt\n");
  }

  @ParameterizedTest
  @CsvSource({
    "42|1000|100|RUNNING, job 42 is RUNNING: buffers are made for jobs that wait",
    "42|1000|100|CANCELLED, job 42 is CANCELLED: buffers are made for jobs that wait",
    "42|0|0|PENDING, job 42 is root's",
    "41|1000|100|PENDING, Slurm knows no job 42",
    "42|alice|100|PENDING, Slurm knows no job 42",
    "42|1000|100, Slurm knows no job 42",
    "'', Slurm knows no job 42"
  })
  void whatDoesNotWaitOrIsRootsGetsNoBuffer(String said, String message) {
    slurm.owner = said + "\n";
    assertThatThrownBy(() -> submission.submit(SERVED)).hasMessage(message);
    assertThat(slurm.issued).as("nothing else is asked").hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "#!/bin/sh\n", "#!/bin/sh\n# BB_LUA pool=eley\n"})
  void aJobWithoutADirectiveGetsNoBuffer(String script) {
    slurm.script = script;
    assertThatThrownBy(() -> submission.submit(SERVED))
        .hasMessage("the script has no #BB_LUA directive");
    assertThat(slurm.count("sbatch")).isZero();
  }

  @Test
  void aDirectiveThatMakesNoSenseGetsNoBuffer() {
    slurm.script = "#BB_LUA pool=eley capacity=1G origin=/mnt stage_out=$(id)\n";
    assertThatThrownBy(() -> submission.submit(SERVED))
        .hasMessage("#BB_LUA: stage_out=$(id) is empty or has characters that are not allowed");
    assertThat(slurm.count("sbatch")).isZero();
  }

  /** Slurm takes whole granules, of 1 MiB, from the pool. */
  @ParameterizedTest
  @CsvSource({"1K, 1m", "1024K, 1m", "1025K, 2m", "3M, 3m"})
  void whatSlurmTakesFromThePoolIsGiven(String capacity, String memory) throws Exception {
    slurm.hosts = List.of(9000);
    slurm.script = "#BB_LUA pool=eley capacity=" + capacity + " origin=/mnt\n";
    submission.submit(SERVED);
    assertThat(slurm.scripts.get(0)).contains("BUFFER_MEMORY=" + memory + "\n");
  }

  @Test
  void aBufferRunsAsItsSiteChooses() throws Exception {
    submission.submit(SERVED);
    assertThat(slurm.scripts.get(0)).contains("MODE=FullDelay\n", "WATCH_SLURM=true\n");
    assertThat(slurm.scripts.get(0)).contains("ELEY_SETTINGS=()\n");
    var choices =
        new BufferChoices(
            BufferMode.ADAPTIVE,
            false,
            Map.of(
                "eley.window.waves", "2",
                "eley.coordinator.heap", "1g",
                "eley.node.spark-home", "/opt/spark",
                "eley.node.overflow.directory", "/scratch"));
    slurm.submission("/shared/%u", choices).submit(SERVED);
    assertThat(slurm.scripts.get(1))
        .contains("MODE=Adaptive\n", "WATCH_SLURM=false\n", "COORDINATOR_HEAP=1024m\n")
        .contains(
            "ELEY_SETTINGS=(-D eley.coordinator.heap=1g -D eley.node.spark-home=/opt/spark"
                + " -D eley.window.waves=2)\n")
        .contains("OVERFLOW=/scratch\n");
    assertThat(slurm.commands("sbatch"))
        .extracting(command -> command.replaceAll(".* --mem=(\\d+)M .*", "$1"))
        .as("a larger coordinator is asked for, and what hands out intermediate data")
        .containsExactly("2176", "3328");
  }

  /** The partition's default may be over while the job that is served waits, or runs. */
  @ParameterizedTest
  @CsvSource({
    "30:00|2-00:00:00, --time=2-00:00:00",
    "1:30:00|infinite, --time=infinite",
    "45:00|45:00, ''",
    "n/a|45:00, ''",
    "n/a|infinite, ''",
    "'', ''"
  })
  void aBufferMayRunForAsLongAsItsPartitionAllows(String said, String option) throws Exception {
    slurm.times = said;
    submission.submit(SERVED);
    assertThat(options("--time")).isEqualTo(option);
  }

  /** Without accounting a user may write anything there. */
  @ParameterizedTest
  @ValueSource(strings = {"(null)", "", "x y", "x|42|0|0|PENDING", "$(id)"})
  void whatIsNoAccountIsNotPassedOn(String said) throws Exception {
    slurm.account = said;
    submission.submit(SERVED);
    assertThat(options("--account")).isEmpty();
  }

  @Test
  void aBufferIsChargedToTheAccountOfItsJob() throws Exception {
    slurm.account = "phys-1.a@b";
    submission.submit(SERVED);
    assertThat(options("--account")).isEqualTo("--account=phys-1.a@b");
  }

  /** As Slurm does by the flag DenyOnLimit. */
  @ParameterizedTest
  @CsvSource({
    "QOSMaxWallDurationPerJobLimit, 4:00:00, 4:00:00",
    "AssocMaxWallDurationPerJobLimit, 30:00, 1:00:00",
    "AssocMaxCpuMinutesPerJobLimit, 1-12:00:00, 1-12:00:00",
    "QOSMaxNodeMinutesPerJob, 7-00:00:00, 1:00:00",
    "QOSMaxWallDurationPerJobLimit, 2-00:00:00, 1:00:00",
    "QOSMaxWallDurationPerJobLimit, UNLIMITED, 1:00:00",
    "QOSMaxWallDurationPerJobLimit, NOT_SET, 1:00:00"
  })
  void whereTheLongestTimeIsRefusedAShorterOneIsAskedFor(String refusal, String limit, String asked)
      throws Exception {
    slurm.times = "1:00:00|2-00:00:00";
    slurm.limit = limit;
    slurm.account = "phys";
    slurm.fails("--time=2-00:00:00", "sbatch: error: " + refusal + "\nsbatch: error: Batch job");
    submission.submit(SERVED);
    assertThat(slurm.count("sbatch")).isEqualTo(2);
    assertThat(options("--time")).isEqualTo("--time=" + asked);
    assertThat(options("--account")).isEqualTo("--account=phys");
    assertThat(options("--qos")).as("its user's other jobs may be all that it lets run").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1:00:00|infinite", "n/a|infinite"})
  void aShorterTimeThatIsRefusedTooIsTheReason(String times) {
    slurm.times = times;
    slurm.fails("sbatch", "sbatch: error: QOSMaxWallDurationPerJobLimit");
    assertThatThrownBy(() -> submission.submit(SERVED))
        .hasMessage("sbatch refuses: QOSMaxWallDurationPerJobLimit");
    assertThat(slurm.count("sbatch")).isEqualTo(times.startsWith("n/a") ? 1 : 2);
  }

  /** As a site's job_submit.lua or cli_filter.lua may greet whoever submits. */
  @ParameterizedTest
  @ValueSource(strings = {"sbatch: ", "sbatch: error: "})
  void whatASiteSaysToAllIsNotTheReason(String said) throws Exception {
    slurm.times = "1:00:00|2-00:00:00";
    slurm.qos = "long";
    String words = said + "Welcome to Foo\n" + said + "See the wiki\nsbatch: error: ";
    slurm.answer("sbatch", () -> withItsQosAndLimitAlone(words));
    submission.submit(SERVED);
    assertThat(options("--qos")).isEqualTo("--qos=long");
    assertThat(options("--time")).isEqualTo("--time=1:00:00");
  }

  @ParameterizedTest
  @CsvSource({
    "QOSMaxWallDurationPerJobLimit, 'Job violates accounting/QOS policy (job submit limit)', ''",
    "'Give --account', Unspecified error, ''",
    "'Give --account', Invalid account, '; Batch job submission failed: Invalid account'"
  })
  void theReasonIsWhatSaysMost(String said, String failure, String more) {
    slurm.fails(
        "sbatch",
        "sbatch: error: Welcome to Foo\nsbatch: error: "
            + said
            + "\nsbatch: error: Batch job submission failed: "
            + failure
            + "\n\n");
    assertThatThrownBy(() -> submission.submit(SERVED))
        .hasMessage("sbatch refuses: " + said + more);
  }

  /** Of what may have been submitted nevertheless a second one would be in the way. */
  @Test
  void whatIsRefusedForAnythingElseIsSubmittedOnce() {
    slurm.times = "1:00:00|2-00:00:00";
    slurm.qos = "normal";
    slurm.fails("sbatch", "sbatch: error: Batch job submission failed: Socket timed out");
    assertThatThrownBy(() -> submission.submit(SERVED)).hasMessageContaining("Socket timed out");
    assertThat(slurm.count("sbatch")).isEqualTo(1);
  }

  /** And as that one has a limit of its own, a shorter time, too. */
  @Test
  void whereAnAccountHasNoQosOfItsOwnThatOfTheJobIsAskedFor() throws Exception {
    slurm.times = "1:00:00|2-00:00:00";
    slurm.limit = "3:00:00";
    slurm.account = "phys";
    slurm.qos = "long";
    slurm.answer("sbatch", () -> withItsQosAndLimitAlone("sbatch: error: "));
    submission.submit(SERVED);
    assertThat(slurm.count("sbatch")).isEqualTo(3);
    assertThat(options("--qos")).isEqualTo("--qos=long");
    assertThat(options("--time")).isEqualTo("--time=3:00:00");
  }

  private Output withItsQosAndLimitAlone(String before) {
    String failed = "Batch job submission failed: ";
    return options("--qos").isEmpty()
        ? new Output(1, "", before + failed + "Invalid qos specification")
        : options("--time").equals("--time=2-00:00:00")
            ? new Output(
                1,
                "",
                before
                    + "QOSMaxWallDurationPerJobLimit\nsbatch: error: "
                    + failed
                    + "Job violates accounting/QOS policy")
            : new Output(0, "7\n", "");
  }

  @ParameterizedTest
  @CsvSource({"(null), 1", "a b, 1", "long, 2"})
  void aQosThatIsRefusedIsAskedForOnce(String qos, int times) {
    slurm.qos = qos;
    slurm.fails("sbatch", "Batch job submission failed: Invalid qos specification");
    assertThatThrownBy(() -> submission.submit(SERVED)).hasMessageContaining("Invalid qos");
    assertThat(slurm.count("sbatch")).isEqualTo(times);
  }

  /** Those of sbatch that begin so. */
  private String options(String name) {
    return slurm.issued.get(slurm.issued.size() - 1).stream()
        .filter(word -> word.startsWith(name + "="))
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource({
    "SlurmUser               = slurm(64030), 64030",
    "'Configuration data\nSlurmdUser = root(0)\nSlurmUser = root(0)', 0"
  })
  void whoSlurmRunsAsIsAsked(String said, long user) throws Exception {
    slurm.prints("scontrol", said + "\n");
    assertThat(new SlurmCommands(slurm).slurmUser()).isEqualTo(user);
  }

  @Test
  void aSlurmThatDoesNotSayWhoItRunsAsIsAnError() {
    slurm.prints("scontrol", "SlurmUser = slurm\nNotSlurmUser = x(7)\n");
    assertThatThrownBy(() -> new SlurmCommands(slurm).slurmUser())
        .hasMessage("scontrol does not say who SlurmUser is");
  }
}
