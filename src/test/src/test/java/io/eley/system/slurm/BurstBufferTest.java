package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.local.deployment.Daemon;
import io.eley.system.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Jobs with a {@code #BB_LUA} directive, on a real Slurm with our burst_buffer.lua. Its hooks run
 * as slurm; root is the service alone, with no more of root's powers than its unit leaves it.
 */
@Timeout(800)
class BurstBufferTest extends SlurmSite {
  /** As deploy/slurm/steps.sh names them: the job, its process, a random number. */
  private static final Pattern NODE_DIRECTORY = Pattern.compile("eley-(\\d+)-\\d+-\\d+");

  private static final int JOBS_OF_A_TEST = 1000;

  @SuppressWarnings("NullAway.Init") // by cluster(), before each test
  private Path state;

  @SuppressWarnings("NullAway.Init") // by cluster(), before each test
  private Process service;

  @Override
  SlurmCluster cluster(Path directory) throws Exception {
    state = Files.createDirectory(base.resolve("state"));
    String lua = Files.readString(site.resolve("eley/slurm/burst_buffer.lua"));
    var settings =
        Map.of(
            "eley", eley(),
            "state", state.toString(),
            "socket", socket().toString(),
            "environment",
                "PATH=%s SLURM_CONF=%s/slurm.conf".formatted(System.getenv("PATH"), directory));
    for (var setting : settings.entrySet()) {
      lua =
          lua.replaceFirst(
              "(?m)^local " + setting.getKey() + " = .*$",
              "local %s = \"%s\"".formatted(setting.getKey(), setting.getValue()));
    }
    Files.writeString(directory.resolve("burst_buffer.lua"), lua);
    Files.writeString(directory.resolve("burst_buffer.conf"), "StageOutTimeout=200\n");
    Files.writeString(
        state.resolve("pools.json"),
        "{\"pools\":[{\"id\":\"eley\",\"quantity\":4000,\"granularity\":1048576}]}\n");
    run("chown", "-R", "slurm", state.toString());
    var cluster =
        SlurmCluster.ofSite(
            directory,
            6,
            PRIVATE,
            "BurstBufferType=burst_buffer/lua",
            "PartitionName=eley Nodes=n[5-6] State=UP");
    service = service(cluster);
    assertThat(cluster.run("scontrol", "show", "burst")).contains("TotalSpace=4000MiB");
    Path pools = state.resolve("pools.json");
    String before = Files.readString(pools);
    assertThat(as(cluster, SLURM, eley(), "slurm", "pools", "--state=" + state, "--partition=eley"))
        .as("of the nodes that live")
        .isEqualTo(before);
    assertThat(pools).hasContent(before);
    return cluster;
  }

  private Path socket() {
    return base.resolve("run/submit");
  }

  /**
   * As eley-slurm.service runs it; users' buffers are in their homes, which it cannot look into.
   */
  private Process service(SlurmCluster cluster) throws Exception {
    open(Files.createDirectory(base.resolve("run")));
    var builder =
        new ProcessBuilder(
                "setpriv",
                "--bounding-set=-all,+chown",
                "--no-new-privs",
                eley(),
                "slurm",
                "serve",
                "--socket=" + socket(),
                "--partition=eley",
                "--jobs=" + base.resolve("home-%u/.eley/bb"))
            .redirectErrorStream(true)
            .redirectOutput(serviceLog().toFile());
    builder.environment().putAll(cluster.environment());
    builder.environment().put(Daemon.PARENT, Long.toString(ProcessHandle.current().pid()));
    Process started = builder.start();
    cluster.await(() -> Files.exists(socket()), "it does not serve: " + serviceLog());
    return started;
  }

  private Path serviceLog() {
    return base.resolve("service.log");
  }

  @AfterEach
  void stopTheService() throws Exception {
    if (service != null) {
      service.destroy();
      assertThat(service.waitFor()).as(Files.readString(serviceLog())).isEqualTo(143);
      assertThat(socket()).doesNotExist();
    }
  }

  private String directive(String rest) {
    return "#BB_LUA pool=eley capacity=256M origin=" + origin + " " + rest + "\n";
  }

  private String script(String directive, String body) {
    return "#!/bin/bash\n" + directive + body + "\n";
  }

  /** What sbatch says. */
  private String sbatch(String text) throws Exception {
    Path file = Files.createTempFile(base, "job", ".sh");
    script(file, text);
    return as(
            NOBODY,
            "sbatch",
            "--parsable",
            "-n1",
            "--mem=1500M",
            "-o",
            home(NOBODY) + "/job-%j.out",
            file.toString())
        .strip();
  }

  private long submit(String text) throws Exception {
    String answer = sbatch(text);
    assertThat(answer).matches("\\d+");
    return Long.parseLong(answer);
  }

  private String output(long job) throws IOException {
    return Files.readString(home(NOBODY).resolve("job-" + job + ".out"));
  }

  /** Its buffer's job, as squeue has it; to Slurm 26.05 {@code nobody} is no user's name. */
  private String buffer(long job) throws Exception {
    return slurm.run("squeue", "-h", "-u", NOBODY.id(), "-n", "eley-bb-" + job, "-o", "%A %T %k");
  }

  private String stage(long job) throws Exception {
    return slurm
        .run("scontrol", "show", "burst")
        .lines()
        .filter(l -> l.contains("JobID=" + job))
        .findFirst()
        .orElse("");
  }

  private void cancelled(long job, String... options) throws Exception {
    var command = new ArrayList<>(List.of("scancel"));
    command.addAll(List.of(options));
    command.add("" + job);
    as(NOBODY, command.toArray(String[]::new));
    nothingIsLeftOf(job);
  }

  private void nothingIsLeftOf(long job) throws Exception {
    slurm.await(() -> over(job), "the job does not end: " + job);
    slurm.await(() -> buffer(job).isEmpty(), "its buffer's job is still there");
    slurm.await(
        () -> stage(job).isEmpty() || slurmEndedItsOwnTeardown(job),
        "Slurm has not forgotten its burst buffer");
    if (!stage(job).isEmpty()) {
      System.out.println("Slurm ended its own teardown of job " + job);
      as(SLURM, eley(), "slurm", "pools", "--state=" + state, "--partition=eley");
    }
    slurm.await(() -> !Files.exists(state.resolve("" + job)), "notes of job " + job + " are left");
    Path directory = home(NOBODY).resolve(".eley/bb/" + job);
    slurm.await(() -> !Files.exists(directory), "files are left in " + directory);
    slurm.await(() -> processesOf(directory).isEmpty(), "left: " + processesOf(directory));
    slurm.await(() -> ramDisks().isEmpty(), "left on the RAM-disk: " + ramDisks());
  }

  /**
   * A race in Slurm 22.05 (seen in 1 of 50 cancellations while staging): the space of the pool is
   * then taken until slurmctld is restarted. Nothing of ours may stay even so.
   */
  private boolean slurmEndedItsOwnTeardown(long job) throws IOException {
    return Files.readString(base.resolve("s/slurmctld-0.log"))
        .contains("teardown for JobId=" + job + " terminated by slurmctld");
  }

  /** Directories that nodes of this cluster's jobs have there. */
  private List<String> ramDisks() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/dev/shm"))) {
      return all.map(p -> p.getFileName().toString()).filter(this::isOfThisCluster).toList();
    }
  }

  private boolean isOfThisCluster(String name) {
    var matcher = NODE_DIRECTORY.matcher(name);
    if (!matcher.matches()) {
      return false;
    }
    long which = Long.parseLong(matcher.group(1)) - slurm.firstJob();
    return which >= 0 && which < JOBS_OF_A_TEST;
  }

  @Test
  void aJobGoesThroughAllStages() throws Exception {
    Path results = Files.createDirectory(origin.resolve("results"));
    run("chmod", "a+rwX", results.toString());
    // Everybody may name a job as he likes: this one is neither taken for the buffer nor cancelled.
    String impostor =
        as(
                GAMES,
                "sbatch",
                "--parsable",
                "--job-name=eley-bb-" + (slurm.firstJob() + 1),
                "--comment=staged 0m of 0m in 0 files",
                "--partition=eley",
                "--mem=100M",
                "--output=/dev/null",
                "--wrap=sleep 1000")
            .strip();
    assertThat(impostor).isEqualTo("" + slurm.firstJob());
    long job =
        submit(
            script(
                directive("stage_in=in/* stage_out=results"),
                """
                export SPARK_HOME=%s SPARK_CONF_DIR=$(dirname "$ELEY_SPARK_CONF")
                export PATH=$SPARK_HOME/bin:$PATH SPARK_OPTIONS='--master local[2]'
                scontrol show bbstat
                %s bb:///in "file://$ELEY_STAGE_OUT/counts"
                %s status
                """
                    .formatted(site.resolve("spark"), wordCount(), eley())));
    nothingIsLeftOf(job);
    assertThat(job).as("whom the impostor stands for").isEqualTo(slurm.firstJob() + 1);
    assertThat(slurm.run("squeue", "-h", "-j", impostor, "-o", "%T")).contains("RUNNING");

    String output = output(job);
    System.out.println(output);
    sameDigest(output);
    assertThat(output).as("status").contains("staged 32m of 32m in 4 files");
    assertThat(results.resolve("counts/_SUCCESS")).exists();
    assertThat(results.resolve(".eley-" + job)).doesNotExist();
  }

  /** Each ends as its cause says, and leaves nothing when the user cancels it. */
  @Test
  @InTurn(turn = 0, of = 2)
  void whatFailsSaysWhyAndIsTidiedUpBehind() throws Exception {
    long pattern = submit(script(directive("stage_in=nothing/*"), "true"));
    long mount = submit(script(directive("").replace(origin.toString(), "/no/such"), "true"));
    slurm.await(() -> reason(pattern).contains("nothing"), "not held: " + reason(pattern));
    assertThat(reason(pattern))
        .as("newer ones put a word between")
        .containsPattern(
            "slurm_bb_data_in(?: failed)?: stage-in: no file below "
                + origin
                + " matches nothing/");
    slurm.await(() -> reason(mount).contains("/no/such"), "not held: " + reason(mount));
    assertThat(reason(mount))
        .containsPattern(
            "slurm_bb_data_in(?: failed)?: the origin /no/such is not there, or not readable, on: n");
    cancelled(pattern);
    cancelled(mount);

    Path results = Files.createDirectory(origin.resolve("results"));
    run("chmod", "a+rwX", results.toString());
    Files.writeString(results.resolve("counts"), "of somebody");
    long taken = submit(script(directive("stage_out=results"), "echo 1 >$ELEY_STAGE_OUT/counts"));
    slurm.await(() -> reason(taken).contains("exists already"), "not stuck: " + reason(taken));
    assertThat(results.resolve("counts")).hasContent("of somebody");
    cancelled(taken, "--hurry");
    assertThat(results.resolve(".eley-" + taken + "/counts")).as("not lost").hasContent("1");
  }

  @Test
  @InTurn(turn = 0, of = 2)
  void aJobCancelledInAnyStageLeavesNothing() throws Exception {
    long inSetup = submit(script(directive("stage_in=in/*"), "true"));
    slurm.await(() -> buffer(inSetup).contains("starting"), "no setup: " + buffer(inSetup));
    cancelled(inSetup);

    // Another job's I/O holds stage-in back for as long as it goes on. It says so, too: a buffer
    // that begins in the middle of a phase sees bytes from the second answer on, by when a small
    // input may be there.
    Path hpc = base.resolve("hpc.sh");
    script(
        hpc,
        """
        #!/bin/bash
        exec 3>/dev/null
        while :; do printf '%1000000s' x >&3; sleep 0.02; done
        """);
    String load =
        as(
                NOBODY,
                "sbatch",
                "--parsable",
                "-Jhpc",
                "--comment=phase=io",
                "-n1",
                "--mem=100M",
                "--output=/dev/null",
                hpc.toString())
            .strip();
    assertThat(load).matches("\\d+");
    slurm.await(
        () -> slurm.run("squeue", "-h", "-t", "R", "-n", "hpc", "-o", "%A").contains(load),
        "the HPC job does not run");
    long inDataIn = submit(script(directive("stage_in=in/*"), "true"));
    slurm.await(() -> buffer(inDataIn).contains("staging"), "no stage-in: " + buffer(inDataIn));
    slurm.await(
        () ->
            slurm
                .run("scontrol", "show", "bbstat")
                .matches(
                    "(?s).*\\n"
                        + inDataIn
                        + " .*nobody +staging( 0 of 32m in 4 files, held for the I/O of others)?\\n.*"),
        "bbstat does not show it");
    cancelled(inDataIn);
    as(NOBODY, "scancel", load);

    long running = submit(script(directive("stage_in=in/*"), "sleep 1000"));
    slurm.await(
        () -> slurm.run("squeue", "-h", "-j", "" + running, "-o", "%T").contains("RUNNING"),
        "does not run");
    assertThat(buffer(running)).contains("staged 32m of 32m in 4 files");
    cancelled(running);
    for (int again = 0; again < 2; again++) {
      assertThat(as(SLURM, eley(), "slurm", "teardown", "--state=" + state, "--job=" + running))
          .as("teardown may be repeated")
          .isEmpty();
    }
  }

  /** A shell makes a file before it writes to it. */
  private static boolean holdsSomething(Path file) throws IOException {
    return Files.exists(file) && Files.size(file) > 0;
  }

  /** What a job has written is published also when it is cancelled; at once is without that. */
  @Test
  @InTurn(turn = 1, of = 2)
  void resultsOfAJobThatIsCancelledAreNotLost() throws Exception {
    Path results = Files.createDirectory(origin.resolve("results"));
    run("chmod", "a+rwX", results.toString());
    long running =
        submit(script(directive("stage_out=results"), "echo 1 >$ELEY_STAGE_OUT/a; sleep 1000"));
    slurm.await(
        () -> holdsSomething(results.resolve(".eley-" + running + "/a")), "it writes nothing");
    cancelled(running);
    assertThat(results.resolve("a")).hasContent("1");

    Path go = base.resolve("go");
    long inDataOut =
        submit(
            script(
                directive("stage_out=results"),
                "echo 2 >$ELEY_STAGE_OUT/b; while ! [ -e " + go + " ]; do sleep 0.2; done"));
    Path hidden = results.resolve(".eley-" + inDataOut + "/b");
    slurm.await(() -> holdsSomething(hidden), "it writes nothing");
    // A buffer whose script does not get on keeps its job in stage-out.
    String script = "/job" + buffer(inDataOut).split(" ", -1)[0] + "/slurm_script";
    for (ProcessHandle shell : processesWith(base.resolve("s") + "/", script)) {
      // One that asks Slurm in between may have ended.
      int unused = new ProcessBuilder("kill", "-STOP", "" + shell.pid()).start().waitFor();
    }
    Files.createFile(go);
    slurm.await(
        () -> slurm.run("squeue", "-h", "-j", "" + inDataOut, "-o", "%T").contains("STAGE_OUT"),
        "no stage-out: " + inDataOut);
    cancelled(inDataOut, "--hurry");
    var there = Stream.of(hidden, results.resolve("b")).filter(Files::exists).toList();
    assertThat(there).as("left, or published before the buffer was told to end").hasSize(1);
    assertThat(there.get(0)).hasContent("2");
  }

  private static List<ProcessHandle> processesWith(String... words) {
    return ProcessHandle.allProcesses()
        .filter(
            p ->
                p.info()
                    .commandLine()
                    .filter(c -> Stream.of(words).allMatch(c::contains))
                    .isPresent())
        .toList();
  }

  /** Also Slurm's own user gets nothing submitted but what a job that waits asks for. */
  @Test
  void theServiceSubmitsForNothingButAJobThatWaitsForItsBuffer() throws Exception {
    String plain = as(GAMES, "sbatch", "--parsable", "--hold", "--wrap=true").strip();
    assertThat(setup(SLURM, plain)).contains("the script has no #BB_LUA directive");
    assertThat(setup(SLURM, "99999999")).contains("nvalid job id");
    assertThat(setup(GAMES, plain)).contains("no `eley slurm serve` answers").contains("denied");
    assertThat(slurm.run("squeue", "-h", "-n", "eley-bb-" + plain)).isEmpty();
    String others = as(NOBODY, "squeue", "-h", "-j", plain);
    assertThat(others).as("jobs are private here").doesNotContain("games");
  }

  /** The stage with a directive that Slurm knows nothing of. */
  private String setup(User user, String job) throws Exception {
    Path script = base.resolve("forged.sh");
    script(script, script(directive(""), "true"));
    Path notes = Files.createDirectories(base.resolve("notes-" + user.name()));
    run("chown", user.id(), notes.toString());
    return as(
        user,
        eley(),
        "slurm",
        "setup",
        "--state=" + notes,
        "--partition=eley",
        "--socket=" + socket(),
        "--job=" + job,
        "--uid=0",
        "--script=" + script);
  }

  @Test
  @InTurn(turn = 1, of = 2)
  void aBufferThatIsGoneBeforeTheJobBeginsIsTornDownAndTheJobWaits() throws Exception {
    String blocker =
        as(
                GAMES,
                "sbatch",
                "--parsable",
                "--nodelist=n1",
                "--exclusive",
                "--time=30",
                "--output=/dev/null",
                "--wrap=sleep 1000")
            .strip();
    slurm.await(
        () -> slurm.run("squeue", "-h", "-j", blocker, "-o", "%T").contains("RUNNING"),
        "the first job does not run");
    long job =
        submit(script("#SBATCH --nodelist=n1\n" + directive("stage_in=in/*"), "echo it began"));
    // Slurm's hooks look every two seconds: until they have seen it the stages are not over.
    slurm.await(
        () -> slurm.run("scontrol", "show", "job", "" + job).contains("BurstBufferState=staged-in"),
        "not staged: " + reason(job));
    slurm.run("scancel", buffer(job).split(" ", -1)[0]);
    slurm.await(() -> buffer(job).isEmpty(), "the buffer does not end");
    slurm.run("scancel", blocker);

    slurm.await(
        () ->
            slurm
                .run("scontrol", "show", "job", "" + job)
                .matches("(?s).*pre_run(?: failed)?: the buffer of job " + job + " is gone.*"),
        "the job does not say why it waits: " + slurm.run("scontrol", "show", "job", "" + job));
    slurm.await(
        () -> slurm.run("squeue", "-h", "-j", "" + job, "-o", "%T").contains("PENDING"),
        "it does not wait: " + reason(job));
    cancelled(job);
    assertThat(home(NOBODY).resolve("job-" + job + ".out")).doesNotExist();
  }

  @Test
  void aDirectiveThatMakesNoSenseIsRefusedAtSubmissionInTheSameWords() throws Exception {
    for (String wrong :
        List.of(
            "pool=eley capacity=256M origin=/mnt stagein=in/*",
            "pool=eley capacity=256M origin=/mnt capacity=1G",
            "pool=eley capacity=12Q origin=/mnt",
            "pool=eley capacity=1G",
            "pool=eley capacity=1G origin=mnt",
            "pool=eley capacity=1G origin=/mnt stage_out=/etc",
            "pool=eley capacity=1G origin=/mnt stage_in=../etc/*",
            "pool=eley capacity=1G origin=/mnt stage_in=a;b",
            "pool=eley capacity=1G origin=/mnt stage_out=",
            "pool=eley capacity=1G origin=/mnt stage_out=a*")) {
      String text = script("#BB_LUA " + wrong + "\n", "true");
      Path file = base.resolve("validate.sh");
      Files.writeString(file, text);
      String ours = slurm.run(eley(), "slurm", "validate", "--script", file.toString()).strip();
      assertThat(ours).startsWith("eley: #BB_LUA: ");
      assertThat(sbatch(text)).contains(ours.substring("eley: ".length()));
    }
    assertThat(sbatch(script("#BB_LUA pool=eley capacity=10T origin=/mnt\n", "true")))
        .contains("capacity=10T is more than the whole buffer has, 4000 MiB");
  }

  private String reason(long job) throws Exception {
    return slurm.run("squeue", "-h", "-j", "" + job, "-o", "%r");
  }
}
