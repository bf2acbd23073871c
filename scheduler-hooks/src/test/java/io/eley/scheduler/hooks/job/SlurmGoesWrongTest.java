package io.eley.scheduler.hooks.job;

import static io.eley.scheduler.hooks.job.ScriptedSlurm.SERVED;
import static io.eley.scheduler.hooks.job.ScriptedSlurm.UID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.scheduler.hooks.command.CommandRunner.Output;
import io.eley.scheduler.hooks.signal.SignalException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that fail, hang, print garbage, or print nothing and call that success. */
@Timeout(60)
class SlurmGoesWrongTest {
  @TempDir private Path temp;
  private Path script;
  private Path plain;
  private final ScriptedSlurm slurm = new ScriptedSlurm();
  private final SlurmCommands commands = new SlurmCommands(slurm);
  private BufferStages stages;

  @BeforeEach
  void surroundings() throws Exception {
    script = temp.resolve("job.sh");
    slurm.script = "#BB_LUA pool=eley capacity=1G origin=/mnt stage_in=in stage_out=o\n";
    Files.writeString(script, slurm.script);
    plain = temp.resolve("plain.sh");
    Files.writeString(plain, "#BB_LUA pool=eley capacity=1G origin=/mnt\n");
    Path state = temp.resolve("state");
    stages = new BufferStages(commands, "eley", state, slurm.submission("%h/bb"), slurm.pause());
  }

  private void comeUp() throws EleyException {
    stages.setup(SERVED, UID, script);
    stages.dataIn(SERVED, plain);
  }

  @ParameterizedTest
  @ValueSource(strings = {"squeue", "scontrol", "sinfo", "getent", "sbatch"})
  void aCommandThatHangsEndsThemWithOneLineAndItCanBeRepeated(String program) throws Exception {
    slurm.hangs(program);
    assertThatThrownBy(this::comeUp)
        .isInstanceOf(EleyException.class)
        .hasMessage(
            program
                + " did not end within 30000 ms"
                + (program.equals("sbatch") ? ": look at squeue before you submit it again" : ""));
    slurm.recovers();
    slurm.after(1, () -> slurm.buffer().says("ready"));
    comeUp();
    assertThat(slurm.queue).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "squeue, squeue: the controller is away",
    "scontrol, scontrol: the controller is away",
    "sinfo, sinfo: the controller is away",
    "getent, getent: the controller is away",
    "sbatch, sbatch refuses: the controller is away"
  })
  void aCommandThatFailsEndsThemWithItsOwnWords(String program, String message) {
    slurm.fails(program, "the controller is away");
    assertThatThrownBy(this::comeUp).isInstanceOf(EleyException.class).hasMessage(message);
    slurm.recovers();
  }

  @Test
  void aCommandThatFailsWithoutAWordIsSaidByItsExitCode() {
    slurm.answer("sinfo", () -> new Output(3, "", " "));
    assertThatThrownBy(this::comeUp).hasMessage("sinfo: exit code 3");
    assertThatThrownBy(() -> commands.requireRoom(1, "all"))
        .hasMessage("Slurm does not answer: exit code 3");
  }

  @Test
  void aSlurmThatIsNotThereIsSaid() {
    slurm.answer(
        "sinfo",
        () -> {
          throw SignalException.absent("there is no sinfo to run");
        });
    assertThatThrownBy(commands::requireSlurm)
        .hasMessage("there is no Slurm here: there is no sinfo to run");
  }

  @Test
  void anInterruptionEndsAStageAndStaysKnown() {
    slurm.answer(
        "squeue",
        () -> {
          throw new InterruptedException();
        });
    assertThatThrownBy(this::comeUp).hasMessage("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0000\u0001", "100", "100|1000|RUNNING", "x|1000|RUNNING|alice"})
  void garbageFromSqueueIsNoBuffer(String garbage) throws Exception {
    slurm.prints("--name=", garbage + "\n");
    assertThatThrownBy(this::comeUp)
        .hasMessage("the buffer of job 42 has ended before it could come up");
    assertThat(slurm.count("sbatch")).as("submitted once, not at every poll").isEqualTo(1);
  }

  @Test
  void garbageBetweenTwoLinesDoesNotHideTheBuffer() throws Exception {
    Files.createDirectories(temp.resolve("state/42"));
    Files.writeString(temp.resolve("state/42/owner"), "1000");
    slurm.prints("--name=", "slurm: warning\n100|1000|RUNNING|alice\n\n");
    slurm.prints("--jobs=100", "slurm: warning\nNone|ready | with a bar\n\n");
    stages.preRun(SERVED);
    assertThat(slurm.issued).hasSize(2);
  }

  /** squeue is silent, with exit status 0, about a job that it has just forgotten. */
  @Test
  void anEmptyAnswerAboutTheServedJobIsItsEnd() {
    slurm.prints("--states=all", "");
    assertThatThrownBy(this::comeUp).hasMessage("job 42 was cancelled");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RUNNING", "CONFIGURING", "STAGE_OUT", "COMPLETING", "garbage"})
  void whateverElseIsSaidAboutTheServedJobIsNotItsEnd(String said) throws Exception {
    slurm.prints("--states=all", said + "\n");
    slurm.after(20, () -> slurm.buffer().says("ready"));
    comeUp();
    assertThat(slurm.pauses).hasSize(20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Submitted batch job", "12x", "-1"})
  void anAnswerOfSbatchThatIsNoNumberIsSaid(String answer) {
    slurm.prints("sbatch", answer + "\n");
    assertThatThrownBy(this::comeUp)
        .hasMessage(
            "sbatch says '"
                + answer
                + "', which is no job's number: look at squeue before you submit it again");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4711", "4711;alpha", "Checked: 12 nodes\n4711;alpha", "17\n 4711 \nbye"})
  void whatASitesOwnSbatchSaysBesideTheNumberIsPassedOver(String answer) throws Exception {
    slurm.prints("sbatch", answer + "\n");
    assertThat(commands.submit("#!/bin/sh\n", List.of())).isEqualTo(4711);
  }

  @Test
  void memoryThatIsNoNumberCountsAsNoHost() {
    slurm.prints("sinfo", "MEMORY\n4000+\n");
    assertThatThrownBy(this::comeUp)
        .hasMessage("a buffer of 1g does not fit on the 0 hosts of partition eley");
  }

  @Test
  void aScancelThatFailsIsTriedAgainAndOtherStagesSayIt() throws Exception {
    slurm.after(1, () -> slurm.buffer().says("ready"));
    comeUp();
    slurm.fails("scancel", "Socket timed out");
    assertThatThrownBy(() -> stages.dataOut(SERVED, script))
        .hasMessage("scancel: Socket timed out");
    slurm.after(45, slurm::recovers);
    stages.teardown(SERVED);
    assertThat(slurm.commands("scancel")).hasSize(1 + 3);
    assertThat(slurm.queue).isEmpty();
  }

  @Test
  void notesThatCannotBeReadOrWrittenAreSaid() throws Exception {
    Files.writeString(temp.resolve("state"), "a file in the directory's place");
    assertThatThrownBy(this::comeUp).hasMessageStartingWith("cannot write ");
    assertThatThrownBy(() -> stages.paths(SERVED)).hasMessageStartingWith("cannot read ");
    assertThatThrownBy(stages::status).hasMessageStartingWith("cannot read ");
  }

  @ParameterizedTest
  @CsvSource({
    "slurm-wlm 22.05.8,",
    "slurm 24.11.1-2,",
    "slurm 21.08.8, this is Slurm 21.08; jobs with a buffer need 22.05 or newer",
    "sinfo (GNU coreutils), 'sinfo says ''sinfo (GNU coreutils)'', which is no version of Slurm'"
  })
  void versionsOfSlurm(String said, String complaint) throws Exception {
    slurm.prints("--version", said + "\n");
    if (complaint == null) {
      commands.requireSlurm();
    } else {
      assertThatThrownBy(commands::requireSlurm).hasMessage(complaint);
    }
    assertThat(slurm.issued).containsExactly(List.of("sinfo", "--version"));
  }

  @Test
  void aHostThatIsLargeEnoughIsRequired() throws Exception {
    slurm.prints("sinfo", "1000\n 64000+\n");
    commands.requireRoom(64000, "all");
    assertThatThrownBy(() -> commands.requireRoom(64001, "--spark-memory 1"))
        .hasMessage(
            "a host of this job needs 64001 MiB, and the largest node here has 64000; give"
                + " less: of it --spark-memory 1");
    slurm.prints("sinfo", "");
    slurm.recovers();
    slurm.prints("sinfo", "");
    commands.requireRoom(Long.MAX_VALUE - 1, "all");
  }
}
