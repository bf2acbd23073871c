package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.scheduler.hooks.slurm.SlurmJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What HPC jobs copy into their scripts, run by bash with commands of our own. */
@Timeout(60)
class HpcJobSnippetsTest {
  private static final SlurmJob JOB =
      new SlurmJob(4711, 4711, "50 % a&b", "ada", "", "", "", "", "n1");

  @TempDir private Path temp;
  private ScriptCommands commands;

  @BeforeEach
  void surroundings() throws IOException {
    commands = new ScriptCommands(temp);
    commands.make("srun", "echo \"$*\" >>HERE/steps; exit $(cat HERE/status)\n");
    commands.make("eley", "while [[ $1 != -- ]]; do shift; done; shift; exec \"$@\"\n");
    Files.writeString(temp.resolve("status"), "0");
  }

  /** Runs a job that has one of the snippets, in a script that ends with what fails. */
  private int job(int snippet) throws Exception {
    String all = ShellScript.template("hpc-job-snippets.sh");
    String text = all.split("(?m)^# (?=\\d\\. )", -1)[snippet];
    var builder = commands.job("bash", "-euo", "pipefail", "-c", "# " + text);
    builder.environment().put("SLURM_JOB_NAME", JOB.name());
    builder.environment().put("SLURM_JOB_USER", JOB.user());
    builder.environment().put("SLURM_JOB_ID", Long.toString(JOB.id()));
    builder.environment().put("ELEY_DEPLOYMENT", temp.resolve("deployment").toString());
    Process job = builder.start();
    assertThat(job.waitFor(30, TimeUnit.SECONDS)).as("it ends").isTrue();
    assertThat(temp.resolve("steps")).as("ran once").hasContent("./write_checkpoint");
    return job.exitValue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aJobRunsWhereNobodyHearsOfItsPhase(int snippet) throws Exception {
    commands.make("curl", "exit 26\n");
    commands.make("scontrol", "echo 'slurm_update error: Access denied' >&2; exit 1\n");
    assertThat(job(snippet)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aJobThatFailsFails(int snippet) throws Exception {
    Files.writeString(temp.resolve("status"), "7");
    commands.make("curl", "exit 0\n");
    commands.make("scontrol", "exit 0\n");
    assertThat(job(snippet)).isEqualTo(7);
  }

  @Test
  void aCommandsPhaseHasTheNameThatSlurmsAccountingGivesTheJob() throws Exception {
    commands.make(
        "eley",
        "printf '%s\\n' \"$@\" >>HERE/asked; while [[ $1 != -- ]]; do shift; done; shift; \"$@\"\n");
    assertThat(job(1)).isZero();
    assertThat(Files.readAllLines(temp.resolve("asked")))
        .startsWith("phase", "run", "--app", JOB.application());
  }

  @Test
  void aPhaseIsAnnouncedByTheWholeName() throws Exception {
    Path deployment = Files.createDirectory(temp.resolve("deployment"));
    Files.writeString(deployment.resolve("announce.url"), "http://127.0.0.1:1\n");
    commands.make("curl", "printf '%s\\n' \"${@: -3}\" >>HERE/asked\n");
    assertThat(job(2)).isZero();
    assertThat(Files.readAllLines(temp.resolve("asked")))
        .isEqualTo(
            List.of(
                "--data-urlencode",
                "app=" + JOB.application(),
                "http://127.0.0.1:1/begin",
                "--data-urlencode",
                "app=" + JOB.application(),
                "http://127.0.0.1:1/end"));
  }
}
