package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.system.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Intermediate data of `eley sbatch --colocate`, whose hosts have names that others find. */
@Timeout(500)
class ColocatedShuffleTest extends JobSite {
  /** Both of Slurm's hosts are this machine, so whatever lies on nodes lies on a reader's host. */
  @Test
  @InTurn(turn = 0, of = 2)
  void sparkReadsTheFilesOfItsHostByItself() throws Exception {
    environment = List.of("env", "PATH=" + namesOfASite() + ":" + System.getenv("PATH"));
    Path events = open(Files.createDirectory(base.resolve("events")));
    run("chmod", "a+rwx", events.toString());
    String count =
        "SPARK_OPTIONS='--conf spark.eventLog.enabled=true --conf spark.eventLog.compress=false"
            + " --conf spark.eventLog.dir=file:%s' %s && %s status --deployment $ELEY_DEPLOYMENT";
    String command = count.formatted(events, String.join(" ", sparkJob()), eley());
    long job = submit(NOBODY, List.of("--colocate"), "bash", "-c", command);
    slurm.awaitOr(() -> over(job), () -> "the job does not end: " + output(NOBODY, job));

    sameDigest(output(NOBODY, job));
    assertThat(output(NOBODY, job))
        .contains("exit code 0")
        .as("outputs are on nodes")
        .containsPattern("outputs of map tasks: [1-9]\\d* taken, 0 refused");
    assertThat(shuffled(events, "Local Bytes Read")).as("from files").isPositive();
    assertThat(shuffled(events, "Remote Bytes Read")).as("from a service").isZero();
    nothingIsLeftOf(List.of(job));
  }

  /** A directory of a getent to which this machine's name is at no loopback address. */
  private Path namesOfASite() throws IOException {
    Path tools = open(Files.createDirectory(base.resolve("tools")));
    String text =
        """
        #!/bin/bash
        [ "$1" != ahostsv4 ] || { echo '192.0.2.1 STREAM'; exit; }
        exec %s "$@"
        """;
    script(tools.resolve("getent"), text.formatted(SlurmCluster.program("getent").orElseThrow()));
    return tools;
  }

  /** What all tasks of an application have read of shuffles, in bytes, by Spark's own count. */
  private static long shuffled(Path events, String which) throws IOException {
    Pattern bytes = Pattern.compile("\"" + which + "\":(\\d+)");
    long sum = 0;
    try (Stream<Path> files = Files.walk(events)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        sum +=
            Files.readAllLines(file).stream()
                .filter(line -> line.contains("SparkListenerTaskEnd"))
                .map(bytes::matcher)
                .filter(Matcher::find)
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
      }
    }
    return sum;
  }
}
