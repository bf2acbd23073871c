package io.eley.system.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.system.spark.ConnectQueries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** {@code eley sbatch --connect}: a server of Spark Connect in a job, for its user alone. */
@Timeout(600)
@EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
class ConnectTest extends JobSite {
  private static final Pattern WHERE = Pattern.compile("-L 15002:localhost:(\\d+) ");

  private long connect(String sparkHome) throws Exception {
    return submit(NOBODY, List.of("--connect", "--spark-home=" + sparkHome));
  }

  @Test
  void whoHasTheTokenIsAnsweredThroughTheBuffer() throws Exception {
    Path home = Files.createDirectory(base.resolve("spark-connect"));
    spark(home, "spark-connect-4.2");
    run("chmod", "-R", "a+rX", home.toString());
    long job = connect(home.toString());
    slurm.await(
        () -> output(NOBODY, job).contains("builder.remote(") || over(job), "no server: " + job);
    String said = output(NOBODY, job);
    Matcher where = WHERE.matcher(said);
    assertThat(where.find()).as(said).isTrue();
    Path file = jobs(NOBODY).resolve(job + "/conf/connect.token");
    assertThat(said).contains("SPARK_CONNECT_AUTHENTICATE_TOKEN=$(cat " + file + ")");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(as(GAMES, "cat", file.toString())).contains("Permission denied");
    String token = Files.readString(file).strip();
    assertThat(token).matches("[0-9a-f]{64}");
    assertThat(said + sparkLog(job)).as("what is logged").doesNotContain(token);

    String server = "sc://localhost:" + where.group(1);
    Path scratch = Files.createDirectory(base.resolve("client"));
    var asked =
        ConnectQueries.ask(
            scratch, server + "/;token=" + token, Map.of(), "file://" + origin + "/in", "bb:///in");
    assertThat(asked.status()).as(asked.errors()).isZero();
    assertThat(asked.lines()).hasSize(2);
    assertThat(asked.lines().get(1)).isEqualTo(asked.lines().get(0));
    for (String other : List.of(server, server + "/;token=" + "0".repeat(64))) {
      var refused = ConnectQueries.ask(scratch, other, Map.of(), "bb:///in");
      assertThat(refused.status()).as("without the token").isNotZero();
      assertThat(refused.lines()).isEmpty();
      assertThat(refused.errors()).contains("UNAUTHENTICATED");
    }
    assertThat(as(NOBODY, eley(), "apps", "" + job)).contains("Spark Connect");
    assertThat(as(NOBODY, eley(), "stop", "" + job)).isEqualTo("stopped job " + job + "\n");
    nothingIsLeftOf(List.of(job));
    slurm.await(() -> !Files.exists(file), "the token is left");
  }

  @Test
  void aSparkWithoutAServerThatWantsATokenIsRefused() throws Exception {
    long job = connect(site.resolve("spark").toString());
    slurm.await(() -> over(job), "does not end");
    assertThat(output(NOBODY, job))
        .contains("has no server of Spark Connect that wants a token")
        .doesNotContain("ready after");
  }
}
