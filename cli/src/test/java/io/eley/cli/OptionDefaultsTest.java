package io.eley.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code eley.conf} says is as if it had been typed, unless something else was. */
class OptionDefaultsTest {
  /** What a job of two components has in its script. */
  private static final String COMPONENTS = "#SBATCH hetjob";

  @TempDir private Path temp;
  private Path site;
  private Path user;

  @BeforeEach
  void files() throws Exception {
    site = temp.resolve("site.conf");
    user = temp.resolve("user.conf");
    Path spark = Files.createDirectories(temp.resolve("spark/bin")).resolve("spark-class");
    Files.createFile(
        spark, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private String run(String... typed) throws EleyException {
    var text = new StringWriter();
    CommandLine root = Main.commandLine();
    var defaults = OptionDefaults.read(site, temp.resolve("lib"), user);
    root.setDefaultValueProvider(defaults)
        .setOut(new PrintWriter(text, true))
        .setErr(new PrintWriter(text, true))
        .execute(defaults.arguments(root, typed));
    return text.toString();
  }

  @Test
  void whatIsTypedWinsOverTheUsersAndThatOverTheSites() throws Exception {
    Files.writeString(
        site,
        """
        # of the site
        origin = /mnt/pfs
        spark-home = %s
        sbatch.buffer-nodes = 5
        buffer-memory = 1g
        sbatch.slurm = --account=a1 --partition=cpu
        eley.delay.max = 3s
        """
            .formatted(temp.resolve("spark")));
    Files.writeString(
        user, "buffer-memory = 2g\nspark-nodes = 7\njobs=/scratch/jobs\neley.window.waves=2\n");
    String script =
        run(
            "sbatch",
            "--print",
            "--spark-nodes=3",
            "-S",
            "--time=1",
            "-D",
            "eley.delay.max=4s",
            "--",
            "x");
    assertThat(script.lines())
        .contains(
            "ORIGIN=/mnt/pfs",
            "BUFFER_NODES=5",
            "BUFFER_MEMORY=2g",
            "SPARK_NODES=3",
            "JOBS=/scratch/jobs",
            "ELEY_SETTINGS=(-D eley.delay.max=4s -D eley.node.spark-home="
                + temp.resolve("spark")
                + " -D eley.window.waves=2)")
        .containsSubsequence("#SBATCH --account=a1", "#SBATCH --partition=cpu", "#SBATCH --time=1");
    assertThat(run("sbatch", "--help")).contains("(default: 5)");
  }

  @Test
  void withoutFilesEverythingIsAsTyped() throws Exception {
    assertThat(run("sbatch", "--print", "--", "x")).contains("missing: --origin");
    var none = OptionDefaults.read(site, temp.resolve("lib"), user);
    assertThat(none.arguments(Main.commandLine(), "status", "-d", "x"))
        .containsExactly("status", "-d", "x");
    assertThat(none.arguments(Main.commandLine())).isEmpty();
    assertThat(none.arguments(Main.commandLine(), "no-verb")).containsExactly("no-verb");
  }

  @Test
  void namesThatNoVerbHasAreKnown() throws Exception {
    Files.writeString(site, "origin=/x\nsbatch.origin=/x\nstatus.origin=/x\norign=/x\n");
    assertThat(OptionDefaults.read(site, temp.resolve("lib"), user).unknown(Main.commandLine()))
        .containsExactly("orign", "status.origin");
  }

  @Test
  void theBoardThatASiteNamesIsForItsDeploymentsAndNotForTheBoardItself() throws Exception {
    Files.writeString(site, "eley.signal.board=/run/board\neley.signal.deadline=2s\n");
    var defaults = OptionDefaults.read(site, temp.resolve("lib"), user);
    assertThat(defaults.arguments(Main.commandLine(), "board", "--slurm"))
        .containsExactly("board", "--set", "eley.signal.deadline=2s", "--slurm");
    assertThat(defaults.arguments(Main.commandLine(), "start"))
        .contains("eley.signal.board=/run/board", "eley.signal.deadline=2s");
  }

  /** {@code eley board --slurm} is a switch, {@code eley sbatch --slurm OPTION} takes words. */
  @Test
  void wordsAreForTheVerbsWhoseOptionTakesThem() throws Exception {
    Files.writeString(site, "slurm = --account=a1 --partition=cpu\n");
    String[] board = {"board", "--publish=/x", "--origin=/x"};
    assertThat(refusal(board)).isEmpty();
    assertThat(refusal("sbatch", "--origin=/x")).isEmpty();
    assertThat(
            OptionDefaults.read(site, temp.resolve("lib"), user)
                .arguments(Main.commandLine(), "salloc"))
        .containsExactly("salloc", "--slurm", "--account=a1", "--slurm", "--partition=cpu");

    Files.writeString(site, "slurm = true\n");
    assertThat(refusal(board)).isEmpty();
    var ofSwitch = OptionDefaults.read(site, temp.resolve("lib"), user);
    assertThat(ofSwitch.arguments(Main.commandLine(), "sbatch")).containsExactly("sbatch");
    CommandLine root = Main.commandLine().setDefaultValueProvider(ofSwitch);
    root.parseArgs(board);
    var verb = requireNonNull(root.getSubcommands().get("board"));
    Boolean on = verb.getCommandSpec().findOption("slurm").getValue();
    assertThat(on).isTrue();
    Files.writeString(site, "board.slurm = --account=a1\n");
    assertThat(refusal(board)).get().asString().contains("--slurm");
    Files.writeString(site, "colocate = perhaps\n");
    assertThat(refusal("sbatch", "--origin=/x")).get().asString().contains("--colocate");
  }

  @Test
  void aSwitchThatIsTypedIsOnWhateverTheFileSays() throws Exception {
    Files.writeString(site, "origin = /x\nsbatch.colocate = true\n");
    String spark = "--spark-home=" + temp.resolve("spark");
    assertThat(run("sbatch", "--print", spark, "--", "x")).doesNotContain(COMPONENTS);
    assertThat(run("sbatch", "--print", spark, "--colocate", "--", "x")).doesNotContain(COMPONENTS);
    assertThat(run("sbatch", "--print", spark, "--colocate=false", "--", "x")).contains(COMPONENTS);
    Files.writeString(site, "origin = /x\nsbatch.colocate = false\n");
    assertThat(run("sbatch", "--print", spark, "--", "x")).contains(COMPONENTS);
    assertThat(run("sbatch", "--print", spark, "--colocate", "--", "x")).doesNotContain(COMPONENTS);
  }

  @Test
  void aValueThatMakesNoSenseIsSaidWithWhereItIs() throws Exception {
    Files.writeString(site, "origin = /x\ncolocate = yes\n");
    assertThat(run("sbatch", "--print", "--", "x").lines().findFirst())
        .hasValue("eley: --colocate: 'yes' is not a boolean (so says eley.conf)");
    assertThat(run("sbatch", "--print", "--spark-nodes=few", "--colocate", "--", "x"))
        .contains("eley: --spark-nodes: no whole number: 'few'\n")
        .doesNotContain("eley.conf");
    Files.writeString(site, "origin = /x\nspark-nodes = few\nmode = Fast\n");
    assertThat(run("sbatch", "--print", "--mode=NoAction", "--", "x"))
        .contains("eley: --spark-nodes: no whole number: 'few' (so says eley.conf)");
    assertThat(run("start", "--nodes=1")).contains("eley: --mode: ", "(so says eley.conf)");
  }

  @Test
  void aKeyThatMakesNoSenseIsSaidWithWhereItIs() throws Exception {
    Files.writeString(site, "origin = /x\neley.foo = 1\n");
    assertThat(run("sbatch", "--print", "--", "x").lines().findFirst())
        .hasValue(
            "eley: no configuration key is called eley.foo; `eley config` lists them"
                + " (so says eley.conf)");
    assertThat(run("doctor").lines().findFirst()).get().asString().endsWith("(so says eley.conf)");
    Files.writeString(site, "origin = /x\neley.window.waves = abc\n");
    assertThat(run("sbatch", "--print", "--", "x").lines().findFirst())
        .hasValue("eley: eley.window.waves=abc: must be auto, or 0 to 64 (so says eley.conf)");
    assertThat(run("sbatch", "--print", "-D", "eley.window.waves=many", "--", "x"))
        .as("typed, which wins")
        .contains("eley: eley.window.waves=many: must be auto, or 0 to 64\n")
        .doesNotContain("eley.conf");
  }

  /** What a site says beside its origin or engine is no word of whoever types another one. */
  @Test
  void whatGoesWithADefaultStaysWithIt() throws Exception {
    String spark = "--spark-home=" + temp.resolve("spark");
    Files.writeString(site, "origin = s3a://bucket/data\norigin-classpath = /opt/aws/*\n");
    assertThat(run("sbatch", "--print", "--origin=/mnt/pfs", spark, "--", "x").lines())
        .contains("ORIGIN=/mnt/pfs");
    assertThat(run("sbatch", "--print", "--origin=/x", "--origin-classpath=/y", spark, "--", "x"))
        .startsWith("eley: --origin-classpath is for an origin behind Hadoop's clients");

    Files.writeString(
        site,
        """
        origin = /mnt/pfs
        engine = alluxio
        alluxio-master = 127.0.0.1:1
        alluxio-client = /tmp
        overflow = /nvme
        """);
    assertThat(run("sbatch", "--print", "--engine=eley", spark, "--", "x").lines())
        .contains("ORIGIN=/mnt/pfs", "OVERFLOW=/nvme");
    assertThat(run("sbatch", "--print", "--engine=eley", "--alluxio-master=h:1", spark, "--", "x"))
        .startsWith("eley: --alluxio-master and --alluxio-client go with --engine alluxio");
    assertThat(run("sbatch", "--print", spark, "--", "x"))
        .startsWith("eley: no Alluxio master answers at 127.0.0.1:1");
    assertThat(run("sbatch", "--print", "--overflow=/y", spark, "--", "x"))
        .startsWith("eley: --overflow is for intermediate data");
  }

  /** S3's clients are not HDFS's, which are on this test's own class path: bb: has none there. */
  @Test
  void aClassPathStaysWithItsKindOfOrigin() throws Exception {
    Path adapters = Files.createDirectories(temp.resolve("home/lib/origin"));
    Files.createFile(adapters.resolve("eley-origin-hadoop-1.jar"));
    String aws = Files.createDirectory(temp.resolve("aws")).toString();
    String jars = Files.createDirectory(temp.resolve("spark/jars")).toString();
    String typed = "--origin=bb://nn/x";
    System.setProperty("eley.home", temp.resolve("home").toString());
    try {
      Files.writeString(site, "origin = s3a://bucket/data\norigin-classpath = " + aws + "/*\n");
      assertThat(classPath(typed)).contains(jars + "/*").doesNotContain(aws);
      assertThat(classPath(typed, "--origin-classpath=" + aws)).contains(aws).doesNotContain(jars);
      for (String sites : new String[] {"origin = bb://of/site", "origin = /mnt", "# no origin"}) {
        Files.writeString(site, sites + "\norigin-classpath = " + aws + "/*\n");
        assertThat(classPath(typed)).as(sites).contains(aws + "/*").doesNotContain(jars);
      }
    } finally {
      System.clearProperty("eley.home");
    }
  }

  private String classPath(String... typed) throws EleyException {
    var words = new ArrayList<>(List.of("sbatch", "--print"));
    words.addAll(List.of(typed));
    words.addAll(List.of("--spark-home=" + temp.resolve("spark"), "--", "x"));
    String script = run(words.toArray(String[]::new));
    return script
        .lines()
        .filter(line -> line.contains("eley.origin-class-path="))
        .findFirst()
        .orElse(script);
  }

  /** A user takes back what the site says, instead of having the working directory as origin. */
  @Test
  void anEmptyValueSaysNothing() throws Exception {
    Files.writeString(site, "slurm = --account=a1\norigin = /mnt/pfs\nbuffer-memory = 1g\n");
    Files.writeString(user, "sbatch.slurm =\norigin =\nbuffer-memory =\n");
    var defaults = OptionDefaults.read(site, temp.resolve("lib"), user);
    assertThat(defaults.arguments(Main.commandLine(), "sbatch")).containsExactly("sbatch");
    assertThat(defaults.arguments(Main.commandLine(), "salloc"))
        .containsExactly("salloc", "--slurm", "--account=a1");
    assertThat(run("sbatch", "--print", "--", "x")).contains("missing: --origin");
    String spark = "--spark-home=" + temp.resolve("spark");
    assertThat(run("sbatch", "--print", "--origin=/x", spark, "--", "x"))
        .contains("BUFFER_MEMORY=4g");
  }

  private Optional<String> refusal(String... typed) throws EleyException {
    return OptionDefaults.read(site, temp.resolve("lib"), user).refusal(Main.commandLine(), typed);
  }

  /** As {@code slurm serve}'s, whose buffers are to know the site's board. */
  @Test
  void aVerbOfAVerbHasItsDefaults() throws Exception {
    Files.writeString(site, "eley.signal.board = /shared/eley-board\n");
    var defaults = OptionDefaults.read(site, temp.resolve("lib"), user);
    assertThat(defaults.arguments(Main.commandLine(), "slurm", "serve", "--socket=/s"))
        .containsExactly(
            "slurm", "serve", "--set", "eley.signal.board=/shared/eley-board", "--socket=/s");
    assertThat(defaults.arguments(Main.commandLine(), "why", "status"))
        .as("a target, and no verb")
        .endsWith("why", "status");
  }

  @Test
  void aKeyThatIsNoneIsRefusedByTheVerb() throws Exception {
    Files.writeString(user, "eley.no.such=1\n");
    assertThat(
            run(
                "sbatch",
                "--print",
                "--origin=/x",
                "--spark-home=" + temp.resolve("spark"),
                "--",
                "x"))
        .contains("no configuration key is called eley.no.such");
  }

  /** "Unpack it anywhere": by a colleague, or by the account that a site has for software. */
  @Test
  void anInstallationsFileMayBeOfWhomItsCodeIs() throws Exception {
    assumeTrue(OwnPaths.user() == 0, "only root can give a file away");
    Path home = Files.createDirectory(temp.resolve("eley"));
    Path lib = Files.createDirectory(home.resolve("lib"));
    site = Files.createDirectory(home.resolve("conf")).resolve("eley.conf");
    Files.writeString(site, "buffer-memory = 1g\n");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxr-x"));
    for (Path each : new Path[] {home, lib, site.getParent(), site}) {
      Files.setAttribute(each, "unix:uid", 65_534);
    }
    assertThat(OptionDefaults.read(site, lib, user).isEmpty()).isFalse();
    Files.setAttribute(lib, "unix:uid", 0);
    assertThatThrownBy(() -> OptionDefaults.read(site, lib, user))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("(owner 65534, mode 0755)");
  }

  @Test
  void aFileThatOthersCanWriteIsNotTheUsers() throws Exception {
    Files.writeString(user, "origin=/x\n");
    Files.setPosixFilePermissions(user, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThatThrownBy(() -> OptionDefaults.read(site, temp.resolve("lib"), user))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("user.conf");
  }
}
