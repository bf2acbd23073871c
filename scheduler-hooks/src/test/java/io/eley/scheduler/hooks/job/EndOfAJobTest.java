package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a job's script asks of Slurm at its end: its functions, run by bash where the commands of
 * Slurm say what a test wants, and what they were asked for. That Slurm does what it is asked for
 * is {@code RequeueTest}'s and {@code StubbornStepTest}'s.
 */
@Timeout(60)
class EndOfAJobTest {
  @TempDir private Path temp;

  private String version = "slurm 26.05.3";
  private int restarts = 1;
  private String down = "";
  private int refused;

  /** What scontrol, sinfo and scancel were asked to change, and what the script said. */
  private String end(String function, String before) throws Exception {
    String script =
        """
        %1$s
        SLURM_JOB_ID=7 SLURM_RESTART_COUNT=0 SLURM_HET_SIZE=2 REQUEUE=yes
        SLURM_JOB_NODELIST_HET_GROUP_0=n[1-2] SLURM_JOB_NODELIST_HET_GROUP_1=n3
        say() { echo "said $*"; }
        sinfo() { [[ "$*" != *" --nodes=n3 "* ]] || printf %%s "%2$s"; }
        scontrol() {
          case "$1" in
            --version) echo "%3$s" ;;
            --oneliner) printf 'JobId=%%s Requeue=1 Restarts=%4$d Reboot=0\\n' 7 8 ;;
            *) echo "scontrol $*"; return %5$d ;;
          esac
        }
        scancel() { echo "scancel $*"; }
        %6$s
        %7$s
        """
            .formatted(all(), down, version, restarts, refused, before, function);
    Process bash = new ProcessBuilder("bash", "-uc", script).redirectErrorStream(true).start();
    String text = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return text;
  }

  private String all() throws IOException {
    String text = ShellScript.template("spark-with-buffer.sh");
    int from = text.indexOf("begin_again() {");
    Path steps = Files.writeString(temp.resolve("steps.sh"), stepsOf(text));
    return "source " + steps + "\n" + text.substring(from, text.indexOf("\n}\n", from) + 3);
  }

  private static String stepsOf(String text) {
    int from = text.indexOf("awaited= #");
    return text.substring(from, text.indexOf("# A step that was killed outright"));
  }

  private String again(String before) throws Exception {
    return end("begin_again", before);
  }

  /** As people have them in their profiles, for lists of their own. */
  @Test
  void filtersOfAPersonsListsHideNoStep() throws Exception {
    Path bin = tool("squeue", "[ -n \"$SQUEUE_PARTITION$SQUEUE_USERS\" ] || echo 7.1 eley-node");
    String filters = "export SQUEUE_PARTITION=gpu SQUEUE_USERS=ada PATH=" + bin + ":$PATH";
    assertThat(end("steps eley-; echo $SQUEUE_USERS", filters)).isEqualTo("7.1\nada\n");
  }

  @Test
  void filtersOfAPersonsListsHideNoHostThatIsDown() throws Exception {
    Path bin = tool("sinfo", "[ -n \"$SINFO_PARTITION\" ] || echo n3");
    String path = "PATH=" + bin + ":$PATH; unset -f sinfo; source " + temp.resolve("steps.sh");
    assertThat(again(path)).isEmpty();
    assertThat(again("export SINFO_PARTITION=gpu " + path)).as("a host is down").isEmpty();
  }

  /** A directory with a command of this name. */
  private Path tool(String name, String script) throws IOException {
    Path bin = Files.createDirectory(temp.resolve("bin"));
    Path fake = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(fake, PosixFilePermissions.fromString("rwx------"));
    return bin;
  }

  @Test
  void aRequeuedJobThatWasCancelledByItsOwnStepsIsRequeued() throws Exception {
    String both =
        """
        scontrol requeue 7
        said requeued once more, for Slurm had cancelled it
        """;
    assertThat(again("")).isEqualTo(both);
    version = "slurm-wlm 25.11.0";
    assertThat(again("")).isEqualTo(both);
    restarts = 3;
    assertThat(again("SLURM_RESTART_COUNT=2")).as("not for the first time").isEqualTo(both);
  }

  @Test
  void aRefusalMeansThatSlurmHasDoneAsItShould() throws Exception {
    refused = 1;
    assertThat(again("")).isEqualTo("scontrol requeue 7\n");
  }

  @Test
  void whatSlurmHasNotRequeuedIsNotRequeued() throws Exception {
    restarts = 0;
    assertThat(again("")).as("cancelled, or ended by itself").isEmpty();
    restarts = 2;
    assertThat(again("SLURM_RESTART_COUNT=2")).isEmpty();
  }

  @Test
  void nobodyIsAskedWhereNothingGoesWrong() throws Exception {
    assertThat(again("REQUEUE=no")).isEmpty();
    assertThat(again("unset SLURM_HET_SIZE")).as("a job of one component").isEmpty();
    for (String before :
        new String[] {"slurm-wlm 22.05.8", "slurm 22.05.8", "slurm-wlm 24.11.5", "slurm 25.05.8"}) {
      version = before;
      assertThat(again("")).as(before).isEmpty();
    }
  }

  @Test
  void aJobThatHasLostAHostIsLeftToSlurm() throws Exception {
    down = "n3";
    assertThat(again("")).isEmpty();
  }

  /** Without a signal's name slurmctld is asked, and may end the job. */
  @Test
  void aStepThatDoesNotEndIsKilledWhereItRuns() throws Exception {
    assertThat(
            end(
                "GRACE=0; end_steps eley-node",
                "squeue() { echo '7+0.3 eley-node'; echo '7+0.4 their-own'; }"))
        .isEqualTo(
            """
            scancel --signal=TERM 7+0.3
            said step 7+0.3 has not ended in time
            scancel --signal=KILL 7+0.3
            """);
  }

  /** As one that is being started while the job is cancelled. */
  @Test
  void aStepThatRefusesToBeToldIsToldAgain() throws Exception {
    Path started = temp.resolve("started");
    Path ended = temp.resolve("ended");
    String slurm =
        """
        squeue() { [ -e %2$s ] || echo '7+0.3 eley-spark-worker'; }
        scancel() {
          echo "scancel $*"
          if [ -e %1$s ]; then touch %2$s; else touch %1$s; return 1; fi
        }
        """
            .formatted(started, ended);
    assertThat(end("GRACE=20; end_steps eley-spark eley-node", slurm))
        .isEqualTo(
            """
            scancel --signal=TERM 7+0.3
            scancel --signal=TERM 7+0.3
            """);
  }

  /** The array's tasks are asked for by one number; a job submitted in a task has its own. */
  @Test
  void stepsOfAnArrayAreEndedByTheirTaskAlone() throws Exception {
    String array = "SLURM_ARRAY_JOB_ID=5 SLURM_ARRAY_TASK_ID=1; ";
    String one = array + "unset SLURM_HET_SIZE; ";
    String tasks = "squeue() { echo '5_1.0 eley-node'; echo '5_10.0 eley-node'; }";
    String end = "GRACE=0; end_steps eley-node";
    assertThat(end(end, one + tasks)).contains("TERM 5_1.0\n").doesNotContain("5_10");
    assertThat(end(end, one + "squeue() { echo '7.0 eley-node'; }")).contains("TERM 7.0\n");
    assertThat(end(end, array + "squeue() { echo '7+1.0 eley-node'; }")).contains("TERM 7+1.0\n");
  }
}
