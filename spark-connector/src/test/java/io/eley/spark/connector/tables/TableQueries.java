package io.eley.spark.connector.tables;

import io.eley.bb.api.client.ClientCounters.Source;
import io.eley.spark.connector.fs.SharedClients;
import io.eley.spark.connector.plan.RecordingFileSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;

/**
 * Answers the 22 questions of TPC-H on {@link Tables}, in our own words ({@code tables/q01.sql} and
 * on), from plain files and through the buffer, with and without adaptive execution. A program, so
 * that each Spark that is supported runs it.
 *
 * <p>Arguments: the origin's directory, and the formats. It prints {@code
 * answer|FORMAT|SCHEME|ADAPTIVE|QUERY|ROWS HASH FIRST_ROW}, {@code wanted|FORMAT|BYTES} (different
 * bytes that tasks asked the plain files for) and {@code read|SOURCE|BYTES} (what the buffer's
 * client read).
 */
public final class TableQueries {
  private static final int QUERIES = 22;

  private TableQueries() {}

  public static void main(String[] args) throws Exception {
    SparkSession spark = SparkSession.builder().getOrCreate();
    for (String format : List.of(args).subList(1, args.length)) {
      spark.conf().set("spark.sql.adaptive.enabled", "true");
      Tables.write(spark, format, "file://" + args[0] + "/" + format);
      RecordingFileSystem.distinctBytes();
      answer(spark, format, "file://" + args[0], false);
      System.out.println("wanted|" + format + "|" + RecordingFileSystem.distinctBytes());
      answer(spark, format, "bb://", false);
      answer(spark, format, "bb://", true);
    }
    for (Source source : Source.values()) {
      System.out.println("read|" + source + "|" + SharedClients.bytes(source));
    }
    spark.stop();
  }

  private static void answer(SparkSession spark, String format, String root, boolean adaptive)
      throws IOException {
    spark.conf().set("spark.sql.adaptive.enabled", String.valueOf(adaptive));
    for (String table : Tables.names()) {
      spark
          .read()
          .format(format)
          .load(root + "/" + format + "/" + table)
          .createOrReplaceTempView(table);
    }
    for (int number = 1; number <= QUERIES; number++) {
      String name = "q%02d".formatted(number);
      List<String> rows =
          spark.sql(sql(name)).collectAsList().stream().map(Object::toString).sorted().toList();
      String scheme = root.substring(0, root.indexOf(':'));
      String hash = Integer.toHexString(rows.stream().collect(Collectors.joining("\n")).hashCode());
      System.out.println(
          String.join(
              "|",
              "answer",
              format,
              scheme,
              String.valueOf(adaptive),
              name,
              rows.size() + " " + hash + " " + rows.stream().findFirst().orElse("")));
    }
  }

  private static String sql(String query) throws IOException {
    try (var in = TableQueries.class.getResourceAsStream("/tables/" + query + ".sql")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
