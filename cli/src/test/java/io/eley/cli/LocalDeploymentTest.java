package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.process.JavaCommand;
import io.eley.scheduler.hooks.job.ShellScript;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A deployment's whole life through the verbs a person types, with real processes. */
@Tag("system")
@Timeout(120)
class LocalDeploymentTest {
  @TempDir private Path temp;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void startsTellsItsStateHoldsResumesAndLeavesNothing() throws Exception {
    Path origin = Files.createDirectory(temp.resolve("origin"));
    Path ram = Files.createDirectory(temp.resolve("ram"));
    String deployment = temp.resolve("deployment").toString();
    Path lib = Files.createDirectories(temp.resolve("home/cli/target/lib"));
    Files.createFile(lib.resolve("eley-spark-connector-1.jar"));
    System.setProperty("eley.home", temp.resolve("home").toString());
    // A coordinator that was killed could not take its address away.
    Files.setPosixFilePermissions(
        Files.createDirectory(Path.of(deployment)), PosixFilePermissions.fromString("rwx------"));
    Files.writeString(Path.of(deployment, "coordinator.address"), "127.0.0.1:1\n");
    try {
      assertThat(
              run(
                  "start",
                  "--origin",
                  origin.toString(),
                  "--nodes",
                  "2",
                  "--memory",
                  "16m",
                  "--ram-disk",
                  ram.toString(),
                  "-D",
                  "eley.signal.counters=orangefs:" + temp.resolve("nowhere"),
                  "-D",
                  "eley.signal.board=" + temp.resolve("nowhere"),
                  // On a busy machine nodes live and confirm, only later.
                  "-D",
                  "eley.hold.confirmation=10s",
                  "-D",
                  "eley.heartbeat-timeout=30s",
                  "-D",
                  "eley.network.handshake-deadline=60s",
                  "-D",
                  "eley.client.read-ahead=false",
                  "-D",
                  "eley.signal.reads=false",
                  "-d",
                  deployment))
          .as(err.toString())
          .isZero();
      assertThat(err.toString())
          .contains("warning: the source counters sees nothing: ")
          .contains("warning: the source board sees nothing: no board is published in ");
      assertThat(out.toString())
          .contains("spark.plugins=io.eley.spark.connector.plan.EleyPlugin")
          .contains("spark.hadoop.eley.deployment=" + deployment)
          .contains("See it live: the URL in " + Path.of(deployment, "live.url"))
          .as("where others may read what is printed")
          .doesNotContain("token=");
      assertThat(Files.getPosixFilePermissions(Path.of(deployment, "secret"))).hasSize(2);

      assertThat(run("start", "--origin", origin.toString(), "-d", deployment)).isEqualTo(1);
      assertThat(err.toString()).contains("runs in " + deployment + " already");
      err.getBuffer().setLength(0);
      assertThat(run("run", "--origin", origin.toString(), "-d", deployment, "--", "true"))
          .isEqualTo(1);
      assertThat(err.toString()).contains("runs in " + deployment + " already");

      assertThat(run("status", "-d", deployment)).isZero();
      assertThat(out.toString())
          .contains("FullDelay over", "nobody can see phases that are not announced", "open");

      assertThat(
              run("await", "--nodes", "4", "--names", "n8,n9", "--timeout", "5s", "-d", deployment))
          .isEqualTo(1);
      assertThat(err.toString()).contains("2 of 4 nodes have registered; missing: n8, n9");

      // As python/ asks, and whoever has not seen what the start printed.
      assertThat(run("await", "--nodes", "2", "--spark-conf", "-d", deployment))
          .as(err.toString())
          .isZero();
      assertThat(out.toString()).contains("\nspark.hadoop.eley.client.read-ahead false\n");

      Path in = Files.createDirectory(origin.resolve("in"));
      Files.write(in.resolve("part-0"), new byte[3 << 20]);
      Files.write(in.resolve("part-1"), new byte[2 << 20]);
      Files.write(in.resolve("_part-2"), new byte[1 << 20]);
      assertThat(run("stage-in", "--leave", "in/*", "-d", deployment)).as(err.toString()).isZero();
      assertThat(out.toString()).contains("staged 5m of 5m in 2 files");
      assertThat(run("stage-in", "--leave", origin + "/in/part-1", "-d", deployment)).isZero();
      assertThat(out.toString()).contains("staged 2m of 2m in 1 file");
      assertThat(run("stage-in", "none/*", "-d", deployment)).isEqualTo(1);
      assertThat(err.toString()).contains("no file below", "matches none/*");

      Files.write(in.resolve("late"), new byte[3 << 20]);
      stagingIsOneLineOfATerminal(deployment);
      aCoordinatorThatIsKilledComesBack(deployment);
      assertThat(run("phase", "begin", "--app", "climate", "-d", deployment)).isZero();
      assertThat(out.toString()).contains("2 of 2 nodes confirmed");
      assertThat(run("status", "-d", deployment)).isZero();
      assertThat(out.toString()).contains("phases open: climate");
      // One picture, as to a pipe.
      assertThat(run("top", "--once", "-d", deployment)).as(err.toString()).isZero();
      assertThat(out.toString()).contains("in a phase: climate; prefetching is held", "NODE");
      assertThat(out.toString()).as("commands that ask this deployment").contains("phase run -d /");
      assertThat(run("phase", "end", "--app", "climate", "-d", deployment)).isZero();
      assertThat(out.toString()).endsWith("phase of climate is over\n");
      assertThat(run("phase", "end", "--app", "climate", "-d", deployment)).isZero();
      assertThat(out.toString())
          .endsWith(
              "phase of climate was not open as an announced one; `eley phase list -d "
                  + deployment
                  + "` shows who says so\n");
      aPhaseIsAsLongAsItsCommand(deployment);
      anIorLoadAnnouncesItsPhases(deployment, origin.resolve("testfile").toString());
    } finally {
      System.clearProperty("eley.home");
      assertThat(run("stop", "-d", deployment)).isZero();
    }
    assertThat(out.toString()).contains("stopped 4 processes");
    assertThat(ram).isEmptyDirectory();
    assertThat(Path.of(deployment, "coordinator.address")).doesNotExist();
  }

  private void aCoordinatorThatIsKilledComesBack(String deployment) throws Exception {
    String noted = Files.readString(Path.of(deployment, "coordinator.pid"));
    long pid = Long.parseLong(noted.substring(0, noted.indexOf(' ')));
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    await()
        .atMost(30, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              assertThat(Files.readString(Path.of(deployment, "coordinator.pid")))
                  .isNotEqualTo(noted);
              assertThat(run("await", "--nodes", "2", "--timeout", "5s", "-d", deployment))
                  .isZero();
            });
  }

  private void stagingIsOneLineOfATerminal(String deployment) throws Exception {
    if (!Files.isExecutable(Path.of("/usr/bin/script"))) {
      return; // as on the smallest of systems
    }
    String command =
        JavaCommand.ofThisJvm()
            .serialCollector()
            .quickStart()
            .classPathOfThisJvm()
            .run(Main.class.getName(), List.of("stage-in", "--leave", "in/late", "-d", deployment))
            .stream()
            .map(ShellScript::quoted)
            .collect(Collectors.joining(" "));
    Path shown = temp.resolve("shown");
    assertThat(run("phase", "begin", "--app", "calm", "-d", deployment)).isZero();
    Process script =
        new ProcessBuilder("script", "-q", "-f", "-e", "-c", command, "/dev/null")
            .redirectErrorStream(true)
            .redirectOutput(shown.toFile())
            .start();
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> Files.readString(shown).contains("staging") || !script.isAlive());
    assertThat(run("phase", "end", "--app", "calm", "-d", deployment)).isZero();
    assertThat(script.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(shown))
        .contains("\r\u001b[Kstaging 0 of 3m in 1 file, held for the I/O of others")
        .endsWith("\r\u001b[Kstaged 3m of 3m in 1 file\r\n")
        .doesNotContain("\\x");
  }

  private void anIorLoadAnnouncesItsPhases(String deployment, String file) {
    assertThat(
            run(
                "ior",
                "-w",
                "-q",
                "-b",
                "256k",
                "-t",
                "64k",
                "-i",
                "2",
                "-o",
                file,
                "--announce",
                deployment,
                "--announce-wait",
                "--app",
                "load"))
        .as(err.toString())
        .isZero();
    await()
        .untilAsserted(
            () -> {
              out.getBuffer().setLength(0);
              assertThat(run("ledger", "--app", "load", "-d", deployment)).isZero();
              assertThat(out.toString().lines().filter(l -> l.contains("full delay for load")))
                  .hasSize(2)
                  .allMatch(l -> l.contains("2/2"));
            });
  }

  private void aPhaseIsAsLongAsItsCommand(String deployment) throws Exception {
    Path pipe = temp.resolve("pipe");
    String command = String.format(Locale.ROOT, "mkfifo %1$s; cat %1$s >/dev/null; exit 3", pipe);
    var code =
        CompletableFuture.supplyAsync(
            () ->
                run("phase", "run", "--app", "model", "-d", deployment, "--", "sh", "-c", command));
    await().until(() -> Files.exists(pipe));
    assertThat(run("status", "-d", deployment)).isZero();
    assertThat(out.toString()).contains("phases open: model").contains("full delay for model");
    Files.writeString(pipe, "go on\n", StandardOpenOption.WRITE);
    assertThat(code.get(30, TimeUnit.SECONDS)).isEqualTo(3);
    out.getBuffer().setLength(0);
    assertThat(run("status", "-d", deployment)).isZero();
    assertThat(out.toString()).contains("phases open: none");
    assertThat(run("why", "-d", deployment)).isZero();
    assertThat(out.toString()).contains("Prefetching goes on, but nobody can see phases");
    await()
        .untilAsserted(
            () -> {
              out.getBuffer().setLength(0);
              assertThat(run("ledger", "--app", "model", "-d", deployment)).isZero();
              assertThat(out.toString()).contains("full delay for model").contains("2/2");
            });
    assertThat(run("ledger", "--format", "json", "-d", deployment)).isZero();
    assertThat(out.toString()).contains("\"application\" : \"climate\"");
    assertThat(run("ledger", "--format", "csv", "--last", "1", "-d", deployment)).isZero();
    assertThat(out.toString()).contains("application,source,began");
  }

  @Test
  void aDeploymentAsLongAsACommand() throws Exception {
    Path origin = Files.createDirectory(temp.resolve("origin"));
    Path ram = Files.createDirectory(temp.resolve("ram"));
    Path lib = Files.createDirectories(temp.resolve("home/cli/target/lib"));
    Files.createFile(lib.resolve("eley-spark-connector-1.jar"));
    Path deployment = temp.resolve("deployment");
    System.setProperty("eley.home", temp.resolve("home").toString());
    String script = "cp $SPARK_CONF_DIR/spark-defaults.conf " + temp + "/seen; exit 9";
    try {
      assertThat(
              run(
                  "run",
                  "--origin",
                  origin.toString(),
                  "--nodes",
                  "1",
                  "--memory",
                  "16m",
                  "--ram-disk",
                  ram.toString(),
                  "--no-scratch",
                  "-d",
                  deployment.toString(),
                  "--",
                  "sh",
                  "-c",
                  script))
          .as(err.toString())
          .isEqualTo(9);
    } finally {
      System.clearProperty("eley.home");
    }
    assertThat(Files.readString(temp.resolve("seen")))
        .contains("spark.plugins io.eley.spark.connector.plan.EleyPlugin")
        .contains("spark.hadoop.eley.deployment " + deployment)
        .contains("spark.hadoop.eley.client.origin " + origin);
    assertThat(err.toString()).contains("eley: nothing was read through the buffer");
    assertThat(out.toString()).isEmpty();
    assertThat(ram).isEmptyDirectory();
    assertThat(deployment.resolve("coordinator.address")).doesNotExist();
    try (var left = Files.list(deployment)) {
      assertThat(left).noneMatch(file -> file.getFileName().toString().startsWith("spark-conf"));
    }
  }

  @Test
  void aCommandRunsWithoutACoordinatorToo() {
    String nowhere = temp.resolve("nowhere").toString();
    assertThat(run("phase", "run", "-d", nowhere, "--", "sh", "-c", "exit 5")).isEqualTo(5);
    assertThat(err.toString()).contains("the command runs anyway").doesNotContain("\tat ");
    assertThat(run("phase", "run", "-d", nowhere, "--", temp + "/no such command")).isEqualTo(127);
    assertThat(err.toString()).contains("/no such command: No such file");
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
