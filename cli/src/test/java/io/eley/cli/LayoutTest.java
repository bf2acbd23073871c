package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A checkout that was built, and the archive of a site. */
class LayoutTest {
  @TempDir private Path home;
  private Layout layout;

  @BeforeEach
  void layout() {
    layout = new Layout(home);
  }

  private Path file(String path) throws IOException {
    Path file = home.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.createFile(file);
  }

  @Test
  void aCheckoutHasItsLauncherAtTheRootAndItsJarsInTheBuild() throws Exception {
    Path jar = file("cli/target/lib/eley-spark-connector-1.jar");
    file("cli/target/lib/notes.txt");
    assertThat(layout.launcher()).isEqualTo(home.resolve("eley"));
    assertThat(layout.connectorJar()).isEqualTo(jar);
  }

  @Test
  void anArchiveHasThemInBinAndLib() throws Exception {
    file("cli/target/lib/eley-spark-connector-0.jar");
    Path jar = file("lib/eley-spark-connector-1.jar");
    Path launcher = file("bin/eley");
    assertThat(layout.launcher()).as("not executable").isEqualTo(home.resolve("eley"));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
    assertThat(layout.launcher()).isEqualTo(launcher);
    assertThat(layout.connectorJar()).isEqualTo(jar);
  }

  @Test
  void whatWasNotBuiltIsSaid() throws Exception {
    assertThatThrownBy(layout::connectorJar)
        .hasMessage("nothing is built in " + home + "/cli/target/lib; start through ./eley");
    file("lib/other.jar");
    assertThatThrownBy(layout::connectorJar)
        .hasMessage("no eley-spark-connector-*.jar in " + home + "/lib; build the project first");
  }
}
