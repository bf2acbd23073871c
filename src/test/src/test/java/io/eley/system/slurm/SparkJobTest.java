package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.coordinator.ledger.LedgerFile;
import io.eley.prefetcher.control.PhaseEntry;
import io.eley.system.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What `eley sbatch` submits, on a real Slurm of six nodes, as an ordinary user. */
@Timeout(500)
class SparkJobTest extends JobSite {
  /** A user's that says nothing of where Spark's master is, and nothing on a console. */
  private static final String OWN_LOGGING =
      """
      rootLogger.level = warn
      rootLogger.appenderRef.file.ref = file
      logger.context.name = org.apache.spark.SparkContext
      logger.context.level = info
      appender.file.type = File
      appender.file.name = file
      appender.file.fileName = %s/driver.log
      appender.file.layout.type = PatternLayout
      appender.file.layout.pattern = of a user: %%m%%n
      """;

  /** All files of a directory. */
  private static String textIn(Path directory) throws IOException {
    var text = new StringBuilder();
    try (var files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        text.append(Files.readString(file));
      }
    }
    return text.toString();
  }

  /** The modes of a directory and of all that is in it, each once. */
  private static Set<String> modesIn(Path directory) throws IOException {
    var modes = new HashSet<String>();
    try (var files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        modes.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
      }
    }
    return modes;
  }

  /** The step of the first job's nodes. */
  private String nodeStep() throws Exception {
    return step("eley-node");
  }

  private String step(String name) throws Exception {
    return slurm
        .run("squeue", "-s", "-h", "-o", "%i %j")
        .lines()
        .filter(l -> l.endsWith(" " + name))
        .map(l -> l.substring(0, l.indexOf(' ')))
        .findFirst()
        .orElseThrow();
  }

  private List<ProcessHandle> coordinators() {
    Path files = jobs(NOBODY);
    return ProcessHandle.allProcesses()
        .filter(
            p ->
                p.info()
                    .commandLine()
                    .filter(c -> c.contains("java ") && c.contains(" coordinator "))
                    .filter(c -> c.contains(files.toString()))
                    .isPresent())
        .toList();
  }

  private void killTheCoordinator() {
    var coordinators = coordinators();
    assertThat(coordinators).hasSize(1);
    coordinators.get(0).destroyForcibly();
  }

  /** A command that ends as it did, but not before the test lets it. */
  private static String[] heldUntil(Path go, String... command) {
    String held = "%s; status=$?; while ! [ -e %s ]; do sleep 0.2; done; exit $status";
    return new String[] {"bash", "-c", held.formatted(String.join(" ", command), go)};
  }

  /** A user's job that writes again and again until it is cancelled, when it runs. */
  private long hpcJob() throws Exception {
    Path hpc = base.resolve("hpc.sh");
    script(
        hpc,
        """
        #!/bin/bash
        mkdir -p %s/hpc
        srun %s ior -a POSIX -w -F -b 200m -t 1m -i 1000 -d 2 -o %s/hpc/file
        """
            .formatted(origin, eley(), origin));
    long job =
        Long.parseLong(
            as(
                    NOBODY,
                    "sbatch",
                    "--parsable",
                    "-J",
                    "hpc",
                    "-n1",
                    "--mem=500M",
                    "-o",
                    home(NOBODY) + "/hpc.out",
                    hpc.toString())
                .strip());
    slurm.await(() -> Files.exists(origin.resolve("hpc")), "the HPC job does not run");
    return job;
  }

  /** What a job's buffer has in its ledger so far, which nobody but its user reads in its place. */
  private List<PhaseEntry> phasesIn(long job) throws Exception {
    Path ledger = jobs(NOBODY).resolve(job + "/deployment/ledger.csv");
    if (!Files.exists(ledger)) {
      return List.of();
    }
    Files.copy(ledger, base.resolve("ledger.csv"), StandardCopyOption.REPLACE_EXISTING);
    return new LedgerFile(base).read();
  }

  @Test
  @InTurn(turn = 0, of = 2)
  void aJobOutlivesItsBuffer() throws Exception {
    Path go = base.resolve("go");
    // However late the kills come, there is a buffer to kill.
    long job = submit(NOBODY, heldUntil(go, sparkJob()));
    slurm.await(
        () -> sparkLog(job).contains("Submitted application"), "Spark does not begin: " + job);
    killTheCoordinator();
    Path log = jobs(NOBODY).resolve(job + "/logs/coordinator.log");
    slurm.await(
        () -> Files.readString(log).contains("it is started again"), "no second coordinator");
    String step = nodeStep();
    slurm.run("scancel", "--signal=KILL", step);
    Files.createFile(go);
    slurm.await(() -> over(job), "the Spark job does not end");
    assertThat(output(NOBODY, job)).contains("exit code 0");
    sameDigest(output(NOBODY, job));
    slurm.awaitOr(
        () -> leftOnTheRamDisk(job).isEmpty(),
        () -> "left by a step that was killed: " + leftOnTheRamDisk(job));
  }

  /** The step is killed as a whole, so that nobody starts the coordinator again. */
  @Test
  @InTurn(turn = 1, of = 2)
  void anApplicationThatStartsWhileTheCoordinatorIsDeadReadsTheOriginByItself() throws Exception {
    Path go = base.resolve("go");
    String late = "while ! [ -e %s ]; do sleep 0.2; done; exec %s %s %s";
    var spark = sparkJob();
    long job = submit(NOBODY, "bash", "-c", late.formatted(go, spark[0], spark[1], spark[2]));
    slurm.await(() -> output(NOBODY, job).contains("ready after"), "not ready");
    slurm.run("scancel", "--signal=KILL", step("eley-coordinator"));
    slurm.await(() -> coordinators().isEmpty(), "the coordinator lives");
    Files.createFile(go);
    slurm.await(() -> over(job), "the Spark job does not end: " + output(NOBODY, job));
    assertThat(output(NOBODY, job)).contains("exit code 0");
    sameDigest(output(NOBODY, job));
    nothingIsLeftOf(List.of(job));
  }

  @Test
  void twoUsersJobsDoNotSeeEachOther() throws Exception {
    long first = submit(NOBODY, "sleep", "1000");
    long second = submit(GAMES, "sleep", "1000");
    slurm.await(() -> output(NOBODY, first).contains("ready after"), "the first is not ready");
    slurm.await(() -> output(GAMES, second).contains("ready after"), "the second is not ready");
    Path deployment = jobs(NOBODY).resolve(first + "/deployment");
    Path other = jobs(GAMES).resolve(second + "/deployment");
    for (String file : List.of("secret", "coordinator.address", "announce.curl")) {
      assertThat(as(GAMES, "cat", deployment.resolve(file).toString()))
          .contains("Permission denied");
      assertThat(as(NOBODY, "cat", other.resolve(file).toString())).contains("Permission denied");
    }
    assertThat(Files.readString(deployment.resolve("secret")))
        .isNotEqualTo(Files.readString(other.resolve("secret")));
    assertThat(Files.readString(deployment.resolve("coordinator.address")))
        .isNotEqualTo(Files.readString(other.resolve("coordinator.address")));
    assertThat(leftOnTheRamDisk(first)).isNotEmpty();
    for (String directory : leftOnTheRamDisk(first)) {
      assertThat(as(GAMES, "ls", "/dev/shm/" + directory)).contains("Permission denied");
    }
    // The one's secret opens nothing of the other's.
    Path mixed = Files.createDirectory(base.resolve("mixed"));
    Files.copy(other.resolve("coordinator.address"), mixed.resolve("coordinator.address"));
    Files.copy(deployment.resolve("secret"), mixed.resolve("secret"));
    Files.setPosixFilePermissions(
        mixed.resolve("secret"), PosixFilePermissions.fromString("rw-------"));
    assertThat(slurm.run(eley(), "status", "--deployment", mixed.toString()))
        .doesNotContain("FullDelay over")
        .startsWith("eley:");
    // Its own user finds a job by its number, from any host.
    assertThat(as(NOBODY, eley(), "jobs"))
        .containsPattern("(?m)^" + first + " +eley +RUNNING .*buffer is there$")
        .doesNotContain("" + second);
    assertThat(as(NOBODY, eley(), "status", "" + first)).contains("FullDelay over " + origin);
    assertThat(as(NOBODY, eley(), "why", first + "+0")).contains("2 of 2 nodes say");
    assertThat(as(NOBODY, eley(), "top", "" + first))
        .as("one picture, where there is no terminal")
        .contains("FullDelay")
        .contains(origin.toString());
    assertThat(as(NOBODY, eley(), "apps", "" + first)).isEqualTo("no Spark application\n");
    assertThat(as(NOBODY, eley(), "ledger", "" + first)).isEqualTo("no phase yet\n");
    assertThat(as(GAMES, eley(), "status", "" + first))
        .isEqualTo(
            "eley: job %d is over, or none of yours; `eley jobs` lists yours\n".formatted(first));
    assertThat(as(GAMES, eley(), "stop", "" + first)).contains("is no job of yours with a buffer");
    assertThat(as(NOBODY, eley(), "stop", "" + first)).isEqualTo("stopped job " + first + "\n");
    assertThat(over(first)).isTrue();
    assertThat(as(NOBODY, eley(), "stop", "" + first))
        .isEqualTo("nothing is left to stop of job " + first + "\n");
    assertThat(as(NOBODY, eley(), "status", "" + first)).contains("job " + first + " is over");
    as(GAMES, "scancel", "" + second);
    slurm.await(() -> over(second), "the job does not end");
    slurm.await(
        () -> leftOnTheRamDisk(first).isEmpty() && leftOnTheRamDisk(second).isEmpty(),
        "something is left on the RAM-disk");
  }

  @Test
  void oneLineRunsSparkThroughABufferBesideAnHpcJobAndLeavesNothing() throws Exception {
    long load = hpcJob();
    Path go = base.resolve("go");
    long submitted = System.currentTimeMillis();
    long job = submit(NOBODY, heldUntil(go, sparkJob()));
    slurm.await(
        () -> output(NOBODY, job).contains("ready after"), "not ready: " + output(NOBODY, job));
    var ready = Instant.now();
    slurm.await(
        () -> sparkLog(job).contains("Starting task 0.0 in stage 0.0"),
        "no Spark task begins: " + output(NOBODY, job));
    System.out.printf(
        "from submission to the first Spark task: %.1f s%n",
        (System.currentTimeMillis() - submitted) / 1e3);
    slurm.awaitOr(
        () -> phasesIn(job).stream().filter(e -> e.began().isAfter(ready)).count() >= 2,
        () -> "two phases while it is ready: " + phasesIn(job));
    Files.createFile(go);
    slurm.awaitOr(() -> over(job), () -> "the Spark job does not end: " + output(NOBODY, job));
    as(NOBODY, "scancel", "" + load);

    String output = output(NOBODY, job);
    System.out.println(
        output.lines().filter(l -> l.startsWith("eley:")).reduce("", (a, b) -> a + "\n" + b));
    assertThat(output)
        .containsSubsequence(
            "ready after", "the I/O of 1 of 1 running jobs is seen", "exit code 0");
    sameDigest(output);
    assertThat(output)
        .as("the user's own output, and what was read, met and could be better")
        .doesNotContain(" INFO ")
        .containsPattern(
            "eley: \\d+ tasks of 1 application read \\d+m, \\d+ % of it from RAM(, \\d+ % past the"
                + " nodes)?; they waited \\d+\\.\\d s for it, \\d+\\.\\d\\d s each\n")
        .containsPattern("eley: \\d+ phases? of others, [\\d.]+ s in all: hpc@nobody#" + load)
        .containsPattern("eley: next time: .+\n")
        .containsPattern(
            "eley: \\d+\\.\\d s from submission to the first task: Slurm \\d+\\.\\d s, Eley"
                + " \\d+\\.\\d s, Spark \\d+\\.\\d s\n")
        .contains("eley: Spark's log: " + jobs(NOBODY).resolve("spark-" + job + ".log"));

    Path jobs = jobs(NOBODY);
    Path kept = Files.createDirectory(base.resolve("kept"));
    Files.copy(jobs.resolve("ledger-" + job + ".csv"), new DeploymentFiles(kept).ledger());
    List<PhaseEntry> ledger = new LedgerFile(kept).read();
    System.out.println("phases of the HPC job, known through Slurm alone: " + ledger.size());
    assertThat(ledger)
        .isNotEmpty()
        .allMatch(e -> e.application().equals("hpc@nobody#" + load))
        .allMatch(e -> e.source().equals("slurm"));
    ledger.forEach(
        e ->
            System.out.printf(
                "  began %.1f s after both nodes were there, held by %d of %d nodes%n",
                Duration.between(ready, e.began()).toMillis() / 1e3,
                e.hold().confirmed(),
                e.hold().nodes()));
    // Earlier ones may have met nodes that were coming, and the last one nodes that were leaving.
    var served = ledger.stream().filter(e -> e.began().isAfter(ready)).toList();
    assertThat(served).hasSizeGreaterThanOrEqualTo(2);
    assertThat(served.subList(0, served.size() - 1))
        .as("held by both nodes")
        .allMatch(e -> e.hold().confirmed() == 2);

    nothingIsLeftOf(List.of(job));
    slurm.await(() -> !Files.exists(jobs.resolve("" + job)), "its directory is left");
  }

  @Test
  void aJobThatIsCancelledLeavesNothing() throws Exception {
    long job = submit(NOBODY, "sleep", "1000");
    slurm.await(
        () -> output(NOBODY, job).contains("ready after"), "not ready: " + output(NOBODY, job));
    assertThat(leftOnTheRamDisk(job)).isNotEmpty();
    assertThat(leftOfSpark(job)).isNotEmpty();
    // Told to end again while it tidies up, as by a time limit and our own script on a busy host.
    String step = nodeStep();
    for (int i = 0; i < 3; i++) {
      slurm.run("scancel", "--signal=TERM", step);
    }
    as(NOBODY, "scancel", "" + job);
    slurm.await(() -> over(job), "the job does not end");
    Path jobs = jobs(NOBODY);
    slurm.awaitOr(() -> leftOnTheRamDisk(job).isEmpty(), () -> "left: " + leftOnTheRamDisk(job));
    slurm.awaitOr(
        () -> processesOf(jobs).isEmpty(), () -> "processes are left: " + processesOf(jobs));
  }

  /** At what a user can see of the job's progress; "" is at once. */
  @Test
  @InTurn(turn = 0, of = 3)
  void aJobCancelledAtAnyStepLeavesNothing() throws Exception {
    var cancelled = new ArrayList<Long>();
    for (String moment :
        List.of(
            "",
            "logs",
            "logs/coordinator.log",
            "deployment/coordinator.address",
            "logs/nodes.log",
            "logs/spark-workers.log")) {
      long job = submit(NOBODY, "sleep", "1000");
      Path file = jobs(NOBODY).resolve(job + "/" + moment);
      slurm.await(() -> moment.isEmpty() || Files.exists(file), "never there: " + file);
      as(NOBODY, "scancel", "" + job);
      cancelled.add(job);
    }
    nothingIsLeftOf(cancelled);
  }

  @Test
  @InTurn(turn = 1, of = 3)
  void aLostHostEndsTheJobWithoutLeavingAnything() throws Exception {
    long job = submit(NOBODY, "sleep", "1000");
    slurm.await(() -> output(NOBODY, job).contains("ready after"), "not ready");
    String hosts = slurm.run("squeue", "-h", "-j", "" + (job + 1), "-o", "%N").strip();
    assertThat(hosts).matches("n.*");
    String one =
        slurm.run("scontrol", "show", "hostnames", hosts).lines().findFirst().orElseThrow();
    slurm.run("scontrol", "update", "nodename=" + one, "state=down", "reason=test");
    slurm.await(() -> over(job), "the job outlives its host");
    slurm.run("scontrol", "update", "nodename=" + one, "state=resume");
    nothingIsLeftOf(List.of(job));
  }

  @Test
  @InTurn(turn = 2, of = 3)
  void aTimeLimitEndsTheJobWithoutLeavingAnything() throws Exception {
    long job = submit(NOBODY, "sleep", "1000");
    slurm.await(() -> output(NOBODY, job).contains("ready after"), "not ready");
    // Slurm's shortest limit is a minute; an operator may move the end of a job, and does so again
    // when Slurm has not looked at it for twice its period: once a job went on for 150 s.
    var moves = new EndMoves();
    slurm.await(() -> moves.overAfterMoving(job), "the job outlives its limit");
    assertThat(output(NOBODY, job)).contains("DUE TO TIME LIMIT");
    nothingIsLeftOf(List.of(job));
  }

  /** Moves a job's end to now, at most once a minute. */
  private final class EndMoves {
    private java.util.Optional<Long> last = java.util.Optional.empty();

    boolean overAfterMoving(long job) throws Exception {
      long now = System.nanoTime();
      if (last.filter(at -> now - at < 60_000_000_000L).isEmpty() && !over(job)) {
        slurm.run("scontrol", "update", "jobid=" + job, "endtime=now");
        last = java.util.Optional.of(now);
      }
      return over(job);
    }
  }

  @Test
  void buffersMayShareTheSparkNodes() throws Exception {
    Path conf = open(Files.createDirectory(base.resolve("conf")));
    Path events = open(Files.createDirectory(base.resolve("events")));
    run("chmod", "a+rwx", events.toString());
    Files.writeString(
        conf.resolve("spark-defaults.conf"),
        "spark.eventLog.enabled  true\nspark.eventLog.compress false\nspark.eventLog.dir=file:%s\nspark.master yarn\n"
                .formatted(events)
            + "spark.executor.extraClassPath /site/lib");
    Files.writeString(conf.resolve("log4j2.properties"), OWN_LOGGING.formatted(events));
    environment =
        List.of("sh", "-c", "umask 027; SPARK_CONF_DIR=%s exec \"$@\"".formatted(conf), "-");
    // As SBATCH_EXPORT of a site's profile: what is left out here our own steps need all the same.
    String exported = "--export=HOME,PATH,JAVA_HOME,SPARK_CONF_DIR";
    var options = List.of("--colocate", "--network=127.0.0.0/8", "-S", exported);
    long job = submit(NOBODY, options, sparkJob());
    slurm.await(() -> over(job), "the job does not end: " + output(NOBODY, job));
    assertThat(modesIn(origin.resolve("out")))
        .as("the user's own umask: of directories, and of files by driver and executors")
        .containsExactlyInAnyOrder("rwxr-x---", "rw-r-----");
    assertThat(output(NOBODY, job)).contains("2 buffer nodes", "exit code 0");
    sameDigest(output(NOBODY, job));
    nothingIsLeftOf(List.of(job));
    assertThat(output(NOBODY, job)).contains("2 Spark workers at spark://127.0.0.1:");
    assertThat(textIn(events))
        .as("the site's configuration of Spark, with what the job must say behind it")
        .contains("\"spark.driver.memory\":\"512m\"", "\"spark.master\":\"spark://")
        .containsPattern("\"spark.executor.extraClassPath\":\"[^\"]+\\.jar:/site/lib\"");
    assertThat(Files.readString(events.resolve("driver.log")))
        .as("the user's own logging, of the driver and not of Spark's master")
        .contains("of a user: ")
        .doesNotContain("Starting Spark master");
  }

  /**
   * As of one host where there is no Java, or no place to spill. The other's worker is there for
   * longer than this Slurm gives tasks of a step in which one has ended ({@code WaitTime}).
   */
  @Test
  @InTurn(turn = 0, of = 3)
  void aJobWithFewerWorkersThanHostsSaysSoAndKeepsThem() throws Exception {
    Path conf = open(Files.createDirectory(base.resolve("conf")));
    Files.writeString(
        conf.resolve("spark-env.sh"),
        "[ \"${SLURM_PROCID:-0}\" = 0 ] || { echo \"no Java on $SLURMD_NODENAME\"; exit 3; }\n");
    environment = List.of("env", "SPARK_CONF_DIR=" + conf);
    String late = "sleep 7; squeue --noheader --steps --jobs=$SLURM_JOB_ID --format=%j";
    long job = submit(NOBODY, List.of(), "bash", "-c", late);
    slurm.await(() -> over(job), "the job does not end: " + output(NOBODY, job));
    assertThat(output(NOBODY, job))
        .as("long before the time to get ready is over")
        .containsPattern(
            "eley: ready after 1?\\d?\\d s: 2 buffer nodes of 128m, 1 of 2 Spark workers at spark://")
        .containsPattern("eley: of the workers that did not come up: no Java on n\\d\n")
        .contains("eley-spark-worker\n", "exit code 0");
  }

  @Test
  void anOriginThatIsNotOnTheHostsEndsTheJobWithOneLine() throws Exception {
    String script = as(NOBODY, sbatch(NOBODY, List.of("--print"), "true"));
    Path file = base.resolve("edited.sh");
    Files.writeString(file, script.replace("ORIGIN=" + origin, "ORIGIN=/no/such"));
    long job = Long.parseLong(as(NOBODY, "sbatch", "--parsable", file.toString()).strip());
    slurm.await(() -> over(job), "the job does not end");
    assertThat(output(NOBODY, job))
        .containsPattern("eley: the origin /no/such is not there, or not readable, on: n\\d n\\d\n")
        .doesNotContain("ready after");
  }

  /** Slurm thinks more of its variables than of lines in a script. */
  @Test
  void whatIsTypedWinsOverVariablesOfAProfile() throws Exception {
    environment =
        List.of("env", "SBATCH_TIMELIMIT=9", "SBATCH_REQUEUE=1", "SBATCH_JOB_NAME=of-a-profile");
    long job = submit(NOBODY, List.of("-S", "--hold", "-S", "--time=7"), "true");
    List<String> components =
        as(NOBODY, "scontrol", "--oneliner", "show", "job", "" + job).lines().toList();
    assertThat(components).hasSize(2).allMatch(c -> c.contains(" TimeLimit=00:07:00 "));
    assertThat(components).allMatch(c -> c.contains(" Requeue=0 "));
    assertThat(components.get(0)).as("Eley's own is a default").contains(" JobName=of-a-profile ");
    List<String> named = List.of("-S", "--hold", "-S", "--job-name=typed");
    String other = as(NOBODY, "scontrol", "show", "job", "" + submit(NOBODY, named, "true"));
    assertThat(other).contains(" JobName=typed\n").doesNotContain("of-a-profile");
  }

  /** An array has one component, and each of its jobs a buffer of its own. */
  @Test
  @InTurn(turn = 1, of = 3)
  void jobsOfAnArrayHaveABufferEach() throws Exception {
    String print = "echo task $SLURM_ARRAY_TASK_ID of an array";
    String ofEach = "--output=" + home(NOBODY).resolve("job-of-%a.out");
    List<String> options = List.of("--colocate", "-S", "--array=0-1", "-S", ofEach);
    String answer = as(NOBODY, sbatch(NOBODY, options, "bash", "-c", print));
    assertThat(answer).containsPattern("submitted job \\d+, an array");
    String array = answer.replaceAll("(?s).*submitted job (\\d+).*", "$1");
    assertThat(answer)
        .as("a task's number where one has begun already")
        .containsPattern("its output:  " + home(NOBODY).resolve("job-of-") + "[N01]\\.out\\n")
        .contains("look on:     eley top " + array + "_N, eley status " + array + "_N, ")
        .contains("end it:      eley stop " + array + ", or one task: eley stop " + array + "_N");
    for (int i = 0; i < 2; i++) {
      String text = "task " + i + " of an array";
      slurm.await(
          () -> outputs(NOBODY).anyMatch(o -> o.contains(text) && o.contains("exit code")),
          "not there: " + text);
      List<String> found = outputs(NOBODY).filter(output -> output.contains(text)).toList();
      assertThat(found).hasSize(1);
      assertThat(found.get(0)).containsSubsequence("ready after", text, "exit code 0");
    }
  }

  /** In whose environment is all that the other's script and Slurm have put there. */
  @Test
  @InTurn(turn = 2, of = 3)
  void aJobSubmittedInAJobHasItsOwnAndEndsNothingOfTheOther() throws Exception {
    Path go = base.resolve("go");
    String inner = String.join(" ", sbatch(NOBODY, List.of("--colocate"), "true"));
    String held = "%s; while ! [ -e %s ]; do sleep 0.2; done".formatted(inner, go);
    long first = submit(NOBODY, "bash", "-c", held);
    slurm.awaitOr(() -> output(NOBODY, first).contains("end it:"), () -> output(NOBODY, first));
    String said = output(NOBODY, first);
    long second = Long.parseLong(said.replaceAll("(?s).*submitted job (\\d+).*", "$1"));
    slurm.awaitOr(() -> over(second), () -> output(NOBODY, second));
    assertThat(output(NOBODY, second)).contains("ready after", "exit code 0");
    assertThat(slurm.run("squeue", "-s", "-h", "-o", "%j").lines())
        .as("the other's")
        .contains("eley-coordinator", "eley-node", "eley-spark-master", "eley-spark-worker");
    Files.createFile(go);
    slurm.awaitOr(() -> over(first), () -> output(NOBODY, first));
    assertThat(output(NOBODY, first)).contains("exit code 0");
    nothingIsLeftOf(List.of(first, second));
  }

  /** Each of two jobs of one user watches Slurm, and takes one that is neither for an HPC job. */
  @Test
  void twoJobsOfOneUserDoNotHoldEachOther() throws Exception {
    var everyJob = List.of("-D", "eley.signal.slurm.jobs=*", "-S", "--comment=mine");
    String hpc = "hpc@nobody#" + hpcJob();
    Path go = base.resolve("go");
    long first = submit(NOBODY, everyJob, heldUntil(go, sparkJob()));
    long second = submit(NOBODY, everyJob, heldUntil(go, wordCount(), "bb:///in", "bb:///out2"));
    for (long job : List.of(first, second)) {
      slurm.await(() -> output(NOBODY, job).contains("ready after"), "not ready: " + job);
      assertThat(slurm.run("squeue", "-h", "-j", "" + job, "-o", "%k").lines().distinct())
          .as("of both components")
          .containsExactly("mine eley=job");
    }
    for (long job : List.of(first, second)) {
      slurm.await(() -> !phasesIn(job).isEmpty(), "no phase in job " + job);
    }
    Files.createFile(go);
    for (long job : List.of(first, second)) {
      slurm.await(() -> over(job), "the Spark job does not end");
      sameDigest(output(NOBODY, job));
      assertThat(output(NOBODY, job)).contains("the I/O of 1 of 1 running jobs is seen");
      List<String> ledger = Files.readAllLines(jobs(NOBODY).resolve("ledger-" + job + ".csv"));
      assertThat(ledger.subList(1, ledger.size()))
          .as("what Slurm shows of the other one is nobody's phase")
          .isNotEmpty()
          .allMatch(line -> line.startsWith(hpc + ",slurm,"));
    }
  }

  /** Long before the time to get ready is over: those that may still come are waited for. */
  @Test
  void nodesThatDoNotComeAreNamed() throws Exception {
    long job = submit(NOBODY, List.of("--ram-disk=/no/such"), "true");
    slurm.await(() -> over(job), "the job does not end");
    assertThat(output(NOBODY, job))
        .containsPattern("eley: all nodes have ended, n\\d, n\\d: .*/no/such")
        .containsPattern("eley: ending after 1?\\d?\\d s, exit code 1\n");
    nothingIsLeftOf(List.of(job));
  }

  @Test
  void jobSubmitMarksHpcJobsAndTurnsACommentIntoLicences() throws Exception {
    String job =
        as(
                NOBODY,
                "sbatch",
                "--parsable",
                "--comment=pfs_bw=60",
                "--output=/dev/null",
                "--wrap=sleep 1000")
            .strip();
    assertThat(slurm.run("scontrol", "show", "job", job)).contains("Licenses=pfs_bw:60");
    as(NOBODY, "scancel", job);
  }

  @Test
  void whatCannotWorkIsRefusedBeforeAnythingIsStarted() throws Exception {
    assertThat(
            as(
                NOBODY,
                eley(),
                "sbatch",
                "--origin",
                origin.toString(),
                "--buffer-memory",
                "64g",
                "--",
                "true"))
        .contains("the largest node here has 4000")
        .doesNotContain("submitted");
    assertThat(as(NOBODY, eley(), "sbatch", "--origin", "/no/such", "--", "true"))
        .contains("the origin /no/such is no directory here");
    assertThat(
            as(
                NOBODY,
                eley(),
                "sbatch",
                "--origin",
                origin.toString(),
                "--spark-home",
                "/tmp",
                "--",
                "true"))
        .contains("there is no bin/spark-class in /tmp");
    Path tools = Files.createDirectory(base.resolve("tools"));
    for (String tool : List.of("bash", "dirname", "readlink", "sed", "head")) {
      Files.createSymbolicLink(tools.resolve(tool), Path.of("/usr/bin", tool));
    }
    assertThat(withPath(tools)).contains("there is no Slurm here: there is no sinfo to run");
    script(tools.resolve("sinfo"), "#!/bin/bash\necho slurm 20.11.9\n");
    assertThat(withPath(tools)).contains("this is Slurm 20.11; jobs with a buffer need 22.05");
    assertThat(
            as(
                NOBODY,
                eley(),
                "sbatch",
                "--print",
                "--origin",
                "/mnt/p f's",
                "--",
                "spark-submit",
                "a b"))
        .contains("#SBATCH hetjob", "ORIGIN='/mnt/p f'\\''s'", "COMMAND=(spark-submit 'a b')");
  }

  private String withPath(Path path) throws Exception {
    var command =
        new ArrayList<>(
            List.of("env", "PATH=" + path, "JAVA_HOME=" + System.getProperty("java.home")));
    command.addAll(List.of(sbatch(NOBODY, List.of(), "true")));
    return as(NOBODY, command.toArray(String[]::new));
  }
}
