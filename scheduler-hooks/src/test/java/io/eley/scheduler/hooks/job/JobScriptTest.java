package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The script of a job with Spark and its buffer, and what is refused before it is submitted. */
@Timeout(60)
class JobScriptTest {
  @TempDir private Path temp;
  private final ScriptedSlurm slurm = new ScriptedSlurm();
  private Path jobs = Path.of("/home/a/it's mine");

  private static JobScript.Sizes sizes(boolean colocate) {
    return new JobScript.Sizes(2, DataSize.parse("4g"), 3, 5, DataSize.parse("6g"), colocate);
  }

  private JobScript script(JobScript.Sizes sizes, List<String> options, String... command) {
    return new JobScript(
        sizes,
        new JobScript.Places(
            Path.of("/opt/eley"), temp, jobs, Path.of("/opt/spark"), Path.of("/dev/shm")),
        BufferMode.FULL_DELAY,
        true,
        60,
        options,
        Map.of("eley.delay.max", "3s", "eley.a", "x y"),
        List.of(command));
  }

  @Test
  void aJobHasAComponentForSparkAndOneForTheBuffer() {
    String text = script(sizes(false), List.of("--time=1:00"), "true").text();
    assertThat(text.lines().filter(l -> l.startsWith("#SBATCH")))
        .containsExactly(
            "#SBATCH --job-name=eley",
            "#SBATCH --nodes=3",
            "#SBATCH --ntasks-per-node=1",
            "#SBATCH --cpus-per-task=5",
            "#SBATCH --mem=8192M",
            "#SBATCH --no-requeue",
            "#SBATCH --comment=eley=job",
            "#SBATCH --time=1:00",
            "#SBATCH hetjob",
            "#SBATCH --nodes=2",
            "#SBATCH --ntasks-per-node=1",
            "#SBATCH --cpus-per-task=2",
            "#SBATCH --mem=4864M",
            "#SBATCH --no-requeue",
            "#SBATCH --comment=eley=job",
            "#SBATCH --time=1:00");
    assertThat(script(sizes(false), List.of(), "true").mebibytesOfANode()).isEqualTo(8192);
  }

  @Test
  void aBufferOnTheSparkNodesIsOneComponentWithTheMemoryOfBoth() {
    var script = script(sizes(true), List.of(), "true");
    assertThat(script.text()).doesNotContain("hetjob").contains("#SBATCH --mem=13056M");
    assertThat(script.mebibytesOfANode()).isEqualTo(8192 + 4864);
  }

  /** The shell itself says what it makes of what a user gave. */
  @Test
  void whatAUserGivesIsQuotedForTheShell() throws Exception {
    var script = script(sizes(false), List.of(), "echo", "a b", "$(reboot)", "it's", "");
    String settings =
        script
            .text()
            .lines()
            .filter(l -> l.matches("(JOBS|COMMAND|ELEY_SETTINGS)=.*"))
            .reduce("", (a, b) -> a + b + "\n");
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                settings + "printf '<%s>' \"$JOBS\" \"${COMMAND[@]}\" \"${ELEY_SETTINGS[@]}\"")
            .redirectErrorStream(true)
            .start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(said)
        .isEqualTo(
            "</home/a/it's mine><echo><a b><$(reboot)><it's><>"
                + "<-D><eley.a=x y><-D><eley.delay.max=3s>");
  }

  @Test
  void nothingOfTheTemplateStaysAndBashUnderstandsTheWhole() throws Exception {
    String text = script(sizes(true), List.of(), "true").text();
    assertThat(text).doesNotContain("#@").contains("steps() {");
    Path file = Files.writeString(temp.resolve("job.sh"), text);
    Process bash = new ProcessBuilder("bash", "-n", file.toString()).inheritIO().start();
    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(bash.exitValue()).isZero();
  }

  /** Which the user's would otherwise replace until the coordinator has put it there. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--comment=mine | --comment=\"mine eley=job\"",
        "--comment mine | --comment=\"mine eley=job\"",
        "--comment=\"of a user\" | --comment=\"of a user eley=job\"",
        "--comment='x,eley=job' | --comment=\"x,eley=job\"",
        "--comment=it's | --comment=it's",
        "--comment=\"half | --comment=\"half"
      })
  void theMarkStandsBesideAUsersComment(String option, String written) {
    String text = script(sizes(false), List.of(option), "true").text();
    assertThat(text.lines().filter(("#SBATCH " + written)::equals)).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"time=1", "", "--time=1\n#SBATCH --uid=0"})
  void anOptionThatIsNoneIsRefused(String option) {
    assertThatThrownBy(() -> script(sizes(false), List.of(option), "true"))
        .hasMessage("not an option of sbatch: " + option);
  }

  @Test
  void sizesThatMakeNoSenseAreRefused() {
    DataSize memory = DataSize.parse("1g");
    assertThatThrownBy(() -> new JobScript.Sizes(0, memory, 1, 1, memory, false))
        .hasMessageContaining("at least one node");
    assertThatThrownBy(() -> new JobScript.Sizes(3, memory, 2, 1, memory, true))
        .hasMessage("--colocate puts 3 buffer nodes on 2 Spark nodes");
  }

  @Test
  void aJobIsSubmittedAfterSlurmAndItsHostsWereChecked() throws Exception {
    slurm.hosts = List.of(64000);
    var script = script(sizes(false), List.of(), "true");
    assertThat(new JobSubmission(new SlurmCommands(slurm)).submit(script)).isEqualTo(101);
    assertThat(slurm.issued.stream().map(c -> c.get(0)))
        .containsExactly("sinfo", "sinfo", "sbatch");
    assertThat(slurm.scripts).containsExactly(script.text());
    String file = slurm.issued.get(2).get(2);
    assertThat(Path.of(file)).as("Slurm has copied it").doesNotExist();
  }

  @Test
  void aScriptThatIsRefusedIsRemovedToo() {
    slurm.hosts = List.of(64000);
    slurm.fails("sbatch", "Invalid account");
    assertThatThrownBy(
            () ->
                new JobSubmission(new SlurmCommands(slurm))
                    .submit(script(sizes(false), List.of(), "true")))
        .hasMessage("sbatch refuses: Invalid account");
    assertThat(Path.of(slurm.issued.get(2).get(2))).doesNotExist();
  }

  @Test
  void whatCannotRunIsNotSubmitted() throws IOException {
    var submission = new JobSubmission(new SlurmCommands(slurm));
    assertThatThrownBy(() -> submission.submit(script(sizes(false), List.of(), "true")))
        .hasMessageContaining("needs 8192 MiB, and the largest node here has 4000");
    Files.delete(temp);
    assertThatThrownBy(() -> submission.submit(script(sizes(false), List.of(), "true")))
        .hasMessageContaining(temp + " is no directory here");
    Files.createDirectory(temp);
    assertThat(slurm.count("sbatch")).isZero();
  }

  @Test
  void aPlaceThatOthersCanWriteToIsRefusedBeforeTheJobWouldFailThere() throws IOException {
    Path open = Files.createDirectory(temp.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwx---"));
    jobs = open.resolve("jobs");
    var submission = new JobSubmission(new SlurmCommands(slurm));
    assertThatThrownBy(() -> submission.submit(script(sizes(false), List.of(), "true")))
        .hasMessageStartingWith("--jobs: " + open + " (owner ")
        .hasMessageContaining("mode 0770) can be written by others");
    assertThat(slurm.issued).isEmpty();
  }

  @Test
  void sparkIsFoundWhereItIsNamed() throws Exception {
    Path bin = Files.createDirectories(temp.resolve("spark/bin"));
    Path home = temp.resolve("spark");
    assertThatThrownBy(() -> SparkHome.find(null, Map.of()))
        .isInstanceOf(EleyException.class)
        .hasMessage("where is Spark? set SPARK_HOME or give --spark-home");
    assertThatThrownBy(() -> SparkHome.find(home, Map.of()))
        .hasMessage("there is no bin/spark-class in " + home + ": this is no Spark");
    Files.createFile(
        bin.resolve("spark-class"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    assertThat(SparkHome.find(home, Map.of("SPARK_HOME", "/none"))).isEqualTo(home);
    assertThat(SparkHome.find(null, Map.of("SPARK_HOME", home.toString()))).isEqualTo(home);
  }
}
