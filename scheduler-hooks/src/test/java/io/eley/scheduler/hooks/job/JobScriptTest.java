package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.scheduler.hooks.job.JobScript.Blocks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private Optional<String> network = Optional.empty();
  private Path jobs = Path.of("/home/a/it's mine");

  private static JobScript.Sizes sizes(boolean colocate) {
    return new JobScript.Sizes(
        2, DataSize.parse("4g"), 3, 5, DataSize.parse("6g"), where(colocate));
  }

  private static Blocks where(boolean colocate) {
    return colocate ? Blocks.ON_SPARKS_HOSTS : Blocks.ON_HOSTS_OF_THEIR_OWN;
  }

  private final Map<String, String> settings =
      new HashMap<>(Map.of("eley.delay.max", "3s", "eley.a", "x y"));

  private JobScript script(JobScript.Sizes sizes, List<String> options, String... command) {
    return script(
        sizes, new SparkShare(DataSize.parse("1g"), 0, 1), SlurmRequest.of(options), command);
  }

  private JobScript script(
      JobScript.Sizes sizes, SparkShare spark, SlurmRequest slurm, String... command) {
    return new JobScript(
        sizes,
        spark,
        new JobScript.Places(
            Path.of("/opt/eley"),
            temp.toString(),
            jobs,
            Path.of("/opt/spark"),
            Path.of("/dev/shm"),
            Optional.empty(),
            network),
        BufferMode.FULL_DELAY,
        true,
        60,
        slurm,
        settings,
        List.of(command));
  }

  @Test
  void whatIsSpilledToRamIsAskedForOnSparksHostsAlone() throws Exception {
    var none = new SparkShare(DataSize.parse("1g"), 0, 1);
    var some = new SparkShare(DataSize.parse("1g"), 0, 1, DataSize.parse("3g"));
    var slurm = SlurmRequest.of(List.of());
    List<Long> before = memory(script(sizes(false), none, slurm, "true"));
    List<Long> with = memory(script(sizes(false), some, slurm, "true"));
    assertThat(with).containsExactly(before.get(0) + 3072, before.get(1));
    assertThat(script(sizes(false), some, slurm, "true").text().lines())
        .contains("SPILL_MEMORY=3072m");
  }

  /** What each component asks for on a host, in MiB. */
  private static List<Long> memory(JobScript script) {
    return script
        .text()
        .lines()
        .filter(line -> line.startsWith("#SBATCH --mem="))
        .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .toList();
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
            "#SBATCH --mem=8934M",
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
    assertThat(script(sizes(false), List.of(), "true").mebibytesOfANode()).isEqualTo(8934);
  }

  @Test
  void aBufferOnTheSparkNodesIsOneComponentWithTheMemoryOfBoth() {
    var script = script(sizes(true), List.of(), "true");
    assertThat(script.text()).doesNotContain("hetjob").contains("#SBATCH --mem=13798M");
    assertThat(script.mebibytesOfANode()).isEqualTo(8934 + 4864);
  }

  @Test
  void whoHandsIntermediateDataOutTakesMemoryOfTheBuffersHosts() {
    assertThat(script(sizes(false), List.of(), "true").text().lines()).contains("SCRATCH=no");
    settings.put("eley.node.spark-home", "/opt/spark");
    String text = script(sizes(false), List.of(), "true").text();
    assertThat(text.lines())
        .contains("SCRATCH=yes", "#SBATCH --mem=8934M", "#SBATCH --mem=" + (4864 + 384) + "M");
    assertThat(text).contains("-D eley.node.spark-home=/opt/spark");
  }

  @Test
  void whatSlurmIsAskedForHoldsTheHeapsThatProcessesGet() {
    String text = script(sizes(false), List.of(), "true").text();
    assertThat(text.lines())
        .contains(
            "NODE_HEAP=512m", "COORDINATOR_HEAP=256m", "#SBATCH --mem=" + (4096 + 512 + 256) + "M");
    settings.put("eley.coordinator.heap", "1g");
    assertThat(script(sizes(false), List.of(), "true").text().lines())
        .contains(
            "COORDINATOR_HEAP=1024m", "#SBATCH --mem=" + (8934 + 768) + "M", "#SBATCH --mem=4864M");
    settings.put("eley.node.heap", "3g");
    assertThat(script(sizes(false), List.of(), "true").text().lines())
        .contains("NODE_HEAP=3072m", "#SBATCH --mem=" + (4096 + 3072 + 256) + "M");
  }

  @Test
  void blocksInAlluxioWantNoHostsAndAHelperForEachWorker() throws Exception {
    settings.put("eley.alluxio.client", "/opt/alluxio/client/*");
    DataSize memory = DataSize.parse("6g");
    var sizes = new JobScript.Sizes(7, DataSize.parse("20g"), 3, 5, memory, Blocks.IN_ALLUXIO);
    var script = script(sizes, List.of("--array=0-3"), "true");
    assertThat(script.mebibytesOfANode())
        .as("what Spark needs, and helpers on any of its hosts; no blocks")
        .isEqualTo(8934 + 7 * 384);
    assertThat(script.text().lines())
        .contains(
            "BUFFER_NODES=1",
            "HELPERS=7",
            "NODE_HEAP=128m",
            "BUFFER_MEMORY=20g",
            "ALLUXIO_CLIENT='/opt/alluxio/client/*'",
            "SCRATCH=no",
            "#SBATCH --nodes=3")
        .doesNotContain("#SBATCH hetjob");
    assertThat(script(sizes(true), List.of(), "true").text().lines()).contains("HELPERS=0");
  }

  @Test
  void oneNetworkIsForEverybodyWhoListens() {
    network = Optional.of("ib0");
    assertThat(script(sizes(false), List.of(), "true").text().lines())
        .contains(
            "NETWORK=ib0",
            "ELEY_SETTINGS=(-D 'eley.a=x y' -D eley.coordinator.listen-host=ib0"
                + " -D eley.delay.max=3s -D eley.node.listen-host=ib0)");
  }

  @Test
  void aComponentHasOptionsOfItsOwn() {
    var slurm =
        new SlurmRequest(
            List.of("--time=1:00"), List.of("--partition=cpu"), List.of("--constraint=ram"), true);
    var spark = new SparkShare(DataSize.parse("1g"), 0, 1);
    assertThat(script(sizes(false), spark, slurm, "true").text().lines())
        .containsSubsequence(
            "#SBATCH --requeue",
            "#SBATCH --open-mode=append",
            "#SBATCH --time=1:00",
            "#SBATCH --partition=cpu",
            "#SBATCH hetjob",
            "#SBATCH --requeue",
            "#SBATCH --time=1:00",
            "#SBATCH --constraint=ram")
        .doesNotContain("#SBATCH --no-requeue")
        .containsOnlyOnce("#SBATCH --partition=cpu", "#SBATCH --constraint=ram");
  }

  /** Of 5 cores and 6 GiB on each of three hosts. */
  @ParameterizedTest
  @CsvSource({
    "0, 1, 5, 6144, 15, 614", // one executor, and a tenth of its heap
    "2, 1, 2, 3072, 12, 768", // two with 384 MiB each, a core is idle
    "1, 1, 1, 1228, 15, 1920",
    "0, 2, 2, 3072, 6, 768",
    "1, 2, 1, 1228, 6, 1920"
  })
  void executorsShareTheWorkersCoresAndMemory(
      int executorCores, int applications, int cores, int memory, int most, long beside) {
    var spark = new SparkShare(DataSize.parse("8g"), executorCores, applications);
    var script = script(sizes(false), spark, SlurmRequest.of(List.of()), "true");
    assertThat(script.text().lines())
        .contains(
            "DRIVER_MEMORY=8192m",
            "EXECUTOR_CORES=" + cores,
            "EXECUTOR_MEMORY=" + memory + "m",
            "CORES_MAX=" + most);
    assertThat(script.mebibytesOfANode())
        .as("executors, drivers of 8 GiB and a tenth, daemons")
        .isEqualTo(6144 + beside + applications * (8192 + 819L) + 768);
  }

  @Test
  void whatSparkCannotBeGivenIsRefused() {
    DataSize driver = DataSize.parse("1g");
    SlurmRequest slurm = SlurmRequest.of(List.of());
    assertThatThrownBy(() -> script(sizes(false), new SparkShare(driver, 6, 1), slurm, "true"))
        .hasMessage("--executor-cores=6 of --spark-cores=5");
    assertThatThrownBy(() -> script(sizes(false), new SparkShare(driver, 3, 2), slurm, "true"))
        .hasMessageStartingWith("2 applications side by side need as many executors a host");
    assertThatThrownBy(() -> new SparkShare(driver, 0, 0)).hasMessageContaining("at least");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--array=0-3", "-a 0-3", "--array 1,2"})
  void anArrayHasOneComponent(String option) {
    assertThatThrownBy(() -> script(sizes(false), List.of(option), "true"))
        .hasMessage("Slurm has no arrays of jobs with two components: add --colocate");
    assertThat(script(sizes(true), List.of(option), "true").text()).contains("#SBATCH " + option);
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

  /** What salloc of this machine would be given, by one that says it. */
  @Test
  void inATerminalTheScriptRunsInAnAllocationOfBothComponents() throws Exception {
    Path tools = Files.createDirectory(temp.resolve("tools"));
    Path salloc = tools.resolve("salloc");
    Files.writeString(
        salloc,
        """
        #!/bin/bash
        while [ "$1" != bash ]; do printf '<%s>' "$1"; shift; done
        eval "$(grep -E '^(COMMAND|TERMINAL)=' <<<"$3")"
        printf '<%s>' "$#" "$2" "$4" "$TERMINAL" "${COMMAND[@]}"
        bash -n -c "$3"
        """);
    Files.setPosixFilePermissions(salloc, PosixFilePermissions.fromString("rwx------"));
    var slurm =
        new SlurmRequest(
            List.of("--time=1:00"),
            List.of("--partition=a b", "-A  physics", "--comment='of a user'"),
            List.of("--constraint=it's", "--nodelist \"n[1-2]\""),
            true);
    var script =
        script(sizes(false), new SparkShare(DataSize.parse("1g"), 0, 1), slurm, "echo", "it's");
    var builder = new ProcessBuilder("bash", "-c", script.inATerminal()).redirectErrorStream(true);
    builder.environment().put("PATH", tools + ":" + System.getenv("PATH"));
    Process bash = builder.start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(said)
        .isEqualTo(
            "<--job-name=eley><--nodes=3><--ntasks-per-node=1><--cpus-per-task=5><--mem=8934M>"
                + "<--comment=eley=job><--time=1:00><--partition=a b><-Aphysics>"
                + "<--comment=of a user eley=job><:>"
                + "<--nodes=2><--ntasks-per-node=1><--cpus-per-task=2><--mem=4864M>"
                + "<--comment=eley=job><--time=1:00><--constraint=it's>"
                + "<--nodelist=n[1-2]>"
                + "<4><-c><eley-job><yes><echo><it's>");
    assertThat(script.text()).contains("TERMINAL=no");
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

  /** Without settings the array has no words, which before bash 4.4 `set -u` takes for unset. */
  @ParameterizedTest
  @ValueSource(strings = {"spark-with-buffer.sh", "buffer-for-job.sh"})
  void anOlderBashTakesAJobWithoutSettings(String name) {
    String asked = "${ELEY_SETTINGS[@]+\"${ELEY_SETTINGS[@]}\"}";
    assertThat(ShellScript.template(name)).contains(asked);
    assertThat(ShellScript.template(name).replace(asked, "")).doesNotContain("{ELEY_SETTINGS[");
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
    assertThatThrownBy(() -> new JobScript.Sizes(0, memory, 1, 1, memory, where(false)))
        .hasMessageContaining("at least one node");
    assertThatThrownBy(() -> new JobScript.Sizes(3, memory, 2, 1, memory, where(true)))
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
    assertThat(submitted()).as("Slurm has copied it").doesNotExist();
  }

  /** The file of the last command, which is sbatch's. */
  private Path submitted() {
    List<String> command = slurm.issued.get(2);
    return Path.of(command.get(command.size() - 1));
  }

  /** Of its variables, as SBATCH_PARTITION, sbatch thinks more than of lines in a script. */
  @Test
  void whatIsTypedIsOnTheCommandLineTooWhereItWinsOverAProfile() throws Exception {
    slurm.hosts = List.of(64000);
    var request =
        new SlurmRequest(
            List.of("--time=1:00"),
            List.of("-p cpu --comment='of a user'"),
            List.of("--constraint=\"a b\""),
            true);
    var spark = new SparkShare(DataSize.parse("1g"), 0, 1);
    long unused =
        new JobSubmission(new SlurmCommands(slurm))
            .submit(script(sizes(false), spark, request, "true"));
    List<String> command = slurm.issued.get(2);
    assertThat(command.subList(0, command.size() - 1))
        .containsExactly(
            "sbatch",
            "--parsable",
            "--nodes=3",
            "--ntasks-per-node=1",
            "--cpus-per-task=5",
            "--mem=8934M",
            "--requeue",
            "--open-mode=append",
            "--comment=eley=job",
            "--time=1:00",
            "-pcpu",
            "--comment=of a user",
            ":",
            "--nodes=2",
            "--ntasks-per-node=1",
            "--cpus-per-task=2",
            "--mem=4864M",
            "--requeue",
            "--open-mode=append",
            "--comment=eley=job",
            "--time=1:00",
            "--constraint=a b");
  }

  /** The default alone leaves the name to a profile's SBATCH_JOB_NAME. */
  @Test
  void aNameThatIsTypedIsOnTheCommandLineThoughItIsThatOfTheDefault() throws Exception {
    var script = script(sizes(true), List.of("--job-name=eley"), "true");
    assertThat(script.options()).containsOnlyOnce("--job-name=eley");
    assertThat(script(sizes(true), List.of(), "true").options()).doesNotContain("--job-name=eley");
    assertThat(script.text().lines().filter("#SBATCH --job-name=eley"::equals)).hasSize(2);
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
    assertThat(submitted()).doesNotExist();
  }

  @Test
  void whatCannotRunIsNotSubmitted() throws IOException {
    var submission = new JobSubmission(new SlurmCommands(slurm));
    assertThatThrownBy(() -> submission.submit(script(sizes(false), List.of(), "true")))
        .hasMessageContaining("needs 8934 MiB, and the largest node here has 4000");
    Files.delete(temp);
    assertThatThrownBy(() -> submission.submit(script(sizes(false), List.of(), "true")))
        .hasMessageContaining(temp + " is no directory here");
    Files.createDirectory(temp);
    assertThat(slurm.count("sbatch")).isZero();
  }

  /** Who has asked for a driver that is too large is not helped by less of the others. */
  @Test
  void whatNoHostHoldsIsSaidByItsParts() {
    var small = DataSize.parse("512m");
    var spark = new SparkShare(DataSize.parse("900g"), 0, 1);
    var sizes =
        new JobScript.Sizes(1, DataSize.parse("128m"), 1, 1, small, Blocks.ON_HOSTS_OF_THEIR_OWN);
    var submission = new JobSubmission(new SlurmCommands(slurm));
    assertThatThrownBy(
            () -> submission.check(script(sizes, spark, SlurmRequest.of(List.of()), "true")))
        .hasMessage(
            "a host of this job needs 1015424 MiB, and the largest node here has 4000; give less:"
                + " of it --spark-memory 512, --driver-memory 921600, what goes beside 93312");
    var two = new SparkShare(DataSize.parse("1g"), 0, 2, DataSize.parse("2g"));
    assertThat(script(sizes(true), two, SlurmRequest.of(List.of()), "true").partsOfANode())
        .startsWith(
            "--spark-memory 6144, --driver-memory of 2 applications 2048, --spill-memory 2048,"
                + " --buffer-memory 4096, what goes beside ");
    var buffer =
        new JobScript.Sizes(1, DataSize.parse("9t"), 1, 1, small, Blocks.ON_HOSTS_OF_THEIR_OWN);
    assertThat(script(buffer, List.of(), "true").partsOfANode())
        .isEqualTo("--buffer-memory 9437184, what goes beside 768");
    var alluxio = new JobScript.Sizes(1, DataSize.parse("9t"), 1, 1, small, Blocks.IN_ALLUXIO);
    assertThat(script(alluxio, List.of(), "true").partsOfANode()).doesNotContain("--buffer");
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
