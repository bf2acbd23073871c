package io.eley.system.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.config.DeploymentFiles;
import io.eley.local.deployment.LocalDeployment;
import io.eley.system.EleyCommand;
import io.eley.test.fixtures.LiveTree;
import io.eley.workloads.WorkloadResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job that shuffles on and on while the processes of {@code eley start} are killed outright, with
 * KILL, at random moments: nodes, and Spark's shuffle services below them. {@code
 * -Deley.test.kills=200} for more of them.
 */
@Tag("spark")
@Timeout(3600)
class ShuffleKillsTest {
  private static final int KILLS = 5;

  /** Map tasks of one turn, which has two shuffles. */
  private static final int MAPS_A_TURN = 16;

  private static final List<String> NODES = List.of("node-1", "node-2");

  @TempDir private Path temp;
  private DeploymentFiles files;
  private Path ramDisk;
  private ShuffleClusters clusters;

  @BeforeEach
  void begin() throws Exception {
    clusters = new ShuffleClusters(temp);
    clusters.start(ShuffleClusters.NEWEST);
    files = new DeploymentFiles(temp.resolve("d"));
    ramDisk = Files.createDirectory(temp.resolve("ram"));
    String origin = Files.createDirectory(temp.resolve("origin")).toString();
    var started =
        eley(
            "start",
            "--origin",
            origin,
            "--nodes",
            "2",
            "--memory",
            "64m",
            "--ram-disk",
            ramDisk.toString(),
            "--port",
            "0",
            "--spark-home",
            clusters.home(ShuffleClusters.NEWEST));
    assertThat(started.code()).as(started.text()).isZero();
  }

  @AfterEach
  void end() throws Exception {
    clusters.close();
    assertThat(eley("stop").code()).isZero();
  }

  private EleyCommand.Ended eley(String verb, String... more) throws Exception {
    var words = Stream.concat(Stream.of(verb, "-d", temp + "/d"), Stream.of(more));
    return EleyCommand.run(temp, words.toArray(String[]::new));
  }

  @Test
  void aJobGoesOnWhateverIsKilled() throws Exception {
    Path seen = Files.createDirectory(temp.resolve("seen"));
    long seed = Long.getLong("eley.test.seed", Long.getLong("eley.test.base", System.nanoTime()));
    var random = new Random(seed);
    boolean given = random.nextBoolean();
    System.out.printf(
        "seed of kills (-Deley.test.seed=...): %d, outputs are %s%n",
        seed, given ? "given" : "sent");
    int kills = Integer.getInteger("eley.test.kills", KILLS);
    int nodes = 0;
    try (var submission =
        clusters.submit(
            ShuffleClusters.NEWEST,
            temp.resolve("run"),
            List.of("loop", seen.toString()),
            settings(given),
            Duration.ofMinutes(15 + kills))) {
      awaitTurns(seen, 1);
      for (int i = 0; i < kills; i++) {
        int turns = turns(seen);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1500)));
        String node = NODES.get(random.nextInt(NODES.size()));
        // The first is a node in any case: it is what is asked for.
        if (i == 0 || random.nextInt(2) == 0) {
          nodes++;
          killAndAwaitAnother(node);
        } else {
          services(node).stream().findFirst().ifPresent(ProcessHandle::destroyForcibly);
        }
        // At most one in a turn: Spark gives a stage up that fails four times in a row.
        awaitTurns(seen, turns + 2);
      }
      Files.createFile(seen.resolve("stop"));
      WorkloadResult result = submission.await();
      assertThat(result.digest()).startsWith("{loop=");
      long again = result.inputBytes() - (long) MAPS_A_TURN * turns(seen);
      System.out.printf(
          "%d kills, %d of them nodes, in %d turns: %d maps again%n",
          kills, nodes, turns(seen), again);
      assertThat(again).as("maps again").isBetween(0L, (long) MAPS_A_TURN * kills);
    }
    assertNothingLeft();
  }

  /** A node that is killed has part of an output that is sent, or files that it was given. */
  private Map<String, String> settings(boolean given) {
    var settings = new HashMap<>(ShuffleClusters.buffered(files.directory()));
    settings.put("spark.hadoop.eley.client.local", Boolean.toString(given));
    return settings;
  }

  /** Whose supervisor starts it again. */
  private void killAndAwaitAnother(String node) throws Exception {
    ProcessHandle killed = LocalDeployment.running(files, node).orElseThrow();
    killed.destroyForcibly();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                LocalDeployment.running(files, node)
                    .filter(another -> another.pid() != killed.pid())
                    .isPresent());
  }

  private List<ProcessHandle> services(String node) throws Exception {
    return LocalDeployment.running(files, node).stream()
        .flatMap(ProcessHandle::children)
        .filter(ShuffleKillsTest::isService)
        .toList();
  }

  private static boolean isService(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains("ExternalShuffleService");
  }

  private static void awaitTurns(Path seen, int turns) {
    await().atMost(Duration.ofMinutes(3)).until(() -> turns(seen) >= turns);
  }

  private static int turns(Path seen) throws IOException {
    try (Stream<Path> files = Files.list(seen)) {
      return (int) files.filter(file -> !file.endsWith("stop")).count();
    }
  }

  /** No output when the driver has ended, and no process or directory when Eley has. */
  private void assertNothingLeft() throws Exception {
    await().atMost(Duration.ofMinutes(1)).until(() -> outputs() == 0);
    assertThat(eley("stop").code()).isZero();
    try (Stream<Path> left = Files.list(ramDisk)) {
      assertThat(left).isEmpty();
    }
    String ours = temp.toString();
    await()
        .until(
            () ->
                ProcessHandle.allProcesses()
                    .filter(ShuffleKillsTest::isService)
                    .noneMatch(p -> p.info().commandLine().orElse("").contains(ours)));
  }

  private long outputs() throws IOException {
    return LiveTree.files(ramDisk).stream()
        .filter(file -> file.toString().endsWith(".index"))
        .count();
  }
}
