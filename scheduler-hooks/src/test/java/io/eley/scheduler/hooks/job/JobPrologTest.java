package io.eley.scheduler.hooks.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the prolog clears, run by bash with a squeue of our own on directories in the place of
 * {@code /dev/shm} and {@code /tmp}: slurmd runs it as root, and what it removes is gone.
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

  /** Runs the prolog where squeue does this; returns how often it was asked. */
  private long prologWhere(String squeue) throws Exception {
    return prologWhere(squeue, "");
  }

  /** The same behind these lines of bash. */
  private long prologWhere(String squeue, String before) throws Exception {
    return prologWhere(squeue, before, 20);
  }

  /** The same within so many seconds. */
  private long prologWhere(String squeue, String before, int seconds) throws Exception {
    String text = ShellScript.template("job-prolog.sh");
    assertThat(text).containsOnlyOnce("\nseconds=20\n");
    String places = "places=(/dev/shm /tmp)\n";
    assertThat(text).containsOnlyOnce("/dev/shm").contains(places);
    Path programs = Files.createDirectories(temp.resolve("programs"));
    Path asked = temp.resolve("asked");
    Files.deleteIfExists(asked);
    Path program = programs.resolve("squeue");
    Files.writeString(
        program, "#!/bin/bash\necho \"$*\" >>'" + asked + "'\n" + squeue + "\n", UTF_8);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    Path disk = Files.createDirectories(temp.resolve("disk"));
    String script =
        text.replace(places, "places=(" + temp.resolve("ram") + " " + disk + ")\n")
            .replace("\nseconds=20\n", "\nseconds=" + seconds + "\n");
    var builder = new ProcessBuilder("bash", "-uc", before + script).redirectErrorStream(true);
    builder.environment().put("PATH", programs + ":" + System.getenv("PATH"));
    Process bash = builder.start();
    String said = new String(bash.getInputStream().readAllBytes(), UTF_8);
    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(bash.exitValue()).as("anything else drains the host").isZero();
    assertThat(said).isEmpty();
    return Files.exists(asked) ? Files.readAllLines(asked).size() : 0;
  }

  @Test
  void whatAJobThatIsThereUsesStays() throws Exception {
    assertThat(prologWhere("[[ $* == *--jobs=17\\ * ]] && id -u")).isEqualTo(1);
    assertThat(left.resolve("block")).exists();
  }

  /** As one is that was told to stop, and goes on later: it is not among those that run. */
  @ParameterizedTest
  @ValueSource(strings = {"STOPPED", "CONFIGURING", "STAGE_OUT", "SPECIAL_EXIT", "NEW_IN_SLURM"})
  void whatAJobInAnUnusualStateUsesStays(String state) throws Exception {
    prologWhere("[[ $* != *--states=all* ]] || echo \"$(id -u) " + state + "\"");
    assertThat(left.resolve("block")).exists();
  }

  @Test
  void ofAnArrayOneTaskThatRunsIsEnough() throws Exception {
    prologWhere("echo 1 COMPLETED; echo \"$(id -u) RUNNING\"; echo 1 FAILED");
    assertThat(left.resolve("block")).exists();
    prologWhere("echo \"$(id -u) COMPLETED\"; echo \"$(id -u) TIMEOUT\"");
    assertThat(left).doesNotExist();
  }

  /** As of a site's configuration, of which squeue says something each time and goes on. */
  @Test
  void whatSqueueWarnsOfIsNoOwner() throws Exception {
    String warning = "echo 'squeue: error: GresPlugins changed: NodeName=n1 WARNING' >&2; ";
    prologWhere(warning + "echo \"$(id -u) RUNNING\"");
    assertThat(left.resolve("block")).exists();
    prologWhere(warning + "echo \"$(id -u) COMPLETED\"");
    assertThat(left).doesNotExist();
  }

  /** Who fills a directory with millions of files keeps no job from starting. */
  @Test
  @Timeout(30)
  void aDeletionThatTakesLongIsLeftToTheNextJob() throws Exception {
    Path removes = Files.createDirectories(temp.resolve("programs")).resolve("rm");
    Files.writeString(removes, "#!/bin/bash\nexec sleep 50\n", UTF_8);
    Files.setPosixFilePermissions(removes, PosixFilePermissions.fromString("rwx------"));
    prologWhere(":", "", 2);
    assertThat(left.resolve("block")).exists();
  }

  /** However many directories of one job that is over somebody has made. */
  @Test
  @Timeout(30)
  void namesBeyondTheTimeAreLeftToTheNextJob() throws Exception {
    String names = "yes '1000 /nowhere/eley-1-0-1' | head -300000 | tr '\\n' '\\0'";
    prologWhere(":", "find() { " + names + "; }\n", 2);
    assertThat(left.resolve("block")).exists();
  }

  /**
   * Of `eley run` in a job, as {@code RamDisks} names it; outside of jobs it has no job's number.
   */
  @Test
  void aDeploymentInAJobGoesWithTheJob() throws Exception {
    Path inAJob = Files.createDirectory(temp.resolve("ram/eley-node-2-17-123"));
    Path inAnother = Files.createDirectory(temp.resolve("ram/eley-node-1-18-123"));
    Path outside = Files.createDirectory(temp.resolve("ram/eley-node-1-19123"));
    assertThat(prologWhere("[[ $* != *--jobs=17\\ * ]] || id -u")).as("of two jobs").isEqualTo(2);
    assertThat(inAJob).exists();
    assertThat(inAnother).doesNotExist();
    prologWhere(":");
    assertThat(inAJob).doesNotExist();
    assertThat(outside).exists();
  }

  /** After a power loss they are there, which a RAM-disk is not. */
  @Test
  void disksAreClearedToo() throws Exception {
    Path overflow = Files.createDirectories(temp.resolve("disk/eley-17-0-123/scratch"));
    Path spilled = Files.createDirectory(temp.resolve("disk/eley-spark-17-1-123"));
    Path driver = Files.createDirectory(temp.resolve("disk/eley-spark-17-driver-Ab12Cd"));
    Path other = Files.createDirectory(temp.resolve("disk/eley-spark-conf"));
    assertThat(prologWhere("[[ $* == *--jobs=17\\ * ]] && id -u")).as("of one job").isEqualTo(1);
    assertThat(List.of(overflow, spilled, driver)).allMatch(Files::exists);
    prologWhere(":");
    assertThat(List.of(overflow.getParent(), spilled, driver)).noneMatch(Files::exists);
    assertThat(other).as("no job's").exists();
  }

  @Test
  void whatSomebodyElseHasMadeInTheNameOfAJobThatIsThereIsCleared() throws Exception {
    prologWhere("echo 4294967294");
    assertThat(left).doesNotExist();
  }

  /**
   * A name that somebody else has made of a running job's, with a blank or a line's end behind it.
   */
  @Test
  void aBlankAtTheEndOfANameIsNotTakenForTheJobsOwn() throws Exception {
    List<Path> strange =
        List.of(
            Files.createDirectory(temp.resolve("ram/eley-17-0-123 ")),
            Files.createDirectory(temp.resolve("ram/eley-17-0-123\t\n")));
    prologWhere(
        "id -u",
        """
        find() { # what has a blank is somebody else's
          command find "$@" | sed -zE 's/^[0-9]+( .*[[:blank:]])/4294967294\\1/'
        }
        """);
    assertThat(strange).noneMatch(Files::exists);
    assertThat(left.resolve("block")).as("the job's").exists();
  }

  @Test
  void howeverManyDirectoriesThereAreFewJobsAreAskedFor() throws Exception {
    for (int i = 1000; i < 1300; i++) {
      Files.createDirectory(temp.resolve("ram/eley-17-0-" + i));
    }
    assertThat(prologWhere("id -u")).as("of one job").isEqualTo(1);
    for (int i = 100; i < 150; i++) {
      Files.createDirectory(temp.resolve("ram/eley-" + i + "-0-1"));
    }
    assertThat(prologWhere("id -u")).as("of many jobs").isEqualTo(20);
    assertThat(left.resolve("block")).exists();
  }

  @Test
  void whatAJobThatIsOverHasLeftIsCleared() throws Exception {
    Path other = Files.createDirectory(temp.resolve("ram/eley-of-somebody"));
    Path odd = Files.createDirectory(temp.resolve("ram/eley-1x\n7 $(id)-0-1"));
    prologWhere(":");
    assertThat(left).doesNotExist();
    assertThat(other).as("no node's").exists();
    assertThat(odd).as("no job's").exists();
  }

  @Test
  void whatAJobThatSlurmHasForgottenHasLeftIsCleared() throws Exception {
    prologWhere("echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
    assertThat(left).doesNotExist();
  }

  /** Of a controller that is down, and of a squeue that is not there. */
  @Test
  void aSqueueThatFailsClearsNothing() throws Exception {
    prologWhere(
        "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2;"
            + " exit 1");
    assertThat(left.resolve("block")).exists();
    prologWhere("exit 1");
    assertThat(left.resolve("block")).exists();
    prologWhere("echo 'squeue: command not found' >&2; exit 127");
    assertThat(left.resolve("block")).exists();
  }
}
