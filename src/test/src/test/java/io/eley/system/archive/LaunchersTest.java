package io.eley.system.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launchers of the archive and of the source tree, with a JDK of our own that says how it was
 * called. Both are copied to where there are no sources, so that neither builds anything.
 */
@Timeout(60)
class LaunchersTest {
  private static final Path ROOT = Path.of(System.getProperty("eley.root"));

  @TempDir private Path temp;
  private Path java;

  /** How a command ended, and what it printed on both outputs. */
  private record Ended(int code, String said) {}

  @BeforeEach
  void surroundings() throws Exception {
    java = Files.createDirectories(temp.resolve("jdk/bin")).resolve("java");
    Files.writeString(java, "#!/bin/bash\necho \"$@\"\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    javaIs("17.0.15");
  }

  private void javaIs(String version) throws Exception {
    Files.writeString(temp.resolve("jdk/release"), "JAVA_VERSION=\"" + version + "\"\n");
  }

  private Ended run(String launcher, String options, String... words) throws Exception {
    Path copy = Files.createDirectories(temp.resolve("home/bin")).resolve("eley");
    Files.writeString(copy, Files.readString(ROOT.resolve(launcher)));
    var command = new ArrayList<>(List.of("bash", copy.toString()));
    command.addAll(List.of(words));
    Path said = temp.resolve("said");
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
    builder.environment().put("JAVA_HOME", temp.resolve("jdk").toString());
    builder.environment().put("ELEY_JAVA_OPTS", options);
    Process process = builder.start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), Files.readString(said));
  }

  @ParameterizedTest
  @CsvSource({
    "eley, status",
    "eley, node",
    "eley, coordinator",
    "eley, ''",
    "deploy/bin/eley, status",
    "deploy/bin/eley, node",
    "deploy/bin/eley, coordinator",
    "deploy/bin/eley, ''"
  })
  void aJvmHasABoundWhateverTheMachineHas(String launcher, String verb) throws Exception {
    var plain = run(launcher, "", verb);
    assertThat(plain.code()).as(plain.said()).isZero();
    assertThat(plain.said()).contains(" -Xmx512m ").endsWith(" io.eley.cli.Main " + verb + "\n");
    assertThat(run(launcher, "-Xmx9g -Da=b", verb).said())
        .as("what one sets oneself comes last, and wins")
        .contains(" -Xmx512m -Xmx9g -Da=b ");
  }

  @ParameterizedTest
  @CsvSource({"eley, demo", "eley, bench", "deploy/bin/eley, demo", "deploy/bin/eley, bench"})
  void whatComputesHasTheJvmsOwnChoice(String launcher, String verb) throws Exception {
    assertThat(run(launcher, "", verb).said()).contains("io.eley.cli.Main").doesNotContain("-Xmx");
  }

  /** Before bash 4.4 an array without words is unset, and so are slices of it. */
  @ParameterizedTest
  @ValueSource(strings = {"eley", "deploy/bin/eley"})
  void anOlderBashTakesNoWords(String launcher) throws Exception {
    assertThat(Files.readString(ROOT.resolve(launcher)))
        .as("behind a test of the words alone")
        .containsOnlyOnce("${words[");
  }

  /** Whatever is wrong with Java, a checkpoint is written and the job goes on. */
  @ParameterizedTest
  @ValueSource(strings = {"eley", "deploy/bin/eley"})
  void theCommandOfAPhaseRunsWhereJavaCannot(String launcher) throws Exception {
    javaIs("11.0.2");
    runsTheCommand(launcher, "this is Java 11 (");
    assertThat(run(launcher, "", "phase", "begin", "--app", "x"))
        .as("which runs no command")
        .satisfies(ended -> assertThat(ended.code()).isEqualTo(1))
        .satisfies(ended -> assertThat(ended.said()).startsWith("eley: this is Java 11 ("));
    javaIs("17.0.15");
    Files.writeString(java, "#!/bin/bash\nexit 1\n");
    runsTheCommand(launcher, "no JVM starts here (");
    Files.delete(temp.resolve("jdk/release"));
    runsTheCommand(launcher, "this is Java of unknown version (");
    Files.delete(java);
    runsTheCommand(launcher, "JAVA_HOME=");
  }

  private void runsTheCommand(String launcher, String why) throws Exception {
    String anyway = "eley: the phase is not announced, the command runs anyway: " + why;
    for (List<String> options :
        List.of(
            List.of("--app", "x", "-d", "/none", "--"),
            List.of("--app=x", "--lease", "1m"),
            List.<String>of())) {
      var words = new ArrayList<>(List.of("phase", "run"));
      words.addAll(options);
      words.addAll(List.of("sh", "-c", "echo \"$1, $2\"; exit 7", "--", "a b", "--app"));
      var ended = run(launcher, "", words.toArray(String[]::new));
      assertThat(ended.said()).startsWith(anyway).endsWith("\na b, --app\n").hasLineCount(2);
      assertThat(ended.code()).isEqualTo(7);
    }
    assertThat(run(launcher, "", "phase", "run", "--app", "x").code()).as("none").isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"eley", "deploy/bin/eley"})
  void aPhaseIsAnnouncedWhereJavaRuns(String launcher) throws Exception {
    assertThat(run(launcher, "", "phase", "run", "--app", "x", "--", "true").said())
        .endsWith(" io.eley.cli.Main phase run --app x -- true\n");
  }
}
