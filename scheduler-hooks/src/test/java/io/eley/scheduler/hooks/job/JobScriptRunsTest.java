package io.eley.scheduler.hooks.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.config.DataSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The script of a job with Spark and its buffer, run by bash with commands of Slurm, Spark, the JDK
 * and Eley of our own. What a real Slurm makes of it is {@code SparkJobTest}'s.
 */
@Timeout(120)
@Tag("slow")
class JobScriptRunsTest {
  @TempDir private Path temp;
  private @Nullable Process job;

  @BeforeEach
  void surroundings() throws IOException {
    for (String directory : List.of("origin", "ram", "spills", "spark/bin", "java/bin")) {
      Files.createDirectories(temp.resolve(directory));
    }
    Files.createFile(temp.resolve("steps"));
    tool(
        "srun",
        """
        name=step
        while [[ $1 == --* ]]; do case $1 in --job-name=*) name=${1#*=} ;; esac; shift; done
        echo "$$ $name" >>HERE/steps
        SLURMD_NODENAME=n1 SLURM_PROCID=0 exec "$@"
        """);
    tool(
        "squeue",
        """
        case "$*" in *--steps*) while read -r pid name; do
          kill -0 $pid 2>/dev/null && echo "$pid $name"
        done <HERE/steps ;; esac
        """);
    tool("scancel", "kill -TERM ${!#}\n");
    tool("scontrol", "[ $1 != show ] || echo n1\n");
    tool("salloc", "while [ $1 != bash ]; do shift; done; exec \"$@\"\n");
    tool("java/bin/keytool", "exit 0\n");
    tool(
        "spark/bin/spark-class",
        """
        case $1 in
          *.Master) echo spark://n1:1 ;;
          *.Worker)
            stat -c %A "${SPARK_LOCAL_DIRS%/*}" >HERE/place-of-a-worker
            touch HERE/of-an-executor ;;
        esac
        exec sleep 1000
        """);
    tool(
        "eley",
        """
        case $1 in
          coordinator)
            for word in "$@"; do
              case $word in eley.coordinator.directory=*)
                mkdir -p "${word#*=}"; echo 127.0.0.1:1 >"${word#*=}/coordinator.address" ;;
              esac
            done
            exec sleep 1000 ;;
          node) exec sleep 1000 ;;
          await) echo "spark.plugins x" ;;
          summary) echo "as ever" ;;
        esac
        """);
  }

  private void tool(String name, String text) throws IOException {
    Path file = temp.resolve(name);
    Files.writeString(file, "#!/bin/bash\n" + text.replace("HERE", temp.toString()));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  /** Ends when it has ended, with what it has said in {@code job.out}. */
  private void run(boolean terminal, String umask, String command) throws Exception {
    var memory = DataSize.parse("1g");
    var script =
        new JobScript(
            new JobScript.Sizes(1, memory, 1, 1, memory, JobScript.Blocks.ON_SPARKS_HOSTS),
            new SparkShare(memory, 0, 1),
            new JobScript.Places(
                temp.resolve("eley"),
                temp.resolve("origin").toString(),
                temp.resolve("jobs"),
                temp.resolve("spark"),
                temp.resolve("ram"),
                Optional.of(temp.resolve("spills")),
                Optional.empty()),
            BufferMode.FULL_DELAY,
            false,
            60,
            SlurmRequest.of(List.of()),
            Map.of(),
            List.of("bash", "-c", command.replace("HERE", temp.toString())));
    String text = terminal ? script.inATerminal() : script.text();
    Path file = Files.writeString(temp.resolve("job.sh"), text);
    var builder =
        new ProcessBuilder("bash", "-c", "umask " + umask + "; exec bash " + file)
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("job.out").toFile());
    var environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("SLURM_") || name.startsWith("SPARK_"));
    environment.put("PATH", temp + ":" + System.getenv("PATH"));
    environment.put("JAVA_HOME", temp.resolve("java").toString());
    environment.put("SLURM_JOB_ID", "43");
    environment.put("SLURM_JOB_NODELIST", "n1");
    Process started = builder.start();
    job = started;
    assertThat(started.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
    assertThat(Files.readString(temp.resolve("job.out"))).contains("exit code 0");
  }

  @AfterEach
  void end() {
    if (job != null) {
      job.descendants().forEach(ProcessHandle::destroyForcibly);
      job.destroyForcibly();
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
        echo INFO >>"$ELEY_SPARK_LOG"
        stat -c %A "$SPARK_LOCAL_DIRS" >HERE/place-of-the-driver
        """);
    assertThat(mode("of-the-command")).isEqualTo("rw-r-----");
    assertThat(mode("of-an-executor")).isEqualTo("rw-r-----");
    for (String whose : List.of("the-driver", "a-worker")) {
      assertThat(temp.resolve("place-of-" + whose)).hasContent("drwx------");
    }
    assertThat(mode("jobs")).isEqualTo("rwx------");
    assertThat(mode("jobs/spark-43.log")).isEqualTo("rw-------");
    assertThat(mode("jobs/summary-43.txt")).isEqualTo("rw-------");
    assertThat(temp.resolve("jobs/43")).doesNotExist();
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
