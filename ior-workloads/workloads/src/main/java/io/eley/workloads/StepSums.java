package io.eley.workloads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;

/**
 * An analysis beside a simulation: reads the files of each output step, {@code URI/step-K}, once
 * the step is complete, that is, once there is a {@code _done} in it. One task a file, which takes
 * a time over each MiB, as computing would on processors that this machine does not have.
 *
 * <p>Arguments: {@code URI STEPS MILLIS-PER-MIB}. Prints a line a step: its number, the seconds
 * from when it was seen to be complete, and the files' CRC32s, sorted. Files are whole MiBs, and no
 * larger than a split.
 */
public final class StepSums {
  private static final int MIB = 1 << 20;
  private static final long LOOK_MILLIS = 200;
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);

  private StepSums() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    int millis = Integer.parseInt(args[2]);
    long begin = System.nanoTime();
    var all = new ArrayList<String>();
    try (var context = new JavaSparkContext(new SparkConf().setAppName("StepSums"))) {
      FileSystem files = new Path(args[0]).getFileSystem(context.hadoopConfiguration());
      for (int step = 1; step <= Integer.parseInt(args[1]); step++) {
        var directory = new Path(args[0], "step-" + step);
        await(files, new Path(directory, "_done"));
        long begun = System.nanoTime();
        List<String> sums = sums(context, directory, millis);
        System.out.printf(
            Locale.ROOT, "step %d %.3f %s%n", step, seconds(begun), String.join(" ", sums));
        System.out.flush();
        all.addAll(sums);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%s{\"workload\":\"StepSums\",\"totalSeconds\":%.3f,\"digest\":\"%08x\",\"tasks\":[]}%n",
        ResultLines.RESULT,
        seconds(begin),
        all.hashCode());
    System.out.flush();
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  private static void await(FileSystem files, Path mark) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    while (!files.exists(mark)) {
      if (System.nanoTime() - begun > PATIENCE_NANOS) {
        throw new IOException("there is no " + mark);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  private static List<String> sums(
      JavaSparkContext context, Path directory, int millisPerMebibyte) {
    FlatMapFunction<java.util.Iterator<byte[]>, String> sum =
        pieces -> {
          var crc = new CRC32();
          while (pieces.hasNext()) {
            crc.update(pieces.next());
            TimeUnit.MILLISECONDS.sleep(millisPerMebibyte);
          }
          return List.of(String.format(Locale.ROOT, "%08x", crc.getValue())).iterator();
        };
    var sums =
        new ArrayList<>(
            context.binaryRecords(directory.toString(), MIB).mapPartitions(sum).collect());
    Collections.sort(sums);
    return sums;
  }
}
