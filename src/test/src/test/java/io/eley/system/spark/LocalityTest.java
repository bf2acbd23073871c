package io.eley.system.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.eley.bb.api.BufferMode;
import io.eley.system.Deployments;
import io.eley.system.InTurn;
import io.eley.system.SparkHomes;
import io.eley.workloads.ApplicationJar;
import io.eley.workloads.RandomTextWriter;
import io.eley.workloads.SparkApplication;
import io.eley.workloads.SparkCluster;
import io.eley.workloads.SparkClusterOptions;
import io.eley.workloads.SparkSubmission;
import io.eley.workloads.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real Spark with executors on two hosts and a node on each, or on one of them alone: where its
 * tasks run. The hosts are two loopback addresses, which Spark and placement tell apart; splits are
 * blocks.
 */
@Tag("spark")
@Timeout(300)
class LocalityTest {
  private static final Path ROOT = Path.of(System.getProperty("eley.root"));
  private static final int FILES = 4;
  private static final int FILE_BYTES = 8 << 20;

  @TempDir private Path temp;

  @Test
  @InTurn(turn = 0, of = 2)
  void tasksRunBesideTheirBlocksWhereEachExecutorHasANode() throws Exception {
    Path origin = Files.createDirectory(temp.resolve("origin"));
    RandomTextWriter.write(
        new RandomTextWriter.Plan(origin.resolve("in"), FILES, FILE_BYTES, 7), 2, bytes -> {});
    try (var cluster = startCluster()) {
      Map<String, Long> both = localities(cluster, origin, "both", "127.0.0.2", "127.0.0.3");
      System.out.println("map tasks with a node on each host: " + both);
      long all = both.values().stream().mapToLong(n -> n).sum();
      assertThat(all).isGreaterThanOrEqualTo(FILES * FILE_BYTES / Deployments.GEOMETRY.blockSize());
      assertThat(both.getOrDefault("NODE_LOCAL", 0L)).isGreaterThanOrEqualTo(all * 9 / 10);
      Map<String, Long> one = localities(cluster, origin, "one", "127.0.0.2");
      System.out.println("map tasks with a node on one host: " + one);
      assertThat(one)
          .as("no preference, so no executor idles for the other one's node")
          .containsOnlyKeys("PROCESS_LOCAL");
    }
  }

  /** Then executors list them, which know no executors by themselves. */
  @Test
  @InTurn(turn = 1, of = 2)
  void tasksOfATableOfManyDirectoriesPreferHosts() throws Exception {
    Path origin = Files.createDirectory(temp.resolve("origin"));
    Path programs = ROOT.resolve("spark-connector/target/test-classes");
    Path own = Files.createDirectory(temp.resolve("table"));
    try (var cluster = startCluster();
        var deployment = new Deployments(own, origin, BufferMode.FULL_DELAY)) {
      deployment.startNode("a", "40m", "127.0.0.2");
      deployment.startNode("b", "40m", "127.0.0.3");
      var application =
          new SparkApplication(
              "io.eley.spark.connector.features.PartitionedTable",
              Deployments.connectorJar(),
              List.of("bb:///table", "40"),
              settings(deployment, Files.createDirectory(own.resolve("events"))),
              List.of(Deployments.connectorJar(), programs),
              Duration.ofMinutes(2));
      try (var submission =
          SparkSubmission.start(cluster, application, own.resolve("run"), (done, total) -> {})) {
        String[] found = submission.await().digest().split(" of ", -1);
        assertThat(Integer.parseInt(found[1])).isPositive();
        assertThat(found[0]).as("tasks that prefer a host").isEqualTo(found[1]);
      }
    }
  }

  private SparkCluster startCluster() throws Exception {
    var home = SparkHomes.newest();
    return SparkCluster.start(SparkClusterOptions.small(home, temp.resolve("cluster")));
  }

  /** How many map tasks ran how near to what they were said to prefer. */
  private Map<String, Long> localities(
      SparkCluster cluster, Path origin, String name, String... hosts) throws Exception {
    Path own = Files.createDirectory(temp.resolve(name));
    Path events = Files.createDirectory(own.resolve("events"));
    try (var deployment = new Deployments(own, origin, BufferMode.FULL_DELAY)) {
      for (String host : hosts) {
        deployment.startNode("on-" + host, "40m", host);
      }
      var application =
          new SparkApplication(
              Workload.WORD_COUNT.mainClass(),
              ApplicationJar.of(Workload.class, own.resolve("jar")),
              List.of(
                  "bb:///in",
                  "bb:///out-" + name,
                  "4",
                  "--partition-bytes=" + Deployments.GEOMETRY.blockSize()),
              settings(deployment, events),
              List.of(Deployments.connectorJar()),
              Duration.ofMinutes(2));
      try (var submission =
          SparkSubmission.start(cluster, application, own.resolve("run"), (done, total) -> {})) {
        submission.await();
      }
    }
    return mapTasks(events);
  }

  private static Map<String, String> settings(Deployments deployment, Path events)
      throws Exception {
    var settings = new HashMap<String, String>();
    settings.put("spark.plugins", "io.eley.spark.connector.plan.EleyPlugin");
    settings.put("spark.executor.extraJavaOptions", SparkHomes.newest().quickExecutorOptions());
    settings.put("spark.hadoop.eley.deployment", deployment.deploymentDirectory().toString());
    // On a busy machine nobody falls silent: who has no plan has no place for his tasks.
    settings.putAll(Deployments.PATIENT_CLIENTS);
    // Hosts are named once the executors are known: the driver waits for all of them.
    settings.put("spark.cores.max", "4");
    settings.put("spark.scheduler.minRegisteredResourcesRatio", "1.0");
    settings.put("spark.scheduler.maxRegisteredResourcesWaitingTime", "60s");
    // As long as it takes: on a busy machine a task that is beside its block may last seconds.
    settings.put("spark.locality.wait", "60s");
    settings.put("spark.eventLog.enabled", "true");
    settings.put("spark.eventLog.dir", events.toUri().toString());
    settings.put("spark.eventLog.compress", "false");
    settings.put("spark.eventLog.rolling.enabled", "false");
    return settings;
  }

  private static Map<String, Long> mapTasks(Path events) throws Exception {
    var json = new ObjectMapper();
    try (var files = Files.walk(events)) {
      Path log = files.filter(Files::isRegularFile).findFirst().orElseThrow();
      try (var lines = Files.lines(log)) {
        return lines
            .filter(line -> line.startsWith("{\"Event\":\"SparkListenerTaskEnd\""))
            .map(
                line -> {
                  try {
                    return json.readTree(line);
                  } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                })
            .filter(task -> task.path("Stage ID").asInt() == 0)
            .collect(
                Collectors.groupingBy(
                    task -> task.path("Task Info").path("Locality").asText(),
                    Collectors.counting()));
      }
    }
  }
}
