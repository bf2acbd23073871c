package io.eley.system.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.BufferMode;
import io.eley.bb.api.ReadCause;
import io.eley.bb.api.process.JavaCommand;
import io.eley.bb.api.wire.DeploymentReport.ApplicationReport;
import io.eley.bb.server.node.NodeServer;
import io.eley.system.Deployments;
import io.eley.system.SparkHomes;
import io.eley.system.Turns;
import io.eley.workloads.LinkedSparkHome;
import java.io.BufferedReader;
import java.io.File;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every format that people keep, read by real Spark with a plan: of the origin is read what tasks
 * want. The queries are those of the connector's {@code FormatScans}; formats take turns.
 */
@Tag("spark")
@Timeout(400)
class FormatsTest {
  private static final String PROGRAM = "io.eley.spark.connector.plan.FormatScans";

  /** Two files, of whose ends a page or two are read that nobody counts. */
  private static final long ALLOWED = 2 * (64 << 10);

  @TempDir private Path temp;

  /**
   * A query, and what was read for it.
   *
   * @param wanted what its tasks read
   * @param sent by the node
   * @param past the buffer, by clients
   * @param origin by the node, of the origin
   * @param unread so far, by any task
   */
  private record Scan(
      String name,
      String answer,
      long wanted,
      long sent,
      long past,
      Map<ReadCause, Long> origin,
      long unread) {
    long all() {
      return origin.values().stream().mapToLong(b -> b).sum();
    }

    long prefetched() {
      return origin.getOrDefault(ReadCause.PREFETCH, 0L);
    }
  }

  static List<Arguments> formats() {
    return Turns.of(
        List.of(
            Arguments.of(SparkHomes.NEWEST, "csv csv.gzip json json.gzip orc"),
            Arguments.of("3.5-scala-2.12", "avro delta iceberg parquet")));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void ofTheOriginIsReadWhatTasksWant(String version, String formats) throws Exception {
    Path origin = Files.createDirectory(temp.resolve("origin"));
    var spark = new Program(version, origin);
    Map<String, String> plain = new HashMap<>();
    try (var output = spark.start("make", "file:" + origin, formats, Map.of())) {
      output.forEach(scan -> plain.put(scan[1], scan[2]));
    }
    try (var deployment =
        new Deployments(
            Files.createDirectory(temp.resolve("deployment")), origin, BufferMode.NO_ACTION)) {
      NodeServer node = deployment.startNode("a", "512m");
      List<Scan> scans = scans(spark, formats, deployment, node);
      for (Scan scan : scans) {
        System.out.printf(
            "%s %s: %d wanted, %d sent, %d past, of the origin %s, %.3f; so far %d never read%n",
            version,
            scan.name,
            scan.wanted,
            scan.sent,
            scan.past,
            scan.origin,
            (double) scan.all() / scan.wanted,
            scan.unread);
      }
      for (Scan scan : scans) {
        assertThat(scan.answer).as(scan.name).isEqualTo(plain.get(scan.name));
        long least =
            scan.name.equals("iceberg everything")
                ? bytesBelow(origin.resolve("iceberg/db/everything/data")) / 2
                : 1;
        assertThat(scan.sent).as("%s", scan).isGreaterThanOrEqualTo(least);
        assertThat(scan.past).as("%s", scan).isLessThanOrEqualTo(ALLOWED);
        if (scan.name.endsWith("everything") && !scan.name.startsWith("iceberg")) {
          assertThat(scan.prefetched()).as("%s", scan).isPositive();
        }
        if (scan.name.endsWith("early")) {
          assertThat(scan.unread).as("%s", scan).isPositive();
        } else {
          assertThat((double) scan.all())
              .as("%s", scan)
              .isLessThanOrEqualTo(1.05 * scan.wanted + ALLOWED);
        }
      }
    }
  }

  private static long bytesBelow(Path directory) throws Exception {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(f -> f.toFile().length()).sum();
    }
  }

  private static List<Scan> scans(
      Program spark, String formats, Deployments deployment, NodeServer node) throws Exception {
    var scans = new ArrayList<Scan>();
    var conf = new LinkedHashMap<String, String>();
    conf.put("spark.plugins", "io.eley.spark.connector.plan.EleyPlugin");
    conf.put("spark.hadoop.fs.file.impl", "io.eley.spark.connector.fs.EleyLocalFileSystem");
    conf.put("spark.hadoop.fs.bb.impl", "io.eley.spark.connector.fs.BbFileSystem");
    conf.put("spark.hadoop.eley.deployment", deployment.deploymentDirectory().toString());
    // On a busy machine nobody falls silent: what is read past the buffer is counted.
    conf.putAll(Deployments.PATIENT_CLIENTS);
    Map<ReadCause, Long> before = new HashMap<>();
    var servedBefore = new AtomicLong();
    var pastBefore = new AtomicLong();
    try (var output = spark.start("scan", "bb://", formats, conf)) {
      output.forEach(
          scan -> {
            await()
                .until(
                    () -> {
                      var counters = node.counters();
                      return counters.queuedFetches() == 0 && counters.underWay().bytes() == 0;
                    });
            Map<ReadCause, Long> now = node.counters().originBytes();
            long served = node.counters().servedBytes();
            long sent = served - servedBefore.getAndSet(served);
            // Iceberg's reader counts nothing for its tasks: there it is what the node has sent.
            long wanted = scan[1].startsWith("iceberg") ? sent : Long.parseLong(scan[3]);
            var grown = new HashMap<ReadCause, Long>();
            now.forEach((cause, b) -> grown.put(cause, b - before.getOrDefault(cause, 0L)));
            before.putAll(now);
            var report = deployment.report();
            long past = report.totals().pastBytes();
            long unread =
                report.applications().stream().mapToLong(ApplicationReport::unreadBytes).sum();
            scans.add(
                new Scan(
                    scan[1],
                    scan[2],
                    wanted,
                    sent,
                    past - pastBefore.getAndSet(past),
                    grown,
                    unread));
          });
    }
    return scans;
  }

  private interface Each {
    void scan(String[] words) throws Exception;
  }

  /** Runs the program on one Spark. */
  private final class Program {
    private final LinkedSparkHome home;
    private final List<Path> ours;
    private final Path origin;

    Program(String version, Path origin) throws Exception {
      this.origin = origin;
      Path root = Path.of(System.getProperty("eley.root"));
      Path workloads = root.resolve("ior-workloads");
      home = SparkHomes.of(version, temp.resolve("home"));
      var jars =
          new ArrayList<>(
              List.of(
                  Deployments.connectorJar(), root.resolve("spark-connector/target/test-classes")));
      if (version.endsWith("2.12")) {
        String others =
            Files.readString(workloads.resolve("table-formats/target/formats.classpath")).strip();
        Stream.of(others.split(File.pathSeparator)).map(Path::of).forEach(jars::add);
      }
      ours = List.copyOf(jars);
    }

    Running start(String what, String uri, String formats, Map<String, String> conf)
        throws Exception {
      JavaCommand java =
          home.java("1g", ours)
              .property("spark.ui.enabled", "false")
              .property("spark.driver.bindAddress", "127.0.0.1")
              .property("spark.driver.host", "127.0.0.1")
              .property("spark.sql.files.maxPartitionBytes", "1m")
              .property("spark.sql.catalog.eley", "org.apache.iceberg.spark.SparkCatalog")
              .property("spark.sql.catalog.eley.type", "hadoop")
              .property("spark.sql.catalog.eley.warehouse", "file:" + origin + "/iceberg");
      if (home.version().startsWith("3.5")) {
        java =
            java.property("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
                .property(
                    "spark.sql.catalog.spark_catalog",
                    "org.apache.spark.sql.delta.catalog.DeltaCatalog");
      }
      for (var entry : conf.entrySet()) {
        java = java.property(entry.getKey(), entry.getValue());
      }
      var arguments = new ArrayList<>(List.of(what, uri));
      arguments.addAll(List.of(formats.split(" ")));
      Path errors = Files.createTempFile(temp, what, ".err");
      return new Running(
          new ProcessBuilder(java.run(PROGRAM, arguments))
              .directory(temp.toFile())
              .redirectError(errors.toFile())
              .start(),
          errors);
    }
  }

  /** The program while it runs. */
  private record Running(Process process, Path errors) implements AutoCloseable {
    /** Calls with the words of each scan's line, before the next scan begins. */
    void forEach(Each each) throws Exception {
      try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
          OutputStream next = process.getOutputStream()) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.startsWith("scan|")) {
            each.scan(line.split("\\|", -1));
            next.write('\n');
            next.flush();
          }
        }
      }
      assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
