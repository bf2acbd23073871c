package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The script of a job with Spark and its buffer, run by bash with commands of Slurm, Spark, the JDK
 * and Eley of our own. What a real Slurm makes of it is {@code SparkJobTest}'s.
 */
@Timeout(120)
@Tag("slow")
class JobScriptRunsTest {
  /** What the master says, as far as the script reads it. */
  private static final String MASTER =
      "echo spark://n1:1; echo Registering worker n1:2 with 1 cores";

  @TempDir private Path temp;
  private ScriptCommands commands;
  private final Map<String, String> environment = new HashMap<>();
  private final Map<String, String> settings =
      new HashMap<>(Map.of("eley.delay.max", "10s", "eley.shuffle.copies", "2"));
  private Optional<Path> spills = Optional.empty();
  private @Nullable Process job;

  @BeforeEach
  void surroundings() throws IOException {
    for (String directory : List.of("origin", "ram", "spills", "spark/bin", "java/bin")) {
      Files.createDirectories(temp.resolve(directory));
    }
    spills = Optional.of(temp.resolve("spills"));
    Files.createFile(temp.resolve("served"));
    commands = new ScriptCommands(temp);
    commands.slurm();
    commands.make("scontrol", "[ $1 != show ] || echo n1\n");
    commands.make("salloc", "while [ $1 != bash ]; do shift; done; exec \"$@\"\n");
    commands.make("java/bin/keytool", "exit 0\n");
    commands.make(
        "spark/bin/spark-class",
        """
        case $1 in
          *.Master) %s ;;
          *.Worker)
            stat -c %%A "${SPARK_LOCAL_DIRS%%/*}" >HERE/place-of-a-worker
            touch HERE/of-an-executor ;;
        esac
        exec sleep 1000
        """
            .formatted(MASTER));
    commands.eley("summary) echo 'as ever' ;;");
  }

  /** Ends when it has ended, with what it has said in {@code job.out}. */
  private void run(boolean terminal, String umask, String command) throws Exception {
    assertThat(runOn(1, terminal, umask, command)).contains("exit code 0");
  }

  /** The same on so many hosts of Spark's; what it has said. */
  private String runOn(int hosts, boolean terminal, String umask, String command) throws Exception {
    Process started = start(hosts, terminal, umask, command);
    assertThat(started.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
    return said();
  }

  private String said() throws IOException {
    return Files.readString(temp.resolve("job.out"));
  }

  private Process start(int hosts, boolean terminal, String umask, String command)
      throws IOException {
    return start(
        hosts, terminal, umask, List.of("bash", "-c", command.replace("HERE", temp.toString())));
  }

  private Process start(int hosts, boolean terminal, String umask, List<String> command)
      throws IOException {
    var memory = DataSize.parse("1g");
    var script =
        new JobScript(
            new JobScript.Sizes(1, memory, hosts, 1, memory, JobScript.Blocks.ON_SPARKS_HOSTS),
            new SparkShare(memory, 0, 1),
            new JobScript.Places(
                temp.resolve("eley"),
                temp.resolve("origin").toString(),
                temp.resolve("jobs"),
                temp.resolve("spark"),
                temp.resolve("ram"),
                spills,
                Optional.empty()),
            BufferMode.FULL_DELAY,
            false,
            60,
            SlurmRequest.of(List.of()),
            settings,
            command);
    String text = terminal ? script.inATerminal() : script.text();
    Path file = Files.writeString(temp.resolve("job.sh"), text);
    var builder = commands.job("bash", "-c", "umask " + umask + "; exec bash " + file);
    builder.environment().put("JAVA_HOME", temp.resolve("java").toString());
    builder.environment().putAll(environment);
    Process started = builder.start();
    job = started;
    return started;
  }

  @AfterEach
  void end() {
    if (job != null) {
      ScriptCommands.end(job);
    }
  }

  private String mode(String file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(temp.resolve(file)));
  }

  @ParameterizedTest(name = "in a terminal: {0}")
  @ValueSource(booleans = {false, true})
  void commandAndExecutorsHaveTheUsersOwnUmaskAndAllElseIsPrivate(boolean terminal)
      throws Exception {
    run(
        terminal,
        "027",
        """
        until [ -e HERE/of-an-executor ]; do sleep 0.05; done
        touch HERE/of-the-command
        grep -E 'delay.max|copies' "$SPARK_CONF_DIR/spark-defaults.conf" >HERE/told
        cp -r "${ELEY_DEPLOYMENT%/deployment}/logs" HERE/logs
        echo INFO >>"$ELEY_SPARK_LOG"
        stat -c %A "$SPARK_LOCAL_DIRS" >HERE/place-of-the-driver
        """);
    assertThat(mode("of-the-command")).isEqualTo("rw-r-----");
    assertThat(mode("of-an-executor")).isEqualTo("rw-r-----");
    for (String whose : List.of("the-driver", "a-worker")) {
      assertThat(temp.resolve("place-of-" + whose)).hasContent("drwx------");
    }
    assertThat(temp.resolve("told"))
        .hasContent("spark.hadoop.eley.delay.max 10s\nspark.hadoop.eley.shuffle.copies 2\n");
    assertThat(UserJobs.isOfAJob(temp.resolve("deployment"))).as("beside its marks").isTrue();
    assertThat(UserJobs.isOfADirective(temp.resolve("deployment"))).isFalse();
    assertThat(temp.resolve("awaited")).content().contains(" --nodes 1 --names n1 --serving ");
    assertThat(mode("jobs")).isEqualTo("rwx------");
    assertThat(mode("jobs/spark-43.log")).isEqualTo("rw-------");
    assertThat(mode("jobs/summary-43.txt")).isEqualTo("rw-------");
    assertThat(temp.resolve("jobs/43")).doesNotExist();
  }

  /** Slurm may lose its patience with a job that ends before the job is through. */
  @Test
  void whatADriverHasSpilledGoesFirst() throws Exception {
    commands.eley("summary) ls HERE/spills >HERE/left; echo 'as ever' ;;");
    run(false, "022", "ls HERE/spills >HERE/spilled");
    assertThat(temp.resolve("spilled")).content().contains("eley-spark-43-driver-");
    assertThat(temp.resolve("left")).content().doesNotContain("-driver-");
  }

  /** Slurm's own patience is 30 s, and what is told to end with control groups is the script. */
  @Test
  void aCommandThatDoesNotEndLeavesTimeToTidyUp() throws Exception {
    Process started =
        start(1, false, "022", "trap '' TERM; touch HERE/began; while :; do sleep 1; done");
    await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(temp.resolve("began")));
    started.destroy();
    assertThat(started.waitFor(30, TimeUnit.SECONDS)).as("it ends").isTrue();
    assertThat(started.exitValue()).isEqualTo(143);
    assertThat(said()).contains("eley: bash has not ended in 10 s\n", "eley: ending after ");
    assertThat(temp.resolve("spills")).isEmptyDirectory();
    assertThat(temp.resolve("jobs/43/conf")).as("what holds secrets").doesNotExist();
  }

  /** Before the script has noted the command's number; bash stops there by a trap of its own. */
  @Test
  void aCommandIsToldAlsoIfTheJobIsWhileItBegins() throws Exception {
    Path file = temp.resolve("stops");
    String stops =
        """
        trap '[ "$BASH_COMMAND" != "command=\\$!" ] || {
            until [ -e HERE/began ]; do sleep 0.05; done; kill -TERM $$; }' DEBUG
        """;
    Files.writeString(file, stops.replace("HERE", temp.toString()));
    environment.put("BASH_ENV", file.toString());
    Process started =
        start(
            1,
            false,
            "022",
            "trap 'touch HERE/told; exit 1' TERM; touch HERE/began;"
                + " for i in {1..999}; do sleep 0.1; done");
    assertThat(started.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
    assertThat(started.exitValue()).isEqualTo(143);
    assertThat(temp.resolve("told")).exists();
  }

  /**
   * A site may bind tasks to cores, of which a task that asks for none gets one, and may end a step
   * some time after its first task.
   */
  @Test
  void allStepsHaveAllCoresOfTheJob() throws Exception {
    run(false, "022", "true");
    assertThat(Files.readAllLines(temp.resolve("asked")))
        .as("each step")
        .hasSizeGreaterThanOrEqualTo(6)
        .allMatch(
            options ->
                options.contains(
                    " --overlap --mem=0 --cpu-bind=none --kill-on-bad-exit=0 --wait=0 "));
  }

  /** As sbatch sets it for `--export=NONE`, which a site's profile may have for all jobs. */
  @Test
  void ourStepsHaveTheirEnvironmentWhateverSbatchWasToExport() throws Exception {
    environment.put("SLURM_EXPORT_ENV", "NONE");
    commands.make(
        "spark/bin/spark-class", "env >>HERE/of-spark; " + MASTER + "; exec sleep 1000\n");
    run(false, "022", "echo $SLURM_EXPORT_ENV >HERE/of-the-command");
    assertThat(temp.resolve("of-the-command")).as("the user's own steps").hasContent("NONE");
    assertThat(Files.readAllLines(temp.resolve("of-spark")))
        .contains("MARKS=" + temp.resolve("jobs/43/logs/marks"), "NETWORK=");
  }

  /** With all that Slurm and the other job's script had put into its environment. */
  @Test
  void aJobSubmittedInAnotherHasNothingOfThatJob() throws Exception {
    Path other = Files.createDirectories(temp.resolve("other/conf"));
    Files.createFile(other.resolve("web.p12"));
    Path own = Files.createDirectory(temp.resolve("own"));
    Files.writeString(own.resolve("spark-defaults.conf"), "spark.mine true\n");
    environment.putAll(
        Map.of(
            "ELEY_DEPLOYMENT", temp.resolve("other/deployment").toString(),
            "ELEY_OWN_SPARK_CONF", own.toString(),
            "ELEY_CONSOLE_LEVEL", "warn",
            "ELEY_SPARK_LOG", temp.resolve("other/spark.log").toString(),
            "SPARK_CONF_DIR", other.toString(),
            "SPARK_LOCAL_IP", "192.0.2.1",
            "SPARK_SUBMIT_OPTS", "-Djava.io.tmpdir=\"/x y/eley-spark-7-driver-Ab1\" -Da=\"b\"",
            "SLURM_HET_SIZE", "2",
            "SLURM_JOB_ID_HET_GROUP_0", "7",
            "SLURM_JOB_ID_HET_GROUP_1", "8"));
    commands.make("hostname", "echo n1\n");
    commands.make("getent", "echo '127.0.1.1  STREAM n1'\n");
    commands.make("java/bin/keytool", "[ ! -e HERE/jobs/43/conf/web.p12 ]\n");
    commands.make(
        "spark/bin/spark-class", "env >>HERE/of-spark; " + MASTER + "; exec sleep 1000\n");
    run(
        false,
        "022",
        """
        echo "$SPARK_SUBMIT_OPTS" >HERE/options
        cp "$SPARK_CONF_DIR/spark-defaults.conf" HERE
        """);
    assertThat(Files.readAllLines(temp.resolve("asked"))).noneMatch(o -> o.contains("het-group"));
    assertThat(Files.readAllLines(temp.resolve("of-spark")))
        .noneMatch(
            v -> v.matches("(ELEY_CONSOLE_LEVEL|ELEY_SPARK_LOG|SPARK_LOCAL_IP|\\w+_HET_).*"));
    assertThat(temp.resolve("options"))
        .content()
        .matches("-Djava.io.tmpdir=\"\\S*/spills/eley-spark-43-driver-\\w+\" -Da=\"b\"\n");
    assertThat(temp.resolve("spark-defaults.conf")).content().contains("spark.mine true");
  }

  /** Of two Java takes the last. */
  @Test
  void aDirectoryForTemporaryFilesOfTheUsersOwnWins() throws Exception {
    environment.put("SPARK_SUBMIT_OPTS", "-Da=\"b c\" -Djava.io.tmpdir=/mine");
    run(false, "022", "echo \"$SPARK_SUBMIT_OPTS\" >HERE/options");
    assertThat(temp.resolve("options"))
        .content()
        .matches("-Djava.io.tmpdir=\"\\S*-driver-\\w+\" -Da=\"b c\" -Djava.io.tmpdir=/mine\n");
  }

  @Test
  void aConfigurationThatIsNamedAndNotThereEndsTheJob() throws Exception {
    environment.put("SPARK_CONF_DIR", "/no/such");
    assertThat(runOn(1, false, "022", "true"))
        .matches("eley: SPARK_CONF_DIR is no directory on \\S+: /no/such\n");
  }

  @Test
  void aClassPathIsJoinedWithTheUsersWholeWhateverItsPaths() throws Exception {
    Path own = Files.createDirectory(temp.resolve("own"));
    Files.writeString(
        own.resolve("spark-defaults.conf"), "spark.driver.extraClassPath = /my lib/*\n");
    environment.put("SPARK_CONF_DIR", own.toString());
    run(
        false,
        "022",
        "grep ClassPath $SPARK_CONF_DIR/spark-defaults.conf | tail -n 1 >HERE/joined");
    assertThat(temp.resolve("joined"))
        .hasContent("spark.driver.extraClassPath /our lib/c.jar:/my lib/*");
  }

  /** As below a link to the origin, which its user types; the coordinator says where it leads. */
  @Test
  void unchangedPathsAreKnownByTheNameThatWasTypedForTheOrigin() throws Exception {
    run(false, "022", "grep client.origin $SPARK_CONF_DIR/spark-defaults.conf >HERE/origins");
    assertThat(Files.readAllLines(temp.resolve("origins")))
        .endsWith("spark.hadoop.eley.client.origin " + temp.resolve("origin"));
  }

  /** As an editor's lock, which is a link to nothing. */
  @Test
  void aFileThatCannotBeCopiedIsMissingAloneAndSaid() throws Exception {
    Path own = Files.createDirectory(temp.resolve("own"));
    Files.writeString(own.resolve("a.xml"), "a");
    Files.createSymbolicLink(own.resolve("b.xml"), Path.of("/no/such"));
    Files.writeString(own.resolve("c.xml"), "c");
    environment.put("SPARK_CONF_DIR", own.toString());
    assertThat(runOn(1, false, "022", "cat $SPARK_CONF_DIR/*.xml >HERE/copied"))
        .contains("b.xml", "eley: not all of Spark's configuration in " + own, "exit code 0");
    assertThat(temp.resolve("copied")).hasContent("ac");
  }

  @Test
  void settingsOfSparkThatCannotBeReadEndTheJob() throws Exception {
    Path own = Files.createDirectory(temp.resolve("own"));
    Files.createSymbolicLink(own.resolve("spark-defaults.conf"), Path.of("/no/such"));
    environment.put("SPARK_CONF_DIR", own.toString());
    assertThat(runOn(1, false, "022", "true"))
        .contains("eley: " + own + "/spark-defaults.conf cannot be read\n", "exit code 1");
  }

  /** As a login host has none of what compute nodes have. */
  @Test
  void aDriverInATerminalSpillsWhereItsHostHasAPlace() throws Exception {
    commands.make(
        "spark/bin/spark-class",
        """
        case $1 in
          *.Master)
            echo spark://n1:1
            while [ -e HERE/spills ]; do sleep 0.05; done
            echo Registering worker n1:2 with 1 cores ;;
          *.Worker) rm -r HERE/spills ;;
        esac
        exec sleep 1000
        """);
    environment.put("TMPDIR", Files.createDirectory(temp.resolve("own")).toString());
    run(true, "022", "echo ${SPARK_LOCAL_DIRS%/*} >HERE/place-of-the-driver");
    assertThat(temp.resolve("place-of-the-driver")).hasContent(temp.resolve("own").toString());
    assertThat(temp.resolve("own")).isEmptyDirectory();
  }

  /**
   * By the prolog of its tasks. What a login host has of that name, of another job maybe, is there
   * alone.
   */
  @ParameterizedTest(name = "in a terminal: {0}")
  @ValueSource(booleans = {false, true})
  void eachHostSaysItselfWhereItsExecutorsSpill(boolean terminal) throws Exception {
    spills = Optional.empty();
    Path scripts = Files.createDirectory(temp.resolve("own"));
    Path steps = Files.createDirectory(temp.resolve("local"));
    environment.put("SLURM_TMPDIR", scripts.toString());
    commands.make(
        "prolog", "echo ${SLURM_TMPDIR:-none} >>HERE/of-steps; export SLURM_TMPDIR=HERE/local\n");
    commands.make(
        "spark/bin/spark-class",
        "case $1 in *.Worker) echo ${SPARK_LOCAL_DIRS%/*/*} >HERE/place-of-a-worker ;; esac; "
            + MASTER
            + "; exec sleep 1000\n");
    run(
        terminal,
        "022",
        """
        until [ -s HERE/place-of-a-worker ]; do sleep 0.05; done
        echo ${SPARK_LOCAL_DIRS%/*} >HERE/place-of-the-driver
        mkdir HERE/local/eley-spark-43-left
        """);
    assertThat(temp.resolve("place-of-a-worker")).hasContent(steps.toString());
    assertThat(steps).as("of a worker that could not tidy up").isEmptyDirectory();
    assertThat(temp.resolve("place-of-the-driver")).hasContent(scripts.toString());
    assertThat(Files.readAllLines(temp.resolve("of-steps")))
        .as("before the prolog")
        .containsOnly(terminal ? "none" : scripts.toString());
  }

  /** By what master and workers say the script finds them; all else of a user's logging stays. */
  @Test
  void daemonsLogAsTheScriptReadsAndDriversAsTheirUserWants() throws Exception {
    Path own = Files.createDirectory(temp.resolve("own"));
    Files.writeString(own.resolve("spark-env.sh"), "SPARK_DAEMON_JAVA_OPTS=-Done");
    Files.writeString(own.resolve("log4j2.properties"), "rootLogger.level = warn\n");
    environment.put("SPARK_CONF_DIR", own.toString());
    commands.make(
        "spark/bin/spark-class",
        """
        . "$SPARK_CONF_DIR/spark-env.sh"
        echo "${1##*.} $SPARK_DAEMON_JAVA_OPTS" >>HERE/of-spark
        case $1 in
          *.Master)
            echo '{"msg":"Starting Spark master at spark://n1.of-a_site:1","level":"INFO"}'
            echo 'Registering worker n1:2 with 1 cores' ;;
          *.Worker) echo "${!#}" >HERE/joined ;;
        esac
        [[ $1 == *.Driver ]] || exec sleep 1000
        """);
    run(
        false,
        "022",
        """
        until [ -e HERE/joined ]; do sleep 0.05; done
        "$SPARK_HOME/bin/spark-class" a.Driver
        cp "$SPARK_CONF_DIR"/*log4j2.properties HERE
        """);
    String ours = " -Dlog4j2.configurationFile=classpath:daemons.log4j2.properties";
    assertThat(Files.readAllLines(temp.resolve("of-spark")))
        .containsExactly("Master -Done" + ours, "Worker -Done" + ours, "Driver -Done");
    assertThat(temp.resolve("log4j2.properties")).hasContent("rootLogger.level = warn");
    assertThat(temp.resolve("daemons.log4j2.properties"))
        .content()
        .contains("rootLogger.level = info");
    assertThat(temp.resolve("joined")).hasContent("spark://n1.of-a_site:1");
  }

  /** Where other hosts find a name, and where Debian puts a host's own; nodes are there, too. */
  @ParameterizedTest
  @CsvSource({"10.0.0.9, ' --host n1', n1", "127.0.1.1, '', none"})
  void sparkListensWhereOtherHostsFindIt(String found, String host, String address)
      throws Exception {
    commands.make("hostname", "echo n1\n");
    commands.make("getent", "echo '" + found + "  STREAM n1'\n");
    commands.make(
        "spark/bin/spark-class",
        """
        echo "${1##*.}$(grep -o ' --host [^ ]*' <<<"$*") at ${SPARK_LOCAL_IP:-none}" >>HERE/of-spark
        %s
        exec sleep 1000
        """
            .formatted(MASTER));
    run(
        false,
        "022",
        "until [ -s HERE/of-nodes ] && [ $(wc -l <HERE/of-spark) = 2 ]; do sleep 0.05; done");
    assertThat(temp.resolve("of-spark"))
        .hasContent("Master%1$s at %2$s\nWorker%1$s at %2$s\n".formatted(host, address));
    assertThat(hostOfTheNode()).as("the same word").isEqualTo(host.isEmpty() ? "" : "n1 n1");
  }

  /**
   * Beside hosts without one, where the user says where the deployment's processes are, and on a
   * host that does not know its own name.
   */
  @ParameterizedTest
  @CsvSource({
    "2, eley.delay.max=9s, echo 10.0.0.9",
    "1, eley.coordinator.listen-host=ib0, echo 10.0.0.9",
    "1, eley.delay.max=9s, exit 2"
  })
  void aNodeWhoseHostSparkIsNotToPreferDecidesByItself(int hosts, String setting, String getent)
      throws Exception {
    commands.make("hostname", "echo n1\n");
    commands.make("getent", getent + "\n");
    commands.make(
        "spark/bin/spark-class",
        MASTER + "; echo Registering worker n2:2 with 1 cores; exec sleep 1000\n");
    String[] words = setting.split("=", 2);
    settings.put(words[0], words[1]);
    assertThat(runOn(hosts, false, "022", "until [ -s HERE/of-nodes ]; do sleep 0.05; done"))
        .contains("exit code 0");
    assertThat(hostOfTheNode()).isEmpty();
  }

  /** Where it is to listen and what others are to be told, or nothing. */
  private String hostOfTheNode() throws IOException {
    return Pattern.compile("(?<=eley\\.node\\.(listen|advertised)-host=)\\S+")
        .matcher(Files.readString(temp.resolve("of-nodes")))
        .results()
        .map(MatchResult::group)
        .collect(Collectors.joining(" "));
  }

  /** A worker on the other host has ended; the master hears of the same one twice. */
  @Test
  void fewerWorkersThanHostsAreSaid() throws Exception {
    commands.make(
        "spark/bin/spark-class",
        """
        case $1 in
          *.Master) %s; %s ;;
          *.Worker)
            echo 'mkdir: cannot create directory'
            echo '26/11/27 04:00:00 INFO Worker: Successfully registered'
            echo 'srun: error: n2: task 1: Exited with exit code 1' ;;
        esac
        exec sleep 1000
        """
            .formatted(MASTER, MASTER));
    assertThat(runOn(2, false, "022", "true"))
        .containsPattern("ready after \\d+ s: .+, 1 of 2 Spark workers at spark://n1:1\n")
        .contains("of the workers that did not come up: mkdir: cannot create directory\n")
        .contains("exit code 0");
  }

  @Test
  void aJobWithoutWorkersEndsWithWhatTheySaid() throws Exception {
    commands.make(
        "spark/bin/spark-class",
        """
        case $1 in
          *.Master) echo spark://n1:1; exec sleep 1000 ;;
          *.Worker) echo 'there is no java'; exit 1 ;;
        esac
        """);
    assertThat(runOn(1, false, "022", "true"))
        .containsPattern("eley: Spark's workers did not come up in \\d s: there is no java\n")
        .contains("exit code 1")
        .doesNotContain("ready after");
  }

  /** Long before the time to get ready is over. */
  @Test
  void aJobWhoseNodesHaveAllEndedEndsWithWhatTheySaid() throws Exception {
    Files.createFile(temp.resolve("homeless"));
    assertThat(runOn(1, false, "022", "true"))
        .contains("eley: all nodes have ended, n1: no place for a node\n", "exit code 1")
        .doesNotContain("ready after");
  }

  /** As where the first host has another Java than the one on which the job was submitted. */
  @Test
  void aJobWhoseCoordinatorEndsAtOnceEndsWithWhatItSaid() throws Exception {
    Files.createFile(temp.resolve("javaless"));
    assertThat(runOn(1, false, "022", "true"))
        .contains("eley: the coordinator has ended: there is no java\n", "exit code 1")
        .doesNotContain("ready after");
  }

  @Test
  void aJobWhoseMasterEndsAtOnceEndsWithWhatItSaid() throws Exception {
    commands.make(
        "spark/bin/spark-class",
        """
        case $1 in
          *.Master) echo 'no such address'; echo 'srun: error: n1: task 0: Exited' >&2; exit 1 ;;
        esac
        exec sleep 1000
        """);
    assertThat(runOn(1, false, "022", "true"))
        .contains("eley: Spark's master has ended on n1: no such address\n", "exit code 1")
        .doesNotContain("ready after");
  }

  @Test
  void aServerOfSparkConnectThatEndsAtOnceEndsTheJob() throws Exception {
    Files.createFile(
        Files.createDirectory(temp.resolve("spark/jars")).resolve("spark-connect_2.13-4.0.0.jar"));
    commands.make("spark/bin/spark-submit", "exit 7\n");
    Process started = start(1, false, "022", List.of());
    assertThat(started.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
    assertThat(said())
        .contains("eley: Spark Connect has ended: ", "exit code 1\n")
        .doesNotContain("Spark Connect listens");
  }

  /** A site's Sparks may have one, as with YARN; this cluster's workers run none. */
  @Test
  void executorsDoNotLookForAShuffleServiceOfTheSite() throws Exception {
    Path own = Files.createDirectory(temp.resolve("own"));
    Files.writeString(own.resolve("spark-defaults.conf"), "spark.shuffle.service.enabled  true\n");
    environment.put("SPARK_CONF_DIR", own.toString());
    run(false, "022", "grep service $SPARK_CONF_DIR/spark-defaults.conf | tail -n 1 >HERE/said");
    assertThat(temp.resolve("said")).hasContent("spark.shuffle.service.enabled false");
  }

  /** Two clusters count their jobs alike, and a home may be that of both. */
  @Test
  void aRunningJobOfTheSameNumberIsLeftAlone() throws Exception {
    Path address = anotherJobs("deployment/coordinator.address");
    assertThat(runOn(1, false, "022", "true"))
        .startsWith("eley: " + temp.resolve("jobs/43") + " is another job's, ")
        .doesNotContain("ready after");
    assertThat(address).hasContent("far:1");
    environment.put("SLURM_RESTART_COUNT", "1");
    run(false, "022", "cp $ELEY_DEPLOYMENT/coordinator.address HERE/address");
    assertThat(temp.resolve("address")).as("of this job's second run").hasContent("127.0.0.1:1");
  }

  @Test
  void whatAJobOfTheSameNumberHasLeftIsNotThisJobs() throws Exception {
    anotherJobs("logs/marks/nodes");
    anotherJobs("logs/old.log");
    run(false, "022", "ls ${ELEY_DEPLOYMENT%/deployment}/logs >HERE/logs");
    assertThat(temp.resolve("logs")).content().contains("nodes.log").doesNotContain("old.log");
  }

  private Path anotherJobs(String file) throws IOException {
    Path path = temp.resolve("jobs/43").resolve(file);
    Files.createDirectories(path.getParent());
    return Files.writeString(path, "far:1\n");
  }

  /** One that hangs gets a second here. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exec sleep 1000                          | ''",
        "echo eley: no coordinator >&2; exit 1    | : no coordinator",
      })
  void aSummaryThatDoesNotComeIsSaidAndNotKept(String does, String why) throws Exception {
    commands.make(
        "timeout",
        "[ $2 != 60 ] || set -- $1 1 \"${@:3}\"; PATH=${PATH#*:}; exec timeout \"$@\"\n");
    commands.eley("summary) " + does + " ;;");
    assertThat(runOn(1, false, "022", "true"))
        .containsPattern("(?m)^eley: the summary did not come\\Q" + why + "\\E$")
        .contains("exit code 0")
        .doesNotContain("Killed");
    assertThat(temp.resolve("jobs/summary-43.txt")).doesNotExist();
  }

  @ParameterizedTest(name = "in a terminal: {0}")
  @ValueSource(booleans = {false, true})
  void aCommandWithoutSparkLeavesNoLogOfIt(boolean terminal) throws Exception {
    run(terminal, "022", "umask >HERE/umask");
    assertThat(temp.resolve("umask")).hasContent("0022");
    assertThat(temp.resolve("jobs/spark-43.log")).doesNotExist();
    assertThat(temp.resolve("jobs/summary-43.txt")).hasContent("as ever");
  }
}
