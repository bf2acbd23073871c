package io.eley.spark.connector.features;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import scala.Function1;
import scala.reflect.ClassTag$;

/**
 * Reads text as jobs of different kinds do. A program; arguments: the kind, the input's URI and one
 * of a directory for what it writes. Its result is the number of lines and the sum of their hash
 * codes; {@code seen} says how often what makes the kind has happened.
 */
public final class SparkFeatures {
  private static final int SLICES = 8;

  private SparkFeatures() {}

  public static void main(String[] args) throws Exception {
    SparkSession spark = SparkSession.builder().getOrCreate();
    var seen = new Seen();
    spark.sparkContext().addSparkListener(seen);
    var context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Lines lines =
        switch (args[0]) {
          case "dynamic allocation" -> shrinking(context, args[1], seen);
          case "speculation" -> overtaken(context, args[1]);
          case "barrier" -> together(context, args[1]);
          case "early" -> firstLines(context, args[1]);
          case "streaming" -> streamed(spark, args[1], args[2]);
          default -> throw new IllegalArgumentException(args[0]);
        };
    spark.stop(); // delivers every event
    System.out.printf(
        "ELEY_RESULT {\"workload\":\"%s\",\"inputBytes\":%d,\"digest\":\"%s\",\"tasks\":[]}%n",
        args[0], seen.of(args[0]), lines);
    System.out.flush();
  }

  /** Two jobs; between them all executors but one have gone, with what they kept in memory. */
  private static Lines shrinking(JavaSparkContext context, String input, Seen seen)
      throws InterruptedException {
    Lines first = Lines.of(context.textFile(input, SLICES));
    if (!seen.removed.await(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no executor was removed");
    }
    Lines second = Lines.of(context.textFile(input, SLICES));
    if (!first.equals(second)) {
      throw new IllegalStateException(first + " is not " + second);
    }
    return second;
  }

  /** The first attempt of the first task reads all and then waits to be killed. */
  private static Lines overtaken(JavaSparkContext context, String input) {
    return Lines.of(
        context
            .textFile(input, SLICES)
            .mapPartitions(
                lines -> {
                  var all = new ArrayList<String>();
                  lines.forEachRemaining(all::add);
                  TaskContext task = TaskContext.get();
                  while (task.partitionId() == 0
                      && task.attemptNumber() == 0
                      && !task.isInterrupted()) {
                    LockSupport.parkNanos(10_000_000);
                  }
                  return all.iterator();
                }));
  }

  private static Lines together(JavaSparkContext context, String input) {
    var barrier = context.textFile(input, SLICES).rdd().barrier();
    var met =
        barrier.mapPartitions(
            (Function1<scala.collection.Iterator<String>, scala.collection.Iterator<String>>
                    & Serializable)
                lines -> {
                  BarrierTaskContext.get().barrier();
                  return lines;
                },
            false,
            ClassTag$.MODULE$.apply(String.class));
    return Lines.of(new JavaRDD<>(met, ClassTag$.MODULE$.apply(String.class)));
  }

  /** A job whose tasks read a line each, and one that reads all. */
  private static Lines firstLines(JavaSparkContext context, String input) {
    JavaRDD<String> text = context.textFile(input, 8 * SLICES);
    long found = text.mapPartitions(lines -> List.of(lines.next()).iterator()).count();
    if (found != text.getNumPartitions()) {
      throw new IllegalStateException(found + " first lines");
    }
    return Lines.of(text);
  }

  /** A file a batch; checkpoints and results are written where the input is. */
  private static Lines streamed(SparkSession spark, String input, String output) throws Exception {
    spark
        .readStream()
        .option("maxFilesPerTrigger", 1)
        .text(input)
        .writeStream()
        .format("parquet")
        .option("checkpointLocation", output + "/checkpoint")
        .trigger(Trigger.AvailableNow())
        .start(output + "/out")
        .awaitTermination();
    List<String> lines =
        spark.read().parquet(output + "/out").collectAsList().stream()
            .map(row -> row.getString(0))
            .toList();
    return new Lines(lines.size(), lines.stream().mapToLong(String::hashCode).sum());
  }

  /** Lines of text, in any order. */
  private record Lines(long count, long hash) implements Serializable {
    static Lines of(JavaRDD<String> text) {
      return text.mapPartitions(lines -> List.of(of(lines)).iterator())
          .reduce((a, b) -> new Lines(a.count + b.count, a.hash + b.hash));
    }

    private static Lines of(Iterator<String> lines) {
      long count = 0;
      long hash = 0;
      for (; lines.hasNext(); count++) {
        hash += lines.next().hashCode();
      }
      return new Lines(count, hash);
    }

    @Override
    public String toString() {
      return count + ":" + hash;
    }
  }

  /** What Spark says has happened. */
  private static final class Seen extends SparkListener {
    private final AtomicInteger executors = new AtomicInteger();
    private final CountDownLatch removed = new CountDownLatch(1);
    private final AtomicInteger overtaken = new AtomicInteger();
    private final AtomicInteger tasks = new AtomicInteger();

    @Override
    public void onExecutorAdded(SparkListenerExecutorAdded event) {
      executors.incrementAndGet();
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
      removed.countDown();
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd event) {
      tasks.incrementAndGet();
      if (event.taskInfo().speculative() && event.taskInfo().successful()) {
        overtaken.incrementAndGet();
      }
    }

    int of(String kind) {
      return switch (kind) {
        case "dynamic allocation" -> executors.get();
        case "speculation" -> overtaken.get();
        default -> tasks.get();
      };
    }
  }
}
