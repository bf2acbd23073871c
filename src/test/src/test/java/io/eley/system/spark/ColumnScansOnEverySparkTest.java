package io.eley.system.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.system.Deployments;
import io.eley.system.SparkHomes;
import io.eley.system.Turns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The queries of the connector's own test ({@code ColumnScans}), which is of the newest Spark, on
 * each other one that is supported: what the plan names of a columnar file is what tasks read of
 * it. Those between the newest and the oldest take turns.
 */
@Tag("spark")
@Timeout(300)
class ColumnScansOnEverySparkTest {
  private static final String PROGRAM = "io.eley.spark.connector.plan.ColumnScans";
  private static final int ALLOWED_A_FILE = 64 << 10;

  @TempDir private Path temp;

  /** A line of the program. */
  private record Scan(
      String query, String answer, int files, long planned, long read, long unplanned) {
    static Scan of(String line) {
      String[] words = line.split("\\|", -1);
      return new Scan(
          words[1],
          words[2],
          Integer.parseInt(words[3]),
          Long.parseLong(words[4]),
          Long.parseLong(words[5]),
          Long.parseLong(words[6]));
    }

    /** The query, without the name of Spark's interface. */
    String anyInterface() {
      return query.replaceFirst(" v[12] ", " ");
    }
  }

  static List<String> versions() {
    var versions = new ArrayList<>(List.of("3.5-scala-2.12"));
    versions.addAll(Turns.of(List.of("4.0", "3.5", "4.1")));
    return versions;
  }

  @ParameterizedTest
  @MethodSource("versions")
  void thePlanNamesWhatTasksRead(String version) throws Exception {
    Map<String, String> answers = new HashMap<>();
    List<Scan> scans = scans(version);
    assertThat(scans).hasSizeGreaterThanOrEqualTo(2 * 2 * 10);
    for (Scan scan : scans) {
      assertThat(scan.files).as(scan.query).isPositive();
      assertThat(scan.unplanned).as("bytes of no planned page: %s", scan).isZero();
      assertThat((double) scan.planned)
          .as("%s", scan)
          .isLessThanOrEqualTo(1.05 * scan.read + scan.files * ALLOWED_A_FILE);
      assertThat(scan.answer)
          .as("%s", scan)
          .isEqualTo(answers.computeIfAbsent(scan.anyInterface(), q -> scan.answer));
    }
  }

  private List<Scan> scans(String version) throws Exception {
    Path root = Path.of(System.getProperty("eley.root"));
    var home = SparkHomes.of(version, temp.resolve("home"));
    List<Path> ours =
        List.of(Deployments.connectorJar(), root.resolve("spark-connector/target/test-classes"));
    var command =
        home.java("1g", ours)
            .run(PROGRAM, List.of(temp.resolve("data").toString(), "parquet", "orc"));
    Path output = temp.resolve("output");
    Path errors = temp.resolve("errors");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    } finally {
      process.destroyForcibly();
    }
    return Files.readAllLines(output).stream()
        .filter(line -> line.startsWith("scan|"))
        .map(Scan::of)
        .toList();
  }
}
