package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the prolog clears, run by bash with a squeue of our own on a directory in the place of
 * {@code /dev/shm}: slurmd runs it as root, and what it removes is gone.
 */
@Timeout(60)
class JobPrologTest {
  @TempDir private Path temp;
  private Path left;

  @BeforeEach
  void aDirectoryOfJob17() throws IOException {
    left = Files.createDirectories(temp.resolve("ram/eley-17-0-123"));
    Files.createFile(left.resolve("block"));
  }

  /** Runs the prolog where squeue does this. */
  private void prologWhere(String squeue) throws Exception {
    String text = ShellScript.template("job-prolog.sh");
    assertThat(text).contains("/dev/shm/eley-");
    String script =
        """
        squeue() {
          [[ " $* " == *" --jobs=17 "* ]] || { echo "asked: $*"; return; }
          %s
        }
        """
                .formatted(squeue)
            + text.replace("/dev/shm/", temp.resolve("ram") + "/");
    Process bash = new ProcessBuilder("bash", "-uc", script).redirectErrorStream(true).start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(bash.exitValue()).as("anything else drains the host").isZero();
    assertThat(said).isEmpty();
  }

  @Test
  void whatAJobThatIsThereUsesStays() throws Exception {
    prologWhere("echo 17");
    assertThat(left.resolve("block")).exists();
  }

  @Test
  void whatAJobThatIsOverHasLeftIsCleared() throws Exception {
    Path other = Files.createDirectory(temp.resolve("ram/eley-of-somebody"));
    prologWhere(":");
    assertThat(left).doesNotExist();
    assertThat(other).as("no node's").exists();
  }

  @Test
  void whatAJobThatSlurmHasForgottenHasLeftIsCleared() throws Exception {
    prologWhere("echo 'slurm_load_jobs error: Invalid job id specified' >&2; return 1");
    assertThat(left).doesNotExist();
  }

  /** Of a controller that is down, and of a squeue that is not there. */
  @Test
  void aSqueueThatFailsClearsNothing() throws Exception {
    prologWhere(
        "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2;"
            + " return 1");
    assertThat(left.resolve("block")).exists();
    prologWhere("return 1");
    assertThat(left.resolve("block")).exists();
    prologWhere("echo 'squeue: command not found' >&2; return 127");
    assertThat(left.resolve("block")).exists();
  }
}
