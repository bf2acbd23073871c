package io.eley.system.origin;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.ReadCause;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The figures of docs/measurements: a scan and a column read of tables in S3 behind {@code
 * -Deley.test.latency=30} milliseconds there and back, by S3A alone with its analytics stream and
 * through Eley, in one warm JVM.
 *
 * <p>Each query reads a table that nobody has read before, so that neither has anything in memory.
 * The copies are links to one file, which the server has in its page cache. S3A alone reads a
 * bucket of its own, whose bytes another link counts. Pairs come in changing order.
 */
@Tag("spark")
@Timeout(1200)
@EnabledIfSystemProperty(named = "eley.test.latency", matches = "\\d+")
class LongWayTest {
  /** Pairs that only make the JVMs warm. */
  private static final int WARM_UP = 6;

  /** Few, since row groups are small: a column's part of one has tens of pages of the buffer. */
  private static final int COLUMNS = 8;

  private static final int PAIRS = Integer.getInteger("eley.test.repetitions", 10);

  /** Words of {@code eley start}, such as {@code -D key=value}, for what is tried. */
  private static final List<String> SETTINGS =
      Stream.of(System.getProperty("eley.test.settings", "").split(" ", -1))
          .filter(word -> !word.isEmpty())
          .toList();

  private static final int SLOTS = Integer.getInteger("eley.test.slots", 2);

  @TempDir private Path temp;
  private StoreSpark spark;

  @BeforeEach
  void makeSpark() throws Exception {
    spark = new StoreSpark(temp, true);
  }

  @AfterEach
  void stop() throws Exception {
    spark.stop();
  }

  private static String expressions(String what) {
    return what.equals("columns")
        ? "sum(c7);max(n.b)"
        : IntStream.rangeClosed(1, COLUMNS).mapToObj(i -> "sum(c" + i + ")").collect(joining(";"));
  }

  @Test
  void aScan() throws Exception {
    measure("scan");
  }

  @Test
  void aColumnRead() throws Exception {
    measure("columns");
  }

  private void measure(String what) throws Exception {
    var oneWay = Duration.ofNanos(Long.getLong("eley.test.latency") * 500_000);
    try (var s3 = StoreProcess.s3(temp)) {
      int port = URI.create(s3.client().get("fs.s3a.endpoint")).getPort();
      try (var near = new SlowLink(port, Duration.ZERO)) {
        var table =
            List.of(
                System.getProperty("eley.test.rows", "6000000"),
                Integer.toString(COLUMNS),
                System.getProperty("eley.test.files", "8"),
                System.getProperty("eley.test.row-group", "8388608"));
        var unused =
            spark.scan(
                SLOTS,
                "s3a://bucket/first/t",
                "count(1)",
                table,
                StoreSpark.through(s3.client(), near));
      }
      link();
      try (var toAlone = new SlowLink(port, oneWay);
          var toEley = new SlowLink(port, oneWay)) {
        Map<String, String> store = StoreSpark.through(s3.client(), toEley);
        spark.start("s3a://bucket/data", store, SETTINGS);
        var both = new LinkedHashMap<>(store);
        both.put("spark.hadoop.fs.s3a.input.stream.type", "analytics");
        both.put("spark.hadoop.fs.s3a.bucket.alone.endpoint", "http://127.0.0.1:" + toAlone.port());
        both.putAll(spark.plugin());
        var result = spark.scan(SLOTS, uris(), expressions(what), List.of(), both);
        System.out.printf(
            "%s: Spark read %d in %d queries; S3A alone was sent %d in answers to %d GETs, Eley %d"
                + " to %d; load %.1f%n",
            what,
            result.readBytes(),
            2 * (WARM_UP + PAIRS),
            toAlone.received(),
            toAlone.gets(),
            toEley.received(),
            toEley.gets(),
            java.lang.management.ManagementFactory.getOperatingSystemMXBean()
                .getSystemLoadAverage());
        tell(what);
        var report = spark.report();
        System.out.printf("%s: nodes read %s%n", what, report.originBytes());
        assertThat(report.originBytes().get(ReadCause.PREFETCH)).isPositive();
      }
    }
  }

  /** Copies of the table for each query. */
  private void link() throws Exception {
    try (var files = Files.list(temp.resolve("s3/bucket/first/t"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        for (int i = 0; i < WARM_UP + PAIRS; i++) {
          for (String bucket : List.of("alone/", "bucket/data/")) {
            var copy = Files.createDirectories(temp.resolve("s3/" + bucket + "t" + i));
            Files.createLink(copy.resolve(file.getFileName()), file);
          }
        }
      }
    }
  }

  private static String uris() {
    var uris = new ArrayList<String>();
    for (int i = 0; i < WARM_UP + PAIRS; i++) {
      var pair = new ArrayList<>(List.of("s3a://alone/t" + i, "bb:///t" + i));
      if (i % 2 == 1) {
        Collections.reverse(pair);
      }
      uris.addAll(pair);
    }
    return String.join(",", uris);
  }

  private void tell(String what) throws Exception {
    var alone = seconds("s3a://alone/t");
    var eley = seconds("bb:///t");
    var ratios = new ArrayList<Double>();
    for (int i = WARM_UP; i < WARM_UP + PAIRS; i++) {
      double[] a = alone.get(i);
      double[] e = eley.get(i);
      ratios.add(a[0] / e[0]);
      System.out.printf(
          Locale.ROOT,
          "%s %d: alone %.3f s (%.3f to its schema), %.2f s CPU; eley %.3f s (%.3f), %.2f s CPU;"
              + " alone / eley %.2f%n",
          what,
          i - WARM_UP + 1,
          a[0],
          a[2],
          a[1],
          e[0],
          e[2],
          e[1],
          a[0] / e[0]);
    }
    Collections.sort(ratios);
    System.out.printf(
        Locale.ROOT,
        "%s: alone / eley median %.2f, %.2f to %.2f%n",
        what,
        (ratios.get((PAIRS - 1) / 2) + ratios.get(PAIRS / 2)) / 2,
        ratios.get(0),
        ratios.get(PAIRS - 1));
  }

  /** Seconds, those of the JVM's processor time, and until the schema was known. */
  private List<double[]> seconds(String prefix) throws Exception {
    return spark.printed().stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.split("[ ,]+", -1))
        .map(w -> IntStream.of(1, 3, 10).mapToDouble(i -> Double.parseDouble(w[i])).toArray())
        .toList();
  }
}
