package io.eley.spark.connector.features;

import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * Jobs that shuffle. A program; arguments: {@code all}, or {@code between} or {@code loop} and a
 * directory, or {@code large} with a number of map tasks, the MiB of each, and a number of
 * partitions. Its result is a digest of every row that it computes, and as {@code inputBytes} how
 * many tasks made map outputs.
 *
 * <p>{@code between} reads one shuffle twice, to which half of the map tasks write nothing: when it
 * has done so once, it makes {@code first} in the directory, and goes on when somebody has made
 * {@code second}. {@code loop} computes the same again and again, makes a file each time, {@code
 * 0}, {@code 1} and so on, and ends when somebody has made {@code stop}.
 */
public final class ShuffleJobs {
  private static final int PARTS = 8;
  private static final int ROWS = 40_000;
  private static final int RECORDS_A_MEBIBYTE = 16;

  private ShuffleJobs() {}

  public static void main(String[] args) throws Exception {
    SparkSession spark = SparkSession.builder().getOrCreate();
    var maps = new MapTasks();
    spark.sparkContext().addSparkListener(maps);
    var context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Map<String, String> digests =
        switch (args[0]) {
          case "all" -> all(spark, context);
          case "between" -> between(context, Path.of(args[1]));
          case "loop" -> loop(context, Path.of(args[1]));
          case "large" ->
              large(
                  context,
                  Integer.parseInt(args[1]),
                  Integer.parseInt(args[2]),
                  Integer.parseInt(args[3]));
          default -> throw new IllegalArgumentException(args[0]);
        };
    spark.stop(); // delivers every event
    System.out.printf(
        "ELEY_RESULT {\"workload\":\"shuffle\",\"inputBytes\":%d,\"digest\":\"%s\",\"tasks\":[]}%n",
        maps.succeeded.get(), digests);
    System.out.flush();
  }

  private static Map<String, String> all(SparkSession spark, JavaSparkContext context) {
    var digests = new TreeMap<String, String>();
    JavaPairRDD<Integer, String> pairs = pairs(context);
    digests.put("groupBy", Integer.toString(grouped(pairs)));
    digests.put("sort", Integer.toString(inOrder(pairs)));
    digests.put(
        "bypass",
        Integer.toString(pairs.repartition(3).collect().stream().mapToInt(Object::hashCode).sum()));
    var conf = spark.conf();
    conf.set("spark.sql.shuffle.partitions", "12");
    conf.set("spark.sql.autoBroadcastJoinThreshold", "-1");
    conf.set("spark.sql.adaptive.advisoryPartitionSizeInBytes", "64k");
    conf.set("spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "64k");
    conf.set("spark.sql.adaptive.skewJoin.skewedPartitionFactor", "2");
    for (String adaptive : List.of("true", "false")) {
      conf.set("spark.sql.adaptive.enabled", adaptive);
      conf.set("spark.sql.join.preferSortMergeJoin", "true");
      digests.put("sorted join " + adaptive, rows(join(spark)));
      conf.set("spark.sql.join.preferSortMergeJoin", "false");
      digests.put("hash join " + adaptive, rows(join(spark)));
      digests.put(
          "aggregate " + adaptive,
          rows(spark.range(ROWS).selectExpr("id % 97 k", "id v").groupBy("k").sum("v")));
      digests.put("reused " + adaptive, rows(reused(spark)));
    }
    return digests;
  }

  private static JavaPairRDD<Integer, String> pairs(JavaSparkContext context) {
    return context
        .parallelize(IntStream.range(0, ROWS).boxed().toList(), PARTS)
        .mapToPair(i -> new Tuple2<>(i * 31 % 1009, "value-" + i + "-".repeat(40)));
  }

  private static int grouped(JavaPairRDD<Integer, String> pairs) {
    return pairs
        .groupByKey(PARTS)
        .mapToPair(
            group -> {
              int sum = 0;
              for (String value : group._2()) {
                sum += value.hashCode();
              }
              return new Tuple2<>(group._1(), sum);
            })
        .map(Tuple2::hashCode)
        .reduce(Integer::sum);
  }

  private static int inOrder(JavaPairRDD<Integer, String> pairs) {
    Comparator<String> order = (Comparator<String> & Serializable) (a, b) -> a.compareTo(b);
    return pairs
        .mapToPair(pair -> new Tuple2<>(pair._2(), pair._1()))
        .sortByKey(order, true, PARTS)
        .map(Tuple2::hashCode)
        .collect()
        .hashCode();
  }

  /** Nearly all rows of one side have the same key. */
  private static Dataset<Row> join(SparkSession spark) {
    Dataset<Row> many =
        spark.range(0, ROWS, 1, PARTS).selectExpr("if(id % 10 = 0, id % 101, 7) k", "id v");
    Dataset<Row> few = spark.range(0, 101, 1, 2).selectExpr("id k", "id * 3 w");
    return many.join(few, "k");
  }

  private static Dataset<Row> reused(SparkSession spark) {
    Dataset<Row> sums =
        spark.range(0, ROWS, 1, PARTS).selectExpr("id % 211 k", "id v").groupBy("k").sum("v");
    return sums.join(sums.withColumnRenamed("sum(v)", "other"), "k");
  }

  private static String rows(Dataset<Row> table) {
    List<Row> rows = table.collectAsList();
    return rows.size() + ":" + rows.stream().mapToInt(row -> row.toString().hashCode()).sum();
  }

  private static Map<String, String> between(JavaSparkContext context, Path directory)
      throws Exception {
    JavaPairRDD<Integer, String> none = pairs(context).filter(pair -> pair._1() < 0);
    JavaPairRDD<Integer, Iterable<String>> shuffled = pairs(context).union(none).groupByKey(PARTS);
    long first = shuffled.count();
    Files.createFile(directory.resolve("first"));
    long since = System.nanoTime();
    while (!Files.exists(directory.resolve("second"))) {
      if (System.nanoTime() - since > TimeUnit.MINUTES.toNanos(2)) {
        throw new IllegalStateException("nobody goes on");
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    int second =
        shuffled
            .map(
                group -> {
                  int sum = group._1();
                  for (String value : group._2()) {
                    sum += value.hashCode();
                  }
                  return sum;
                })
            .reduce(Integer::sum);
    return Map.of("between", first + ":" + second);
  }

  private static Map<String, String> loop(JavaSparkContext context, Path directory)
      throws Exception {
    String first = "";
    int times = 0;
    for (; !Files.exists(directory.resolve("stop")); times++) {
      JavaPairRDD<Integer, String> pairs = pairs(context);
      String again = grouped(pairs) + ":" + inOrder(pairs);
      if (times > 0 && !again.equals(first)) {
        throw new IllegalStateException(again + " is not " + first);
      }
      first = again;
      Files.createFile(directory.resolve(Integer.toString(times)));
    }
    return Map.of("loop", first);
  }

  /** Bytes that nothing makes smaller; none are kept. */
  private static Map<String, String> large(
      JavaSparkContext context, int maps, int mebibytes, int partitions) {
    JavaPairRDD<Integer, byte[]> pairs =
        context
            .parallelize(IntStream.range(0, maps).boxed().toList(), maps)
            .flatMapToPair(
                map -> {
                  var random = new Random(map);
                  return IntStream.range(0, mebibytes * RECORDS_A_MEBIBYTE)
                      .mapToObj(
                          i -> {
                            var bytes = new byte[(1 << 20) / RECORDS_A_MEBIBYTE];
                            random.nextBytes(bytes);
                            return new Tuple2<>(i, bytes);
                          })
                      .iterator();
                });
    long sum =
        pairs
            .partitionBy(new HashPartitioner(partitions))
            .map(pair -> pair._1() * 31L + Arrays.hashCode(pair._2()))
            .reduce(Long::sum);
    return Map.of("large", Long.toString(sum));
  }

  /** The tasks that have made map outputs. */
  private static final class MapTasks extends SparkListener {
    private final AtomicInteger succeeded = new AtomicInteger();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd event) {
      if (event.taskType().equals("ShuffleMapTask") && event.taskInfo().successful()) {
        succeeded.incrementAndGet();
      }
    }
  }
}
