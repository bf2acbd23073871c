package io.eley.workloads;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/**
 * HiBench's Scan: reads some columns of a table, in any format that Spark has; and makes that
 * table.
 *
 * <p>Arguments: {@code FORMAT URI EXPRESSIONS [ROWS COLUMNS FILES [ROW_GROUP_BYTES]]}. With the
 * last ones the table is written first: the columns {@code id} (sorted), {@code c1} to {@code
 * cCOLUMNS} (random, so that they do not compress) and a struct {@code n} of two more. Then the
 * expressions, which {@code ;} separates, are computed; the digest is their values. Of several
 * URIs, which {@code ,} separates, each is read in turn and its time printed, and the digest is
 * what they have in common.
 */
public final class TableScan {
  /** A quarter of the usual one, so that a table of some megabytes has several. */
  private static final int ROW_GROUP_BYTES = 32 << 20;

  private TableScan() {}

  public static void main(String[] args) {
    List<String> arguments = List.of(args);
    var spark =
        SparkSession.builder().config(new SparkConf().setAppName("TableScan")).getOrCreate();
    var read = new InputBytes();
    spark.sparkContext().addSparkListener(read);
    if (arguments.size() > 3) {
      make(spark, arguments);
    }
    long begin = System.nanoTime();
    String digest = "";
    for (String uri : arguments.get(1).split(",", -1)) {
      long begun = System.nanoTime();
      Duration computed = computed();
      var table = spark.read().format(arguments.get(0)).load(uri);
      long loaded = System.nanoTime();
      String values = table.selectExpr(arguments.get(2).split(";")).first().toString();
      if (!digest.isEmpty() && !digest.equals(values)) {
        throw new IllegalStateException(uri + " gives " + values + " in place of " + digest);
      }
      digest = values;
      System.out.printf(
          Locale.ROOT,
          "%s %.3f s, %.2f s of this JVM's processor time, %.3f s until its schema was known%n",
          uri,
          (System.nanoTime() - begun) / 1e9,
          computed().minus(computed).toMillis() / 1e3,
          (loaded - begun) / 1e9);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    spark.stop(); // delivers every event, so that the last task's end is in
    System.out.printf(
        Locale.ROOT,
        "%s{\"workload\":\"TableScan\",\"totalSeconds\":%.3f,\"readBytes\":%d,"
            + "\"digest\":\"%s\",\"tasks\":[]}%n",
        ResultLines.RESULT,
        seconds,
        read.bytes.sum(),
        digest);
    System.out.flush();
  }

  private static Duration computed() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private static void make(SparkSession spark, List<String> arguments) {
    String columns =
        IntStream.rangeClosed(1, Integer.parseInt(arguments.get(4)))
            .mapToObj(i -> "rand(" + i + ") as c" + i)
            .collect(Collectors.joining(";"));
    long rowGroupBytes = arguments.size() > 6 ? Long.parseLong(arguments.get(6)) : ROW_GROUP_BYTES;
    spark
        .range(0, Long.parseLong(arguments.get(3)), 1, Integer.parseInt(arguments.get(5)))
        .selectExpr(
            ("id;" + columns + ";named_struct('a', rand(-1), 'b', rand(-2)) as n").split(";"))
        .write()
        .format(arguments.get(0))
        .option("parquet.block.size", rowGroupBytes)
        .option("orc.stripe.size", rowGroupBytes)
        .save(arguments.get(1));
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
