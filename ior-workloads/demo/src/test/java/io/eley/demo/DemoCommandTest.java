package io.eley.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.laboratory.Installation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DemoCommandTest {
  private static final List<Path> JARS =
      List.of(
          Path.of("/lib/eley-emulated-pfs-1.jar"),
          Path.of("/lib/eley-spark-connector-1.jar"),
          Path.of("/lib/eley-workloads-1.jar"));

  private static final String SPARK = "/opt/spark";

  @TempDir private Path home;

  @Test
  void aSizeThatIsNoneIsBadUsage() {
    var err = new StringWriter();
    int code =
        new CommandLine(new DemoCommand())
            .setErr(new PrintWriter(err, true))
            .execute("--size", "many");
    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains("not a size: 'many'");
  }

  @Test
  void noRepetitionIsBadUsage() {
    var err = new StringWriter();
    int code =
        new CommandLine(new DemoCommand())
            .setErr(new PrintWriter(err, true))
            .execute("--repeat", "0");
    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains("--repeat takes a number from 1 to 250, not '0'");
  }

  @Test
  void aSizeOfGeneratedInputBesideOnesOwnInputIsBadUsage() {
    var err = new StringWriter();
    int code =
        new CommandLine(new DemoCommand())
            .setErr(new PrintWriter(err, true))
            .execute("--input", home.toString(), "--size", "64m");
    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains("give either --input or --size");
  }

  @Test
  void anInstallationIsFoundOnTheClassPath() throws Exception {
    Files.createDirectories(home.resolve(".git/refs/heads"));
    Files.writeString(home.resolve(".git/HEAD"), "ref: refs/heads/main\n");
    Files.writeString(home.resolve(".git/refs/heads/main"), "0123456789abcdef\n");
    var found = Installation.find(home, JARS, SPARK);
    assertThat(found.connectorJar()).isEqualTo(JARS.get(1));
    assertThat(found.workloadsJar()).isEqualTo(JARS.get(2));
    assertThat(found.emulatedPfsJar()).isEqualTo(JARS.get(0));
    assertThat(found.ownClassPath()).isEqualTo(JARS);
    assertThat(found.commit()).isEqualTo("0123456789ab");
  }

  @Test
  void sparkIsTheBuiltOneOrElseTheInstalledOne() throws Exception {
    assertThat(Installation.find(home, JARS, SPARK).spark()).isEqualTo(Path.of("/opt/spark/jars"));
    assertThatThrownBy(() -> Installation.find(home, JARS, null))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("set SPARK_HOME");
    Path built = home.resolve("ior-workloads/spark-4.2/target/spark.classpath");
    Files.createDirectories(built.getParent());
    Files.createFile(built);
    assertThat(Installation.find(home, JARS, SPARK).spark()).isEqualTo(built);
  }

  @Test
  void aJarThatIsMissingIsNamed() {
    assertThatThrownBy(() -> Installation.find(home, JARS.subList(0, 2), SPARK))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("eley-workloads-*.jar");
  }

  @Test
  void withoutGitThereIsNoCommit() throws Exception {
    assertThat(Installation.find(home, JARS, SPARK).commit()).isNull();
  }
}
