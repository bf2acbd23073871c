package io.eley.system.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.ReadCause;
import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.wire.DeploymentReport;
import io.eley.spark.connector.fs.BbFileSystem;
import io.eley.spark.connector.fs.SharedClients;
import io.eley.system.EleyCommand;
import io.eley.system.EleyCommand.Ended;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** {@code eley start --engine alluxio} over a master and two workers of Alluxio, in processes. */
@EnabledIfSystemProperty(named = RealAlluxio.WANTED, matches = "true")
@Timeout(400)
class AlluxioProcessesTest {
  private static final int BLOCK = 4 << 20;
  private static final int LENGTH = 3 * BLOCK + 5;

  @TempDir private Path temp;
  private Path origin;
  private RealAlluxio alluxio;
  private URLClassLoader classes;

  @BeforeEach
  void startAlluxio() throws Exception {
    origin = Files.createDirectory(temp.resolve("origin"));
    alluxio = new RealAlluxio(temp.resolve("alluxio"), origin, 2, "64m", "4m");
    var jars = new ArrayList<URL>();
    try (var client = Files.newDirectoryStream(RealAlluxio.client(), "*.jar")) {
      for (Path jar : client) {
        jars.add(jar.toUri().toURL());
      }
    }
    classes = new URLClassLoader(jars.toArray(URL[]::new), getClass().getClassLoader());
  }

  @AfterEach
  void stopAll() throws Exception {
    if (Files.exists(temp.resolve("d"))) {
      assertThat(EleyCommand.run(temp, "stop", "-d", temp + "/d").code()).isZero();
    }
    alluxio.close();
    classes.close();
  }

  @Test
  void tasksReadBlocksFromAlluxioAndOthersWhenItIsGone() throws Exception {
    byte[] first = file("first", 1);
    byte[] second = file("second", 2);
    byte[] third = file("third", 3);
    Ended started = start(origin, "32m");
    assertThat(started.code()).as(started.text()).isZero();
    assertThat(started.text()).contains("alluxio-2.9/target/client/*");
    awaitNodes();

    Map<Source, Long> read = read("first", first);
    assertThat(read).containsEntry(Source.REMOTE_RAM, (long) LENGTH);
    assertThat(read).containsEntry(Source.FALLBACK, 0L);
    await()
        .untilAsserted(
            () -> {
              DeploymentReport report = report();
              assertThat(report.originBytes()).containsEntry(ReadCause.DEMAND, (long) LENGTH);
            });
    assertThat(read("first", first)).containsEntry(Source.REMOTE_RAM, (long) LENGTH);
    assertThat(report().originBytes()).containsEntry(ReadCause.DEMAND, (long) LENGTH);

    alluxio.kill(1);
    assertThat(read("second", second).get(Source.FALLBACK)).isPositive();
    alluxio.kill(0);
    assertThat(read("third", third)).containsEntry(Source.FALLBACK, (long) LENGTH);
  }

  @Test
  void whatCannotBeServedIsToldInOneLineBeforeAnythingStarts() throws Exception {
    Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
    assertRefused(start(elsewhere, "32m"), "Alluxio has not mounted " + elsewhere);
    assertRefused(start(origin, "1g"), "less than --memory 1g");
    assertRefused(start(origin, "32m", "--nodes", "2"), "--nodes goes with our own nodes");
    alluxio.kill(1);
    alluxio.kill(2);
    assertRefused(start(origin, "32m"), "has no workers");
    alluxio.kill(0);
    assertRefused(start(origin, "32m"), "no Alluxio master answers at " + alluxio.master());
  }

  private void assertRefused(Ended refused, String why) {
    assertThat(refused.code()).as(refused.text()).isIn(1, 2);
    assertThat(refused.text()).contains(why);
    assertThat(refused.text().lines().filter(line -> line.startsWith("eley")))
        .as(refused.text())
        .hasSize(1);
    assertThat(temp.resolve("d")).doesNotExist();
  }

  private byte[] file(String name, int seed) throws Exception {
    var content = new byte[LENGTH];
    new Random(seed).nextBytes(content);
    Files.write(origin.resolve(name), content);
    return content;
  }

  private Ended start(Path from, String memory, String... more) throws Exception {
    var words =
        new ArrayList<>(
            List.of("start", "-d", temp + "/d", "--origin", from.toString(), "--engine"));
    words.addAll(List.of("alluxio", "--alluxio-master", alluxio.master()));
    words.addAll(List.of("--alluxio-client", RealAlluxio.client().toString()));
    words.addAll(List.of("--memory", memory, "--no-scratch", "--ram-disk", temp.toString()));
    words.addAll(List.of("--port", "0"));
    words.addAll(List.of(more));
    return EleyCommand.run(temp, words.toArray(String[]::new));
  }

  private void awaitNodes() {
    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(
            () -> {
              for (int i = 1; i <= 2; i++) {
                assertThat(Files.readString(temp.resolve("d/logs/node-" + i + ".log")))
                    .contains("has joined in the view");
              }
            });
  }

  private Configuration conf() {
    var conf = new Configuration();
    conf.setClassLoader(classes);
    conf.set("eley.deployment", temp.resolve("d").toString());
    // On a busy machine a coordinator that is slow to answer is no coordinator that is away.
    conf.set("eley.client.connect-timeout", "20s");
    conf.set("eley.client.silence", "10s");
    return conf;
  }

  /** Reads it all as a task does, and says where it came from. */
  private Map<Source, Long> read(String name, byte[] content) throws Exception {
    Thread.currentThread().setContextClassLoader(classes);
    try (var fs = new BbFileSystem()) {
      fs.initialize(URI.create("bb:///"), conf());
      try (var in = fs.open(new org.apache.hadoop.fs.Path("bb:///" + name))) {
        assertThat(in.readAllBytes()).isEqualTo(content);
      }
      return Map.of(
          Source.REMOTE_RAM, SharedClients.bytes(Source.REMOTE_RAM),
          Source.FALLBACK, SharedClients.bytes(Source.FALLBACK));
    } finally {
      Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
    }
  }

  private DeploymentReport report() throws Exception {
    Map<String, String> settings =
        Map.of(
            "eley.deployment", temp.resolve("d").toString(),
            "eley.client.connect-timeout", "20s",
            "eley.client.silence", "10s");
    try (var client = EleyClient.open(ClientOptions.from(Settings.of(settings)))) {
      return client.coordinator().orElseThrow().report();
    }
  }
}
