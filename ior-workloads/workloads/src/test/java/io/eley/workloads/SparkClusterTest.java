package io.eley.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One cluster for everything: it takes ten seconds to start. */
@Tag("spark")
@Timeout(600)
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

      var scan = run(cluster, Workload.SCAN, jar, progress);
      assertThat(scan.digest()).isEqualTo(foundIn(plan).toString());
      assertMapPhase(scan);
      assertThat(outputLines("Scan")).containsExactly(scan.digest());

      webPagesOpenToTheCertificateAlone();

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

  /** A worker's page shows what executors print: any user of the cluster could read it. */
  private void webPagesOpenToTheCertificateAlone() throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    var conf = new Properties();
    try (var in = Files.newBufferedReader(temp.resolve("cluster/spark.conf"))) {
      conf.load(in);
    }
    char[] password = conf.getProperty("spark.ssl.standalone.keyStorePassword").toCharArray();
    try (var in = Files.newInputStream(temp.resolve("cluster/web.p12"))) {
      store.load(in, password);
    }
    for (String process : List.of("master", "worker-127.0.0.2", "worker-127.0.0.3")) {
      String log = Files.readString(temp.resolve("cluster/" + process + ".log"));
      String host = process.equals("master") ? "127.0.0.1" : process.substring("worker-".length());
      String page = "https://" + host + ":" + port(log, "UI (HTTPS)") + "/json/";
      assertThat(client(store, password).send(get(page), BodyHandlers.ofString()).body())
          .as("with the certificate")
          .contains("\"cores\"");
      for (String path : List.of("/json/", "/", "/logPage/?appId=a&executorId=0&logType=stdout")) {
        assertThatThrownBy(
                () ->
                    client(null, password)
                        .send(get(page.replace("/json/", path)), BodyHandlers.ofString()))
            .as("without it: %s of %s", path, process)
            .isInstanceOf(IOException.class);
        var plain = get("http://" + host + ":" + port(log, "UI") + path);
        assertThat(client(null, password).send(plain, BodyHandlers.ofString()).statusCode())
            .as("without TLS it leads there")
            .isEqualTo(302);
      }
    }
  }

  private static String port(String log, String service) {
    var found = Pattern.compile(Pattern.quote(service) + "' on port (\\d+)").matcher(log);
    assertThat(found.find()).as(log).isTrue();
    return found.group(1);
  }

  private static HttpRequest get(String page) {
    return HttpRequest.newBuilder(URI.create(page)).timeout(Duration.ofSeconds(10)).build();
  }

  /** One that takes any server for the right one, with or without a certificate of its own. */
  private static HttpClient client(@Nullable KeyStore own, char[] password) throws Exception {
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, password);
    var anybody =
        new X509ExtendedTrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type) {}

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
          }
        };
    var context = SSLContext.getInstance("TLS");
    context.init(own == null ? null : keys.getKeyManagers(), new TrustManager[] {anybody}, null);
    return HttpClient.newBuilder().sslContext(context).build();
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

  private static LineDigest foundIn(RandomTextWriter.Plan plan) throws Exception {
    var found = new ArrayList<String>();
    for (String line : inputLines(plan)) {
      if (List.of(line.split(" ", -1)).contains(Scan.WORD)) {
        found.add(line);
      }
    }
    assertThat(found).isNotEmpty();
    long sum = 0;
    for (String line : found) {
      sum += LineDigest.ofCount(line, 1);
    }
    return new LineDigest(sum, found.size());
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
