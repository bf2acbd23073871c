package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bad input: one line that says what is wrong and what to do, an exit code that is not zero, no
 * stack trace.
 */
class CommandLineTest {
  @TempDir private Path temp;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  static Stream<Arguments> badUsage() {
    return Stream.of(
        Arguments.of("start --origin /tmp --colour red", "there is no option --colour"),
        Arguments.of("start", "missing: --origin DIR"),
        Arguments.of("start --origin /tmp --memory lots", "not a size: 'lots'"),
        Arguments.of("start --origin /tmp --mode Sideways", "no mode 'Sideways'"),
        Arguments.of("board --origin /tmp", "missing: --publish DIR"),
        Arguments.of("board --publish x --origin /tmp --names some", "--names: 'some' is none of"),
        Arguments.of("why 42x /in/part-0", "'42x' is no number of a job"),
        Arguments.of("jobs 42", "'42' is one word too many"),
        Arguments.of("phase begin", "missing: --app NAME"),
        Arguments.of("strat --origin /tmp", "there is no verb 'strat'"));
  }

  @ParameterizedTest
  @MethodSource("badUsage")
  void badUsageIsOneLineAndExitCodeTwo(String line, String said) {
    assertThat(run(line.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString()).startsWith("eley: ").contains(said).doesNotContain("\tat ");
  }

  @Test
  void anOriginThatDoesNotExistIsSaidBeforeAnythingStarts() {
    Path deployment = temp.resolve("deployment");
    assertThat(
            run("start", "--origin", temp.resolve("none").toString(), "-d", deployment.toString()))
        .isEqualTo(1);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains("does not exist; is it mounted?");
    assertThat(deployment).doesNotExist();
  }

  @Test
  void aFileSystemThatIsNotThereCannotBeMeasured() {
    Path none = temp.resolve("none");
    assertThat(run("bench", "--origin", none.toString())).isEqualTo(1);
    assertThat(err.toString().strip())
        .isEqualTo("eley: the origin " + none + " does not exist; is it mounted?");
  }

  @Test
  void memoryThatDoesNotFitIsSaidBeforeAnythingStarts() {
    assertThat(
            run(
                "start",
                "--origin",
                temp.toString(),
                "--memory",
                "1000t",
                "-d",
                temp + "/d",
                "--ram-disk",
                temp.toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("do not fit on").contains("lower --memory or --nodes");
  }

  @Test
  void anUnknownConfigurationKeyIsRefused() {
    assertThat(run("start", "--origin", temp.toString(), "-D", "eley.no.such=1", "-d", temp + "/d"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("eley.no.such").contains("eley config");
  }

  @Test
  void defaultsInTheHelpAreThoseOfTheKeys() {
    assertThat(run("start", "--help")).isZero();
    assertThat(out.toString())
        .contains("RAM of each node for blocks (default: 1g)")
        .contains("FullDelay or Adaptive (default: FullDelay)")
        .contains("a multiple of 1m (default: 16m)")
        .contains("0 takes a free one (default: 0)");
    assertThat(run("sbatch", "--help")).isZero();
    assertThat(out.toString()).contains("how long all parts may take to come up (default: 180)");
  }

  @Test
  void aKeyUnderItsOldNameIsTakenWithAWarning() throws IOException {
    Path spark = Files.createDirectory(temp.resolve("bin")).resolve("spark-class");
    assertThat(Files.createFile(spark).toFile().setExecutable(true)).isTrue();
    assertThat(
            run(
                "sbatch",
                "--print",
                "--origin",
                temp.toString(),
                "--spark-home",
                temp.toString(),
                "-D",
                "eley.slurm.jobs=name=hpc",
                "--",
                "true"))
        .as(err.toString())
        .isZero();
    assertThat(out.toString()).contains("eley.signal.slurm.jobs=name=hpc");
    assertThat(err.toString()).contains("eley.slurm.jobs is now called eley.signal.slurm.jobs");
  }

  @Test
  void aDeploymentThatDoesNotRunIsSaidAndStoppingItIsFine() {
    assertThat(run("status", "-d", temp.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("no deployment runs in").contains("eley start");
    assertThat(run("stop", "-d", temp.toString())).isZero();
    assertThat(out.toString()).contains("nothing runs in");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"demo", "demo --quick --out x", "experiment list", "report check report.json"})
  void aVerbOfExperimentsSaysInOneLineThatItsJarsAreNotHere(String line) {
    assertThat(run(line.split(" ", -1))).isEqualTo(1);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString())
        .startsWith("eley: `eley " + line.split(" ", -1)[0] + "` needs the experiments")
        .contains("-demo.tar.gz");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void helpNamesEveryVerb() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString())
        .contains(
            "demo", "start", "status", "stop", "phase", "ior", "report", "config", "board", "jobs",
            "apps", "salloc", "top");
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setUsageHelpAutoWidth(false)
        .setUsageHelpWidth(200)
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
