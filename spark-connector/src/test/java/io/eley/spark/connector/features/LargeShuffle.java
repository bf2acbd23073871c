package io.eley.spark.connector.features;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * A shuffle of many bytes that cannot be compressed. A program; arguments: map tasks, rows of each,
 * bytes of a row, reduce tasks. Its result is a digest of all rows before and behind the shuffle,
 * and as {@code inputBytes} what the map tasks wrote.
 */
public final class LargeShuffle {
  private LargeShuffle() {}

  public static void main(String[] args) throws Exception {
    int maps = Integer.parseInt(args[0]);
    int rows = Integer.parseInt(args[1]);
    int bytes = Integer.parseInt(args[2]);
    int reducers = Integer.parseInt(args[3]);
    SparkSession spark = SparkSession.builder().getOrCreate();
    var written = new Written();
    spark.sparkContext().addSparkListener(written);
    var context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    JavaPairRDD<Integer, byte[]> pairs =
        context
            .parallelize(IntStream.range(0, maps).boxed().toList(), maps)
            .flatMapToPair(
                map ->
                    IntStream.range(map * rows, (map + 1) * rows)
                        .mapToObj(row -> new Tuple2<>(row, row(row, bytes)))
                        .iterator());
    String before = digest(pairs);
    String behind = digest(pairs.partitionBy(new HashPartitioner(reducers)));
    spark.stop(); // delivers every event
    System.out.printf(
        "ELEY_RESULT {\"workload\":\"shuffle\",\"inputBytes\":%d,\"digest\":\"%s %s\",\"tasks\":[]}%n",
        written.bytes.get(), before, behind);
    System.out.flush();
  }

  private static byte[] row(int seed, int bytes) {
    byte[] row = new byte[bytes];
    new Random(seed).nextBytes(row);
    return row;
  }

  /** How many rows, and a sum that hangs on every byte of theirs and on no order. */
  private static String digest(JavaPairRDD<Integer, byte[]> rows) {
    return rows.map(row -> new Tuple2<>(1L, row._1() * 31L + Arrays.hashCode(row._2())))
        .reduce((a, b) -> new Tuple2<>(a._1() + b._1(), a._2() + b._2()))
        .toString();
  }

  /** What map tasks wrote. */
  private static final class Written extends SparkListener {
    private final AtomicLong bytes = new AtomicLong();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd event) {
      bytes.addAndGet(event.taskMetrics().shuffleWriteMetrics().bytesWritten());
    }
  }
}
