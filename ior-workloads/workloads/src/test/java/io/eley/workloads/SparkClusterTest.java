package io.eley.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One cluster for everything: it takes ten seconds to start. */
@Tag("spark")
@Timeout(180)
class SparkClusterTest {
  /** System tests run the same against 3.5 by this property. */
  private static final Path CLASS_PATH =
      Path.of(
          System.getProperty("eley.test.spark.classpath", "../spark-4.2/target/spark.classpath"));

  private static final int FILES = 2;
  private static final int FILE_BYTES = 1 << 20;
  private static final int SPLIT_BYTES = 256 << 10;

  @TempDir private Path temp;

  @Test
  void bothWorkloadsComputeWhatAnIndependentCountSays() throws Exception {
    var plan = new RandomTextWriter.Plan(temp.resolve("in"), FILES, FILE_BYTES, 11);
    RandomTextWriter.write(plan, 2, bytes -> {});
    var home = LinkedSparkHome.create(temp.resolve("home"), CLASS_PATH);
    Path jar = ApplicationJar.of(WordCount.class, temp.resolve("jar"));

    assertThat(runLocally(home, jar).digest()).isEqualTo(countOf(plan).toString());

    List<ProcessHandle> processes;
    try (var cluster =
        SparkCluster.start(SparkClusterOptions.small(home, temp.resolve("cluster")))) {
      processes = cluster.processes();
      assertThat(processes).hasSize(3).allMatch(ProcessHandle::isAlive);
      assertThat(Files.getPosixFilePermissions(temp.resolve("cluster/spark.conf"))).hasSize(2);

      var progress = new AtomicInteger();
      var wordCount = run(cluster, Workload.WORD_COUNT, jar, progress);
      assertThat(wordCount.digest()).isEqualTo(countOf(plan).toString());
      assertMapPhase(wordCount);
      assertThat(progress).hasValue(FILES * FILE_BYTES / SPLIT_BYTES);
      assertThat(classesFromTheArchive("executor-0.log")).isGreaterThan(1000);
      assertThat(classesFromTheArchive("executor-1.log")).isGreaterThan(1000);
      assertThat(classesFromTheArchive(masterHelp(home))).isGreaterThan(100);
      assertThat(wordCount.tasks())
          .extracting(WorkloadResult.Task::host)
          .contains("127.0.0.2", "127.0.0.3");

      var sort = run(cluster, Workload.SORT, jar, progress);
      assertThat(sort.digest()).isEqualTo(sortedOf(plan).toString());
      assertMapPhase(sort);
      assertThat(outputLines("Sort")).isSorted().hasSize((int) sortedOf(plan).count());

      failsWithItsLog(cluster, jar);
      isEndedAtItsDeadline(cluster, jar);
    }
    assertThat(processes).noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void aMissingClassPathSaysToBuildFirst() {
    assertThatThrownBy(() -> LinkedSparkHome.create(temp, temp.resolve("none")))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("build the project first");
  }

  @Test
  void anotherClassPathIsNotSpark() throws Exception {
    Path file = temp.resolve("classpath");
    Files.writeString(file, Files.createFile(temp.resolve("a.jar")).toString());
    assertThatThrownBy(() -> LinkedSparkHome.create(temp.resolve("home"), file))
        .isInstanceOf(EleyException.class)
        .hasMessageContaining("not the class path of a Spark");
  }

  @Test
  void theJarsOfAnInstalledSparkMakeAHome() throws Exception {
    Path jars = Files.createDirectory(temp.resolve("jars"));
    Files.createFile(jars.resolve("spark-core_2.13-4.2.0.jar"));
    Files.createFile(jars.resolve("README"));
    var home = LinkedSparkHome.create(temp.resolve("home"), jars);
    assertThat(home.version()).isEqualTo("4.2.0");
    assertThat(temp.resolve("home/jars").toFile().list())
        .containsExactly("spark-core_2.13-4.2.0.jar");
  }

  private WorkloadResult run(
      SparkCluster cluster, Workload workload, Path jar, AtomicInteger progress) throws Exception {
    var application =
        SparkApplication.of(
            workload,
            jar,
            List.of(
                temp.resolve("in").toUri().toString(),
                temp.resolve("out-" + workload.label()).toUri().toString(),
                "4",
                "--partition-bytes=" + SPLIT_BYTES),
            Map.of("spark.executor.extraJavaOptions", loggingClasses(cluster.home())));
    try (var submission =
        SparkSubmission.start(
            cluster,
            application,
            temp.resolve("run-" + workload.label()),
            (done, total) -> progress.set(done))) {
      return submission.await();
    }
  }

  private WorkloadResult runLocally(LinkedSparkHome home, Path jar) throws Exception {
    var application =
        SparkApplication.of(
            Workload.WORD_COUNT,
            jar,
            List.of(
                temp.resolve("in").toUri().toString(),
                temp.resolve("out-local").toUri().toString(),
                "4"),
            Map.of());
    try (var submission =
        SparkSubmission.startLocal(
            home,
            2,
            DataSize.ofMebibytes(512),
            application,
            temp.resolve("run-local"),
            (done, total) -> {})) {
      return submission.await();
    }
  }

  /** What executors start with anyway, and a log of where each class comes from. */
  private String loggingClasses(LinkedSparkHome home) {
    return String.join(" ", home.executorOptions())
        + " -Xlog:class+load:file="
        + temp.resolve("executor-{{EXECUTOR_ID}}.log");
  }

  /** Lets a master load its classes and explain its options. */
  private String masterHelp(LinkedSparkHome home) throws Exception {
    var command =
        new ArrayList<>(
            home.java("256m", List.of())
                .run("org.apache.spark.deploy.master.Master", List.of("--help")));
    command.add(1, "-Xlog:class+load:file=" + temp.resolve("master.log"));
    var master =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("master.out").toFile())
            .start();
    assertThat(master.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return "master.log";
  }

  /** How many were not parsed and verified anew. */
  private long classesFromTheArchive(String log) throws Exception {
    try (var lines = Files.lines(temp.resolve(log))) {
      return lines.filter(line -> line.contains("shared objects file (top)")).count();
    }
  }

  private static void assertMapPhase(WorkloadResult result) {
    assertThat(result.inputBytes()).isEqualTo(FILES * FILE_BYTES);
    assertThat(result.tasks()).hasSize(FILES * FILE_BYTES / SPLIT_BYTES);
    assertThat(result.readBytes()).isGreaterThanOrEqualTo(FILES * FILE_BYTES);
    assertThat(result.mapSeconds()).isPositive().isLessThan(result.totalSeconds());
    assertThat(result.mapEndMillis() - result.mapBeginMillis())
        .isEqualTo(Math.round(result.mapSeconds() * 1000));
  }

  private void failsWithItsLog(SparkCluster cluster, Path jar) throws Exception {
    var application =
        new SparkApplication(
            Workload.WORD_COUNT.mainClass(),
            jar,
            List.of("too", "few"),
            Map.of(),
            List.of(),
            Duration.ofMinutes(1));
    try (var submission =
        SparkSubmission.start(cluster, application, temp.resolve("run-bad"), (done, total) -> {})) {
      assertThatThrownBy(submission::await)
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
          .hasMessageContaining("usage: INPUT-URI");
    }
  }

  private void isEndedAtItsDeadline(SparkCluster cluster, Path jar) throws Exception {
    var application =
        new SparkApplication(
            Workload.WORD_COUNT.mainClass(),
            jar,
            List.of(temp.resolve("in").toString(), temp.resolve("late").toString(), "1"),
            Map.of(),
            List.of(),
            Duration.ofMillis(300));
    try (var submission =
        SparkSubmission.start(
            cluster, application, temp.resolve("run-late"), (done, total) -> {})) {
      assertThatThrownBy(submission::await)
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE));
      assertThat(submission.process().isAlive()).isFalse();
    }
  }

  private List<String> outputLines(String workload) throws Exception {
    var lines = new ArrayList<String>();
    try (var parts = Files.newDirectoryStream(temp.resolve("out-" + workload), "part-*")) {
      var sorted = new ArrayList<Path>();
      parts.forEach(sorted::add);
      sorted.sort(null);
      for (Path part : sorted) {
        lines.addAll(Files.readAllLines(part));
      }
    }
    return lines;
  }

  private static List<String> inputLines(RandomTextWriter.Plan plan) throws Exception {
    var lines = new ArrayList<String>();
    for (int file = 0; file < plan.files(); file++) {
      lines.addAll(Files.readAllLines(plan.file(file), StandardCharsets.US_ASCII));
    }
    return lines;
  }

  private static LineDigest countOf(RandomTextWriter.Plan plan) throws Exception {
    var counts = new TreeMap<String, Long>();
    for (String line : inputLines(plan)) {
      for (String word : line.split(" ", -1)) {
        counts.merge(word, 1L, Long::sum);
      }
    }
    long sum = 0;
    for (var count : counts.entrySet()) {
      sum += LineDigest.ofCount(count.getKey(), count.getValue());
    }
    return new LineDigest(sum, counts.size());
  }

  private static LineDigest sortedOf(RandomTextWriter.Plan plan) throws Exception {
    var lines = inputLines(plan);
    lines.sort(null);
    var digest = LineDigest.EMPTY;
    for (String line : lines) {
      digest = digest.add(line);
    }
    return digest;
  }
}
