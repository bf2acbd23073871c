package io.eley.system.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.BufferMode;
import io.eley.system.Deployments;
import io.eley.workloads.ApplicationJar;
import io.eley.workloads.LinkedSparkHome;
import io.eley.workloads.RandomTextWriter;
import io.eley.workloads.SparkApplication;
import io.eley.workloads.SparkCluster;
import io.eley.workloads.SparkClusterOptions;
import io.eley.workloads.SparkSubmission;
import io.eley.workloads.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The connector by its Maven coordinates, as {@code spark-submit --packages} fetches it: from a
 * repository, with nothing else, on driver and executors whose class paths do not name it.
 */
@Tag("spark")
@Timeout(300)
class PackagesTest {
  private static final Path MODULE =
      Path.of(System.getProperty("eley.root"), "spark-connector", "target");
  private static final int INPUT_BYTES = 8 << 20;

  @TempDir private Path temp;

  /** What is published names nobody who would have to be fetched, too. */
  @Test
  void thePublishedPomHasNoParentAndNoDependency() throws Exception {
    assertThat(Files.readString(MODULE.resolve("published.pom")))
        .contains("<groupId>io.eley</groupId>", "<artifactId>eley-spark-connector</artifactId>")
        .contains("<license>")
        .doesNotContain("<dependency>", "<parent>", "<repository>", "${");
  }

  /** Spark asks its other repositories, too, so this is no test for every build. */
  @ParameterizedTest
  @ValueSource(strings = {"4.2", "3.5"})
  @EnabledIfSystemProperty(named = "eley.test.packages", matches = "true")
  void anApplicationThatNamesTheCoordinatesReadsThroughTheBuffer(String spark) throws Exception {
    Path jar = Deployments.connectorJar();
    String version = jar.getFileName().toString().replaceAll("^eley-spark-connector-|\\.jar$", "");
    Path repository = temp.resolve("repository");
    Path place = repository.resolve("io/eley/eley-spark-connector/" + version);
    Files.createDirectories(place);
    Files.copy(jar, place.resolve(jar.getFileName()));
    Files.copy(
        MODULE.resolve("published.pom"),
        place.resolve(jar.getFileName().toString().replaceFirst("jar$", "pom")));

    Path origin = Files.createDirectory(temp.resolve("origin"));
    RandomTextWriter.write(
        new RandomTextWriter.Plan(origin.resolve("in"), 1, INPUT_BYTES, 7), 1, bytes -> {});
    Path classPath =
        Path.of(
            System.getProperty("eley.root"),
            "ior-workloads/spark-" + spark + "/target/spark.classpath");
    var home = LinkedSparkHome.create(temp.resolve("home"), classPath);
    try (var deployment =
            new Deployments(
                Files.createDirectory(temp.resolve("own")), origin, BufferMode.FULL_DELAY);
        var cluster =
            SparkCluster.start(SparkClusterOptions.small(home, temp.resolve("cluster")))) {
      deployment.startNode("a", "6m");
      var application =
          new SparkApplication(
              Workload.WORD_COUNT.mainClass(),
              ApplicationJar.of(Workload.class, temp.resolve("jar")),
              List.of("bb:///in", "bb:///out", "2", "--partition-bytes=" + (1 << 20)),
              Map.of(
                  "spark.plugins", "io.eley.spark.connector.plan.EleyPlugin",
                  "spark.jars.packages", "io.eley:eley-spark-connector:" + version,
                  "spark.jars.repositories", repository.toUri().toString(),
                  "spark.jars.ivy", temp.resolve("ivy").toString(),
                  "spark.hadoop.eley.deployment", deployment.deploymentDirectory().toString()),
              List.of(),
              Duration.ofMinutes(4));
      Path run = temp.resolve("run");
      try (var submission = SparkSubmission.start(cluster, application, run, (done, all) -> {})) {
        assertThat(submission.await().inputBytes()).isEqualTo(INPUT_BYTES);
      }
      assertThat(Files.readString(run.resolve("driver.log")))
          .contains("MiB were read through Eley");
    }
    try (var fetched = Files.list(temp.resolve("ivy/jars"))) {
      assertThat(fetched.map(f -> f.getFileName().toString()))
          .containsExactly("io.eley_eley-spark-connector-" + version + ".jar");
    }
  }
}
