package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.process.JavaCommand;
import io.eley.local.deployment.LocalDeployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a verb does with what a process alone has: a umask. */
@Tag("system")
@Timeout(120)
class VerbsAsProcessesTest {
  @TempDir private Path temp;
  private Path ram;
  private DeploymentFiles deployment;
  private @Nullable Process started;

  @BeforeEach
  void places() throws Exception {
    Files.createDirectory(temp.resolve("origin"));
    ram = Files.createDirectory(temp.resolve("ram"));
    deployment = new DeploymentFiles(temp.resolve("deployment"));
    Path lib = Files.createDirectories(temp.resolve("cli/target/lib"));
    Files.createFile(lib.resolve("eley-spark-connector-1.jar"));
  }

  @AfterEach
  void stop() throws Exception {
    if (started != null) {
      started.destroyForcibly().waitFor();
    }
    LocalDeployment.stop(deployment, Duration.ofSeconds(15));
  }

  /** A command line as a process of its own, which says everything into one file. */
  private Process eley(String umask, List<String> words) throws IOException {
    var command = new ArrayList<>(List.of("sh", "-c", "umask " + umask + "; exec \"$@\"", "sh"));
    command.addAll(
        JavaCommand.ofThisJvm()
            .serialCollector()
            .quickStart()
            .property("eley.home", temp.toString())
            .classPathOfThisJvm()
            .run(Main.class.getName(), words));
    started =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("said").toFile())
            .start();
    return started;
  }

  private static int code(Process process) throws InterruptedException {
    assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  private String said() throws IOException {
    return Files.readString(temp.resolve("said"));
  }

  /** A verb, and the options of the smallest deployment. */
  private List<String> words(String verb) {
    return List.of(
        verb,
        "--origin=" + temp.resolve("origin"),
        "--nodes=1",
        "--memory=16m",
        "--ram-disk=" + ram,
        "--no-scratch",
        "--deployment=" + deployment.directory());
  }

  @Test
  void aUmaskThatLeavesTheGroupItsRightsIsNoObstacle() throws Exception {
    Process start = eley("002", words("start"));
    assertThat(code(start)).as(said()).isZero();
    assertThat(Files.getPosixFilePermissions(deployment.log("node-1")))
        .as("this is such a umask")
        .isEqualTo(PosixFilePermissions.fromString("rw-rw-r--"));
    String place = deployment.directory().toString();
    assertThat(Eley.run("status", "-d", place).code()).isZero();
    Eley stop = Eley.run("stop", "-d", place);
    assertThat(stop.out()).as(stop.err()).contains("stopped 3 processes");
    assertThat(ram).isEmptyDirectory();
  }
}
