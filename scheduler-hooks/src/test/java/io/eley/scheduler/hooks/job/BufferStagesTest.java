package io.eley.scheduler.hooks.job;

import static io.eley.scheduler.hooks.job.ScriptedSlurm.SERVED;
import static io.eley.scheduler.hooks.job.ScriptedSlurm.UID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every stage of a job with a buffer, alone, in order and repeated, on a scripted Slurm. */
@Timeout(60)
class BufferStagesTest {
  @TempDir private Path temp;
  private Path state;
  private Path script;
  private Path plain;
  private final ScriptedSlurm slurm = new ScriptedSlurm();
  private BufferStages stages;

  @BeforeEach
  void surroundings() throws IOException {
    state = temp.resolve("state");
    script = temp.resolve("job.sh");
    plain = temp.resolve("plain.sh");
    Files.writeString(plain, "#BB_LUA pool=eley capacity=3G origin=/mnt/pfs\n");
    directive("stage_in=in/* stage_out=results");
    stages =
        new BufferStages(
            new SlurmCommands(slurm),
            "eley",
            state,
            slurm.submission("%h/bb-of-%u"),
            slurm.pause());
  }

  private void directive(String more) throws IOException {
    slurm.script = "#!/bin/sh\n#BB_LUA pool=eley capacity=3G origin=/mnt/pfs " + more + "\n";
    Files.writeString(script, slurm.script);
  }

  private void setup() throws EleyException {
    stages.setup(SERVED, UID, script);
  }

  /** Both stages of a job that stages nothing. */
  private void comeUp() throws EleyException {
    setup();
    stages.dataIn(SERVED, plain);
  }

  /** As it is between setup and teardown. */
  private ScriptedSlurm.Listed made(String word) throws Exception {
    Files.createDirectories(state.resolve("42"));
    Files.writeString(note("owner"), Long.toString(UID));
    return slurm.running(word);
  }

  private Path note(String name) {
    return state.resolve("42").resolve(name);
  }

  private static void refused(ThrowingCallable stage, ErrorCode code, String message) {
    assertThatThrownBy(stage)
        .isInstanceOfSatisfying(EleyException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessage(message);
  }

  // setup ---------------------------------------------------------------------------------------

  @Test
  void setupSubmitsTheBufferForTheUserAndWaitsForNothing() throws Exception {
    setup();
    assertThat(slurm.count("sbatch")).isEqualTo(1);
    assertThat(slurm.commands("sbatch").get(0))
        .startsWith(
            "env -i HOME=/home/alice PATH=/usr/bin sbatch --parsable --uid=1000 --gid=100 --partition=eley --nodes=2"
                + " --ntasks-per-node=1 --mem=3072M --job-name=eley-bb-42"
                + " --comment=waiting for hosts eley=job --chdir=/ --output=/dev/null"
                + " --no-requeue"
                + " --export=ALL ");
    assertThat(slurm.scripts.get(0)).contains("MAIN_JOB=42\n", "STAGE_OUT=/mnt/pfs/results\n");
    assertThat(slurm.commands("squeue").get(0))
        .isEqualTo(
            "squeue --noheader --format=%A|%U|%T|%u --name=eley-bb-42 --user=1000"
                + " --partition=eley");
    assertThat(slurm.pauses).as("Slurm would end it after five minutes").isEmpty();
    assertThat(slurm.count("scancel")).isZero();
    assertThat(stages.paths(SERVED))
        .isEqualTo(
            """
            ELEY_DEPLOYMENT=/home/alice/bb-of-alice/42/deployment
            ELEY_SPARK_CONF=/home/alice/bb-of-alice/42/conf/spark-defaults.conf
            ELEY_STAGE_OUT=/mnt/pfs/results/.eley-42
            """);
    assertThat(Files.getPosixFilePermissions(note("env")))
        .as("whatever the umask of slurmctld is")
        .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
  }

  @Test
  void aNoteThatCannotBeWrittenIsSaidAndLeavesNothing() throws Exception {
    Files.createDirectories(note("owner"));
    assertThatThrownBy(this::setup).hasMessageStartingWith("cannot write " + note("owner") + ": ");
    assertThat(state.resolve("42").toFile().list()).containsExactly("owner");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ready", "staging", "staged 1m of 1m in 1 file", "out: 3 in /mnt/pfs"})
  void setupAgainTakesTheBufferThatIsThereHoweverFarItIs(String word) throws Exception {
    made(word);
    setup();
    setup();
    assertThat(slurm.count("sbatch")).isZero();
    assertThat(slurm.count("scancel")).isZero();
    assertThat(slurm.pauses).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"waiting for hosts", "starting", "failed: no origin"})
  void setupAgainEndsABufferThatIsNotReadyAndMakesAnother(String word) throws Exception {
    long old = made(word).id;
    setup();
    assertThat(slurm.commands("scancel")).containsExactly("scancel " + old);
    assertThat(slurm.count("sbatch")).isEqualTo(1);
    assertThat(slurm.queue).hasSize(1);
    assertThat(slurm.buffer().id).isNotEqualTo(old);
  }

  @Test
  void ofTwoBuffersTheYoungerCounts() throws Exception {
    made("failed: long ago");
    slurm.running("ready");
    setup();
    assertThat(slurm.count("sbatch")).isZero();
  }

  @Test
  void aBufferThatFailsToComeUpIsEndedAndItsWordsAreTheReason() throws Exception {
    slurm.after(3, () -> slurm.buffer().says("failed: the origin /mnt/pfs is not there, on: n5"));
    refused(this::comeUp, ErrorCode.UNAVAILABLE, "the origin /mnt/pfs is not there, on: n5");
    assertThat(slurm.count("scancel")).isEqualTo(1);
    assertThat(slurm.queue).isEmpty();
  }

  @Test
  void aBufferThatCameUpAndCannotStageIsTheNextStagesToRefuse() throws Exception {
    slurm.after(3, () -> slurm.buffer().says("failed: stage-in: no file matches in/*"));
    setup();
    assertThat(slurm.count("scancel")).isZero();
    refused(
        () -> stages.dataIn(SERVED, script),
        ErrorCode.UNAVAILABLE,
        "stage-in: no file matches in/*");
  }

  /** Which Slurm takes without the flag DenyOnLimit, and then never lets begin. */
  @ParameterizedTest
  @CsvSource({
    "AssocMaxWallDurationPerJobLimit, 4:00:00, 4:00:00",
    "QOSMaxWallDurationPerJobLimit, 30:00, 1:00:00",
    "QOSGrpCPURunMinutesLimit, UNLIMITED, 1:00:00"
  })
  void aBufferThatAsksForMoreTimeThanItsAccountAllowsAsksForLess(
      String reason, String limit, String asked) throws Exception {
    slurm.times = "1:00:00|2-00:00:00";
    slurm.limit = limit;
    slurm.after(3, () -> slurm.buffer().reason = reason);
    slurm.answer("TimeLimit=", this::begins);
    comeUp();
    assertThat(slurm.commands("sbatch")).singleElement().asString().contains("--time=2-00:00:00");
    assertThat(slurm.commands("scontrol"))
        .last()
        .isEqualTo("scontrol update JobId=" + slurm.buffer().id + " TimeLimit=" + asked);
    assertThat(slurm.count("scancel")).isZero();
  }

  private Output begins() {
    slurm.buffer().says("ready");
    return new Output(0, "", "");
  }

  /** It goes on waiting: what the limit's other jobs take may become free. */
  @ParameterizedTest
  @CsvSource({
    "1:00:00|2-00:00:00, QOSGrpCPURunMinutesLimit, 1",
    "1:00:00|2-00:00:00, QOSMaxJobsPerUserLimit, 0",
    "n/a|2-00:00:00, AssocGrpCPURunMinutesLimit, 0"
  })
  void aBufferIsShortenedOnceAndOnlyForATimeThatWasAskedFor(
      String times, String reason, int updates) throws Exception {
    slurm.times = times;
    slurm.after(1, () -> slurm.buffer().reason = reason);
    slurm.after(20, () -> slurm.buffer().says("ready"));
    comeUp();
    assertThat(slurm.issued).filteredOn(c -> c.contains("update")).hasSize(updates);
    assertThat(slurm.pauses).hasSize(20);
  }

  @Test
  void aBufferThatEndsBeforeItIsReadyIsGivenUpAfterFivePolls() {
    slurm.after(2, slurm.queue::clear);
    refused(
        this::comeUp,
        ErrorCode.UNAVAILABLE,
        "the buffer of job 42 has ended before it could come up");
    assertThat(slurm.pauses).hasSize(2 + 4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL"})
  void aBufferThatHasEndedIsNotReadyWhateverItSaid(String ended) throws Exception {
    made("ready").state = ended;
    slurm.pollsToEnd = 0;
    refused(
        () -> stages.preRun(SERVED),
        ErrorCode.UNAVAILABLE,
        "the buffer of job 42 is gone (" + ended + ", ready)");
  }

  @Test
  void aServedJobThatIsCancelledEndsTheWait() {
    slurm.after(6, () -> slurm.served = "CANCELLED");
    refused(this::comeUp, ErrorCode.UNAVAILABLE, "job 42 was cancelled");
    assertThat(slurm.pauses).as("asked once a second, or at each rarer poll").hasSize(6);
  }

  @Test
  void aServedJobThatSlurmHasForgottenEndsTheWait() {
    slurm.served = null;
    refused(this::comeUp, ErrorCode.UNAVAILABLE, "job 42 was cancelled");
  }

  @Test
  void aSlurmThatCannotTellTheServedJobsStateIsNoReasonToGiveUp() throws Exception {
    slurm.fails("--states=all", "slurm_load_jobs error: Unable to contact slurm controller");
    slurm.after(9, () -> slurm.buffer().says("ready"));
    comeUp();
    assertThat(slurm.pauses).hasSize(9);
  }

  @Test
  void aSlurmThatHangsOverTheServedJobsStateIsNoReasonToGiveUp() throws Exception {
    slurm.hangs("--states=all");
    slurm.after(9, () -> slurm.buffer().says("ready"));
    comeUp();
    assertThat(slurm.pauses).hasSize(9);
  }

  @Test
  void aBufferIsMadeOnTheFewestHostsThatHoldIt() throws Exception {
    slurm.hosts = List.of(3000, 9000, 5000);
    setup();
    assertThat(slurm.commands("sbatch").get(0)).contains("--nodes=1 ", "--mem=6144M");
  }

  /** Of which {@code /dev/shm} has one half: a node with more blocks would refuse to start. */
  @Test
  void aBufferIsOnAsManyHostsAsTheirRamDisksHoldIt() throws Exception {
    slurm.hosts = List.of(262144, 262144);
    slurm.script = slurm.script.replace("capacity=3G", "capacity=200G");
    setup();
    assertThat(slurm.commands("sbatch").get(0)).contains("--nodes=2 ", "--mem=204800M ");
    assertThat(stages.pools()).contains("\"quantity\":262144,");
  }

  @Test
  void aBufferThatFitsOnNoHostsIsRefused() {
    slurm.hosts = List.of(1000, 1000);
    refused(
        this::setup,
        ErrorCode.NO_SPACE,
        "a buffer of 3g does not fit on the 2 hosts of partition eley");
    slurm.hosts = List.of();
    refused(
        this::setup,
        ErrorCode.NO_SPACE,
        "a buffer of 3g does not fit on the 0 hosts of partition eley");
    assertThat(slurm.count("sbatch")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "alice", "alice:x:1000:100:Alice::/bin/bash"})
  void aUserWithoutAHomeHasNoBuffer(String passwd) {
    slurm.passwd = passwd;
    refused(this::setup, ErrorCode.NOT_FOUND, "user 1000 has no home directory here");
  }

  @Test
  void aScriptWithoutADirectiveIsRefusedByEveryStageThatReadsIt() throws Exception {
    Files.writeString(script, "#!/bin/sh\n");
    String message = "the script has no #BB_LUA directive";
    refused(this::setup, ErrorCode.MALFORMED, message);
    refused(() -> stages.dataIn(SERVED, script), ErrorCode.MALFORMED, message);
    refused(() -> stages.dataOut(SERVED, script), ErrorCode.MALFORMED, message);
    assertThat(slurm.issued).isEmpty();
    assertThat(state).doesNotExist();
  }

  /** The comment is the user's to write, and Slurm's own user may end anybody's job. */
  @Test
  void aCommentThatLooksLikeJobsOfOthersNamesNone() throws Exception {
    String others = "\n4711|1000|RUNNING|alice\n4711|RUNNING|alice|None|ready";
    var buffer = made("ready" + others);
    slurm.after(1, () -> buffer.says("out: 3 in /mnt/pfs" + others));
    stages.dataOut(SERVED, script);
    stages.teardown(SERVED);
    assertThat(slurm.commands("scancel"))
        .containsExactly("scancel --signal=USR1 --batch " + buffer.id, "scancel " + buffer.id);
    slurm.times = "1:00:00|2-00:00:00";
    slurm.after(1, () -> slurm.buffer().reason = "QOSMaxWallDurationPerJobLimit");
    slurm.after(1, () -> slurm.buffer().comment = "waiting\n4711|1000|PENDING|alice");
    slurm.after(2, () -> slurm.buffer().says("ready"));
    comeUp();
    assertThat(String.join(" ", slurm.commands("scontrol"))).contains("update");
    assertThat(slurm.issued).noneMatch(command -> String.join(" ", command).contains("4711"));
  }

  // data-in -------------------------------------------------------------------------------------

  /** However long its hosts are busy: Slurm gives this stage a day, and setup five minutes. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 1000})
  void dataInWaitsUntilTheNodesAreThere(int polls) throws Exception {
    setup();
    slurm.after(polls, () -> slurm.buffer().says("ready"));
    stages.dataIn(SERVED, plain);
    assertThat(slurm.pauses).hasSize(polls);
    assertThat(slurm.count("sbatch")).isEqualTo(1);
    assertThat(slurm.count("scancel")).isZero();
  }

  @Test
  void dataInWaitsUntilTheInputIsThere() throws Exception {
    var buffer = made("ready");
    slurm.after(1, () -> buffer.says("staging"));
    slurm.after(3, () -> buffer.says("staged 5m of 5m in 2 files"));
    stages.dataIn(SERVED, script);
    stages.dataIn(SERVED, script);
    assertThat(slurm.pauses).hasSize(3);
    assertThat(slurm.count("squeue")).as("where it is, and what it says").isEqualTo(2 * (4 + 1));
    assertThat(stages.status())
        .containsExactly(new BufferStatus(SERVED, "100", "alice", "staged 5m of 5m in 2 files"));
  }

  @Test
  void withoutADirectoryForResultsThereIsNothingToPublish() throws Exception {
    directive("");
    stages.dataOut(SERVED, script);
    assertThat(slurm.issued).isEmpty();
  }

  @Test
  void inputThatCannotBeStagedIsSaidAndTheBufferStaysForTheUser() throws Exception {
    made("failed: stage-in: no file below /mnt/pfs matches in/*");
    refused(
        () -> stages.dataIn(SERVED, script),
        ErrorCode.UNAVAILABLE,
        "stage-in: no file below /mnt/pfs matches in/*");
    assertThat(slurm.count("scancel")).isZero();
  }

  @Test
  void dataInWithoutSetupFindsNoBuffer() {
    refused(
        () -> stages.dataIn(SERVED, script),
        ErrorCode.UNAVAILABLE,
        "the buffer of job 42 has ended before it could stage its input");
    assertThat(slurm.commands("squeue"))
        .as("nobody's name is looked for, only the job itself")
        .containsExactly("squeue --noheader --jobs=42 --format=%T --states=all");
  }

  @Test
  void aJobThatIsCancelledWhileItsInputComesEndsDataIn() throws Exception {
    made("staging");
    slurm.after(10, () -> slurm.served = "CANCELLED");
    refused(() -> stages.dataIn(SERVED, script), ErrorCode.UNAVAILABLE, "job 42 was cancelled");
    assertThat(slurm.pauses).hasSize(10);
  }

  /** A staging that takes an hour must not cost slurmctld two RPCs four times a second. */
  @Test
  void theLongerNothingChangesTheRarerSlurmIsAsked() throws Exception {
    var buffer = made("ready");
    slurm.after(9, () -> buffer.says("staging"));
    slurm.after(20, () -> buffer.says("staged 5m of 5m in 2 files"));
    stages.dataIn(SERVED, script);
    List<Long> millis = slurm.pauses.stream().map(Duration::toMillis).toList();
    assertThat(millis).hasSize(20);
    assertThat(millis.subList(0, 9))
        .containsExactly(250L, 375L, 562L, 843L, 1265L, 1898L, 2847L, 4271L, 6407L);
    assertThat(millis.get(9)).as("something has happened").isEqualTo(250);
    assertThat(millis.subList(18, 20)).containsExactly(9610L, 14416L);
  }

  @Test
  void aSlurmThatIsBusyForAWhileDoesNotEndTheWaitForABuffer() throws Exception {
    var buffer = made("starting");
    slurm.after(2, () -> slurm.fails("squeue", "Socket timed out on send/recv operation"));
    slurm.after(
        12,
        () -> {
          slurm.recovers();
          buffer.says("staged 5m of 5m in 2 files");
        });
    stages.dataIn(SERVED, script);
    assertThat(slurm.pauses).hasSize(12);
  }

  @Test
  void aSlurmThatAnswersNoMoreEndsTheWaitForABuffer() throws Exception {
    var unused = made("starting");
    slurm.after(2, () -> slurm.fails("squeue", "Unable to contact slurm controller"));
    refused(
        () -> stages.dataIn(SERVED, script),
        ErrorCode.UNAVAILABLE,
        "squeue: Unable to contact slurm controller");
    assertThat(slurm.pauses).hasSize(2 + 20);
  }

  /** All data-ins of jobs that are submitted at once begin together, and ask then. */
  @Test
  void aSlurmThatIsBusyWhenDataInBeginsIsAskedAgain() throws Exception {
    setup();
    slurm.fails("squeue", "Socket timed out on send/recv operation");
    slurm.after(3, slurm::recovers);
    slurm.after(5, () -> slurm.buffer().says("ready"));
    stages.dataIn(SERVED, plain);
    assertThat(slurm.pauses).hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--format=%L|%l", "--format=%l", "TimeLimit="})
  void aSlurmThatIsBusyWhenABufferIsToBeShortenedIsAskedAgain(String word) throws Exception {
    setup();
    slurm.times = "1:00:00|2-00:00:00";
    slurm.hangs(word);
    slurm.after(3, () -> slurm.buffer().reason = "QOSMaxWallDurationPerJobLimit");
    slurm.after(6, slurm::recovers);
    slurm.after(6, () -> slurm.answer("TimeLimit=", this::begins));
    stages.dataIn(SERVED, plain);
    assertThat(slurm.pauses).hasSize(7);
  }

  @Test
  void aSlurmThatIsBusyBehindTheShorteningIsAskedAgain() throws Exception {
    setup();
    slurm.times = "1:00:00|2-00:00:00";
    slurm.after(3, () -> slurm.buffer().reason = "QOSMaxWallDurationPerJobLimit");
    slurm.answer(
        "TimeLimit=",
        () -> {
          slurm.fails("squeue", "Socket timed out on send/recv operation");
          slurm.after(4, slurm::recovers);
          return begins();
        });
    stages.dataIn(SERVED, plain);
    assertThat(slurm.commands("scontrol")).filteredOn(c -> c.contains("TimeLimit=")).hasSize(1);
    assertThat(slurm.pauses).hasSize(3 + 4);
  }

  /** The looks between that are answered do not make it one that answers. */
  @Test
  void aBufferThatCannotBeShortenedEndsTheWait() throws Exception {
    setup();
    slurm.times = "1:00:00|2-00:00:00";
    slurm.after(3, () -> slurm.buffer().reason = "QOSMaxWallDurationPerJobLimit");
    slurm.fails("TimeLimit=", "Access/permission denied");
    refused(
        () -> stages.dataIn(SERVED, plain),
        ErrorCode.UNAVAILABLE,
        "scontrol: Access/permission denied");
    assertThat(slurm.pauses).hasSize(3 + 20);
  }

  // paths and pre-run ---------------------------------------------------------------------------

  @Test
  void pathsBeforeSetupAreAnError() {
    refused(
        () -> stages.paths(SERVED), ErrorCode.NOT_FOUND, "the buffer of job 42 was never set up");
  }

  @Test
  void preRunAsksOnce() throws Exception {
    made("staged 1m of 1m in 1 file");
    stages.preRun(SERVED);
    stages.preRun(SERVED);
    assertThat(slurm.issued).as("where it is, and what it says").hasSize(2 * 2);
    assertThat(slurm.pauses).isEmpty();
  }

  @Test
  void preRunFailsWithoutABuffer() throws Exception {
    refused(() -> stages.preRun(SERVED), ErrorCode.UNAVAILABLE, "the buffer of job 42 is gone");
    var buffer = made("starting");
    refused(
        () -> stages.preRun(SERVED),
        ErrorCode.UNAVAILABLE,
        "the buffer of job 42 is gone (RUNNING, starting)");
    buffer.state = "PENDING";
    buffer.comment = "ready";
    refused(
        () -> stages.preRun(SERVED),
        ErrorCode.UNAVAILABLE,
        "the buffer of job 42 is gone (PENDING, ready)");
  }

  // data-out ------------------------------------------------------------------------------------

  @Test
  void dataOutAsksTheScriptOnceAndWaitsForItsWord() throws Exception {
    var buffer = made("staged 1m of 1m in 1 file");
    slurm.after(3, () -> buffer.says("out: 7 in /mnt/pfs/results"));
    stages.dataOut(SERVED, script);
    assertThat(slurm.commands("scancel"))
        .containsExactly("scancel --signal=USR1 --batch " + buffer.id);
    assertThat(slurm.pauses).hasSize(3);
  }

  @Test
  void resultsThatCannotBePublishedAreSaid() throws Exception {
    var buffer = made("ready");
    slurm.after(2, () -> buffer.says("failed: /mnt/pfs/results/a exists already"));
    refused(
        () -> stages.dataOut(SERVED, script),
        ErrorCode.UNAVAILABLE,
        "/mnt/pfs/results/a exists already");
  }

  @Test
  void dataOutOfABufferThatIsGoneSignalsNobody() {
    refused(
        () -> stages.dataOut(SERVED, script),
        ErrorCode.UNAVAILABLE,
        "the buffer of job 42 is gone");
    assertThat(slurm.count("scancel")).isZero();
  }

  @Test
  void aBufferThatEndsWhileItPublishesIsAnError() throws Exception {
    made("ready");
    slurm.after(1, slurm.queue::clear);
    refused(
        () -> stages.dataOut(SERVED, script),
        ErrorCode.UNAVAILABLE,
        "the buffer of job 42 has ended before it could publish its results");
  }

  // teardown ------------------------------------------------------------------------------------

  @Test
  void teardownCancelsOnceWaitsAndForgets() throws Exception {
    var buffer = made("ready");
    slurm.pollsToEnd = 30;
    stages.teardown(SERVED);
    assertThat(slurm.commands("scancel")).containsExactly("scancel " + buffer.id);
    assertThat(slurm.pauses).hasSize(30);
    assertThat(state.resolve("42")).doesNotExist();
    int before = slurm.issued.size();
    stages.teardown(SERVED);
    assertThat(slurm.issued).as("again: there is nothing to ask for").hasSize(before);
  }

  @Test
  void teardownWithoutSetupAsksNobody() throws Exception {
    stages.teardown(SERVED);
    assertThat(slurm.issued).isEmpty();
  }

  @Test
  void teardownEndsEveryBufferOfTheJob() throws Exception {
    made("ready");
    slurm.running("staging");
    stages.teardown(SERVED);
    assertThat(slurm.commands("scancel")).containsExactly("scancel 100", "scancel 101");
    assertThat(slurm.queue).isEmpty();
  }

  @Test
  void aBufferThatIsEndingAlreadyIsNotCancelledAgain() throws Exception {
    made("ready").state = "COMPLETING";
    slurm.after(2, slurm.queue::clear);
    stages.teardown(SERVED);
    assertThat(slurm.count("scancel")).isZero();
  }

  @Test
  void aCancellationThatSlurmHasLostIsRepeatedAndGivenUpAfterTwoMinutes() throws Exception {
    made("ready");
    slurm.prints("scancel", "");
    refused(() -> stages.teardown(SERVED), ErrorCode.DEADLINE, "the buffer of job 42 does not end");
    assertThat(slurm.count("scancel")).isEqualTo(480 / 40);
    assertThat(slurm.pauses).hasSize(480).allMatch(p -> p.toMillis() == 250);
    assertThat(note("owner")).as("teardown will be called again").exists();
  }

  // status and pools ----------------------------------------------------------------------------

  @Test
  void statusAsksSlurmNothing() throws Exception {
    made("starting");
    Files.createDirectories(state.resolve("7"));
    Files.writeString(state.resolve("pools.json"), "{}");
    Files.writeString(note("progress"), "100|alice|starting (None)");
    assertThat(stages.status())
        .containsExactly(
            new BufferStatus(7, "", "", "being set up"),
            new BufferStatus(SERVED, "100", "alice", "starting (None)"));
    assertThat(slurm.issued).isEmpty();
  }

  @Test
  void statusBeforeTheFirstJobIsEmpty() throws Exception {
    assertThat(stages.status()).isEmpty();
  }

  @Test
  void aPendingBufferShowsWhyItWaits() throws Exception {
    slurm.after(5, () -> slurm.buffer().says("ready"));
    slurm.after(4, () -> assertThat(progress()).isEqualTo("waiting for hosts (Resources)"));
    comeUp();
    assertThat(progress()).isEqualTo("ready");
  }

  private String progress() {
    try {
      return stages.status().get(0).progress();
    } catch (EleyException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void thePoolIsWhatBlocksCanHaveOfTheHostsThatAreUp() throws Exception {
    slurm.hosts = List.of(4000, 4000, 500);
    String pools = "{\"pools\":[{\"id\":\"eley\",\"quantity\":4000,\"granularity\":1048576}]}\n";
    assertThat(stages.pools()).isEqualTo(pools);
    assertThat(stages.pools()).isEqualTo(pools);
    assertThat(state.resolve("pools.json")).hasContent(pools.strip());
    assertThat(slurm.commands("sinfo"))
        .hasSize(2)
        .containsOnly(
            "sinfo --noheader --partition=eley --Node"
                + " --states=idle,mixed,allocated,completing --format=%m");
  }

  @Test
  void poolsForgetsJobsThatAreOverAndHaveNoBuffer() throws Exception {
    made("ready");
    slurm.served = "CANCELLED";
    stages.pools();
    assertThat(note("owner")).as("its buffer is still there").exists();
    slurm.queue.clear();
    slurm.served = "STAGE_OUT";
    stages.pools();
    assertThat(note("owner")).as("it is not over").exists();
    slurm.served = "COMPLETED";
    stages.pools();
    assertThat(state.resolve("42")).doesNotExist();
  }

  /** Its timer starts no second one beside it, and each question may hang for half a minute. */
  @Test
  void aSlurmThatHangsOverAJobsStateEndsPoolsAtTheFirstOfThem() throws Exception {
    var unused = made("ready");
    Files.createDirectories(state.resolve("41"));
    Files.createDirectories(state.resolve("43"));
    slurm.hangs("--states=all");
    refused(stages::pools, ErrorCode.UNAVAILABLE, "--states=all did not end within 30000 ms");
    assertThat(slurm.commands("squeue")).hasSize(1);
    assertThat(state.resolve("pools.json")).as("what Slurm reads").exists();
    assertThat(stages.status()).as("nothing is known to be over").hasSize(3);
  }

  /** Such as a directory that somebody made who tried a stage as root. */
  @Test
  void notesThatCannotBeRemovedAreSaidAndThoseOfOtherJobsGo() throws Exception {
    slurm.served = "COMPLETED";
    Path foreign = Files.createDirectories(state.resolve("41"));
    Files.writeString(foreign.resolve("owner"), Long.toString(UID));
    Files.createDirectories(state.resolve("42"));
    Files.setPosixFilePermissions(foreign, PosixFilePermissions.fromString("r-xr-xr-x"));
    boolean root = Files.isWritable(foreign);
    assumeTrue(!root || isDone("chattr", "+i", foreign), "root may remove everything here");
    try {
      assertThatThrownBy(stages::pools)
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED))
          .hasMessageStartingWith("cannot remove " + foreign + ": ");
      assertThat(state.resolve("42")).doesNotExist();
      assertThat(state.resolve("pools.json")).exists();
      assertThatThrownBy(() -> stages.teardown(41)).hasMessageStartingWith("cannot remove");
    } finally {
      assertThat(!root || isDone("chattr", "-i", foreign)).isTrue();
    }
  }

  /** Of a command that may not be there, or may not do so here. */
  private static boolean isDone(String command, String what, Path path) throws Exception {
    try {
      return new ProcessBuilder(command, what, path.toString()).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aPoolThatCannotBeCountedLeavesTheLastOne() throws Exception {
    stages.pools();
    String before = Files.readString(state.resolve("pools.json"));
    slurm.fails("sinfo", "Unable to contact slurm controller");
    assertThatThrownBy(stages::pools).hasMessage("sinfo: Unable to contact slurm controller");
    assertThat(state.resolve("pools.json")).hasContent(before.strip());
  }
}
