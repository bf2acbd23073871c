package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stages as far as they need no Slurm; {@code BufferStagesTest} has the rest. */
class SlurmCommandTest {
  @TempDir private Path temp;

  private Path script(String directive) throws IOException {
    return Files.writeString(temp.resolve("job.sh"), "#!/bin/sh\n" + directive + "\n");
  }

  private Eley stage(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "slurm";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "--state";
    all[arguments.length + 2] = temp.resolve("state").toString();
    return Eley.run(all);
  }

  private Path note(String name) throws IOException {
    return Files.createDirectories(temp.resolve("state/42")).resolve(name);
  }

  @Test
  void validateShowsWhatADirectiveAsksFor() throws Exception {
    Path script =
        script("#BB_LUA pool=eley capacity=64G origin=/mnt/pfs stage_in=in/* stage_out=results");
    Eley run = Eley.run("slurm", "validate", "--script", script.toString());
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .isEqualTo("capacity 64g, origin /mnt/pfs, stage in in/*, stage out /mnt/pfs/results\n");
  }

  @Test
  void validateTakesAScriptWithoutADirective() throws Exception {
    Eley run = Eley.run("slurm", "validate", "--script", script("true").toString());
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo("no #BB_LUA directive\n");
  }

  @Test
  void validateRefusesWhatMakesNoSense() throws Exception {
    Eley run = Eley.run("slurm", "validate", "--script", script("#BB_LUA pool=other").toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo("eley: #BB_LUA: pool=eley is missing, or another pool is named\n");
    assertThat(Eley.run("slurm", "validate", "--script", temp + "/none").err())
        .startsWith("eley: #BB_LUA: the job's script cannot be read: ");
  }

  @Test
  void aKeyForBuffersThatNobodyReadsIsRefusedBeforeAnythingIsServed() {
    assertThat(Eley.run("slurm", "serve", "-D", "eley.no.such=1").err())
        .contains("no configuration key is called eley.no.such");
  }

  /** Each node would, and so hold every job with a directive. */
  @Test
  void anOverflowWithoutASparkIsRefusedBeforeAnythingIsServed() {
    String socket = "--socket=" + temp.resolve("socket");
    Eley run = Eley.run("slurm", "serve", socket, "-D", "eley.node.overflow.directory=/scratch");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .startsWith(
            "eley: eley.node.overflow.directory is for intermediate data, which needs"
                + " eley.node.spark-home\n");
  }

  @Test
  void statusAndPathsReadFilesAlone() throws Exception {
    assertThat(stage("status").lines()).hasSize(1);
    Files.writeString(note("progress"), "43|alice|staging");
    Files.writeString(note("env"), "ELEY_DEPLOYMENT=/d\n");
    assertThat(stage("status").lines())
        .hasSize(2)
        .last()
        .asString()
        .matches("42 +43 +alice +staging");
    assertThat(stage("paths", "--job", "42").out()).isEqualTo("ELEY_DEPLOYMENT=/d\n");
    assertThat(stage("paths", "--job", "7").err())
        .isEqualTo("eley: the buffer of job 7 was never set up\n");
  }

  @Test
  void aJobThatWasNeverSetUpHasNothingToTearDownAndNoBuffer() throws Exception {
    Path script = script("#BB_LUA pool=eley capacity=1G origin=/mnt stage_out=o");
    for (int again = 0; again < 2; again++) {
      assertThat(stage("teardown", "--job", "42").code()).isZero();
    }
    assertThat(stage("post-run", "--job", "42").code()).isZero();
    Eley preRun = stage("pre-run", "--job", "42");
    assertThat(preRun.code()).isEqualTo(1);
    assertThat(preRun.err()).isEqualTo("eley: the buffer of job 42 is gone\n");
    assertThat(stage("data-out", "--job", "42", "--script", script.toString()).err())
        .isEqualTo("eley: the buffer of job 42 is gone\n");
    assertThat(temp.resolve("state")).doesNotExist();
  }

  @Test
  void aScriptThatStagesNothingOutHasNothingToPublish() throws Exception {
    String script = script("#BB_LUA pool=eley capacity=1G origin=/mnt").toString();
    assertThat(stage("data-out", "--job", "42", "--script", script).code()).isZero();
  }

  @Test
  void setupNeedsADirectiveAndItsUser() throws Exception {
    String script = script("true").toString();
    Eley run = stage("setup", "--job", "42", "--uid", "1", "--script", script);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("eley: the script has no #BB_LUA directive\n");
    assertThat(stage("setup", "--job", "42", "--script", script).code()).isEqualTo(2);
    assertThat(stage("setup", "--job", "x").err()).contains("--job: no whole number: 'x'");
  }
}
