package io.eley.spark.connector.plan;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Queries over all formats that people keep, each over data of its own: a program, so that each
 * Spark that is supported runs it.
 *
 * <p>Arguments: {@code scan URI FORMATS…} prints a line for each query, {@code
 * scan|NAME|ANSWER|BYTES}, with the bytes that its tasks read, and waits for a line of input before
 * the next; {@code make URI FORMATS…} writes the data before.
 */
public final class FormatScans {
  private static final int ROWS = 100_000;
  private static final int FILES = 2;
  private static final String SCHEMA = "id bigint, a double, b double, c string";

  private FormatScans() {}

  public static void main(String[] args) throws Exception {
    List<String> formats = List.of(args).subList(2, args.length);
    SparkSession spark =
        SparkSession.builder().appName("FormatScans").master("local[2]").getOrCreate();
    try {
      if (args[0].equals("make")) {
        for (String format : formats) {
          make(spark, args[1], format);
        }
      }
      scan(spark, args[1], formats);
    } finally {
      spark.stop();
    }
  }

  /** The first fortieth of a split, as a function does that has found what it looks for. */
  private static MapPartitionsFunction<Row, Long> some() {
    return rows -> {
      var ids = new ArrayList<Long>();
      for (Iterator<Row> it = rows; it.hasNext() && ids.size() < ROWS / 400; ) {
        ids.add(it.next().<Long>getAs("id"));
      }
      return ids.iterator();
    };
  }

  private static Object answer(String query, Dataset<Row> table) {
    return switch (query) {
      case "everything" -> table.selectExpr("bit_xor(xxhash64(*))").collectAsList();
      case "limit" -> table.limit(10).selectExpr("id * 0").collectAsList();
      case "one column" -> table.selectExpr("bit_xor(xxhash64(a))").collectAsList();
      case "filter on sorted data" ->
          table.where("id between 70000 and 70009").selectExpr("sum(id)").collectAsList();
      default -> table.mapPartitions(some(), Encoders.LONG()).count();
    };
  }

  private static List<String> queries(String format) {
    var names = new ArrayList<>(List.of("everything", "limit"));
    if (columnar(format)) {
      names.addAll(List.of("one column", "filter on sorted data"));
    }
    if (format.equals("csv")) {
      names.add("early");
    }
    return names;
  }

  private static boolean columnar(String format) {
    return List.of("parquet", "orc", "delta", "iceberg").contains(format);
  }

  /** Formats such as json.gzip are compressed as a whole. */
  private static void make(SparkSession spark, String directory, String format) throws Exception {
    for (String query : queries(format)) {
      String path = directory + "/" + format + "-" + query.replace(' ', '-');
      Dataset<Row> rows =
          spark
              .range(0, ROWS, 1, FILES)
              .selectExpr("id", "rand(1) as a", "rand(2) as b", "sha2(string(id), 256) as c");
      if (format.equals("iceberg")) {
        rows.writeTo(iceberg(query)).create();
        continue;
      }
      rows.write()
          .format(format.replace(".gzip", ""))
          .option("compression", codec(format))
          .option("parquet.block.size", 4 << 20)
          .option("orc.stripe.size", 4 << 20)
          .save(path);
    }
  }

  /** Its tables know their files by absolute names, so they are read by those. */
  private static String iceberg(String query) {
    return "eley.db." + query.replace(' ', '_');
  }

  private static String codec(String format) {
    return format.endsWith(".gzip") ? "gzip" : columnar(format) ? "none" : "uncompressed";
  }

  private static void scan(SparkSession spark, String uri, List<String> formats) throws Exception {
    var read = new InputBytes();
    spark.sparkContext().addSparkListener(read);
    var next = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String format : formats) {
      for (String query : queries(format)) {
        String path = uri + "/" + format + "-" + query.replace(' ', '-');
        Dataset<Row> table =
            format.equals("iceberg") ? spark.table(iceberg(query)) : table(spark, format, path);
        Object answer = answer(query, table);
        spark.sparkContext().listenerBus().waitUntilEmpty();
        System.out.printf("scan|%s %s|%s|%d%n", format, query, answer, read.bytes.sumThenReset());
        System.out.flush();
        next.readLine();
      }
    }
  }

  private static Dataset<Row> table(SparkSession spark, String format, String path) {
    String plain = format.replace(".gzip", "");
    return format.startsWith("csv") || format.startsWith("json")
        ? spark.read().schema(SCHEMA).format(plain).load(path)
        : spark.read().format(plain).load(path);
  }

  /** What the tasks' metrics say they read. */
  private static final class InputBytes extends SparkListener {
    private final LongAdder bytes = new LongAdder();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd event) {
      if (event.taskMetrics() != null) {
        bytes.add(event.taskMetrics().inputMetrics().bytesRead());
      }
    }
  }
}
