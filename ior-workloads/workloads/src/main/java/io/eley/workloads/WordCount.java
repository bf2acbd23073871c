package io.eley.workloads;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.util.LongAccumulator;
import scala.Tuple2;

/**
 * HiBench's WordCount: map-heavy. Counts the words of a text and saves {@code (word,count)} lines.
 *
 * <p>Arguments: {@code INPUT-URI OUTPUT-URI PARTITIONS [--partition-bytes=N]
 * [--warm-up-input=URI]}. The digest it prints does not depend on the order of words. It is summed
 * up while the counts are saved: accumulators of the stage that ends a job count each partition
 * once, however often a task is repeated.
 */
public final class WordCount {
  private WordCount() {}

  public static void main(String[] args) throws IOException {
    try (var run = WorkloadRun.begin("WordCount", args)) {
      LongAccumulator hash = run.context().sc().longAccumulator();
      LongAccumulator words = run.context().sc().longAccumulator();
      int partitions = run.arguments().partitions();
      run.warmUp(lines -> counts(lines, partitions).keys());
      counts(run.lines(), partitions)
          .map(
              count -> {
                hash.add(LineDigest.ofCount(count._1(), count._2()));
                words.add(1);
                return count;
              })
          .saveAsTextFile(run.arguments().output());
      run.finish(new LineDigest(hash.sum(), words.sum()));
    }
  }

  private static JavaPairRDD<String, Long> counts(JavaRDD<String> lines, int partitions) {
    return lines
        .flatMap(line -> words(line).iterator())
        .mapToPair(word -> new Tuple2<>(word, 1L))
        .reduceByKey(Long::sum, partitions);
  }

  private static List<String> words(String line) {
    var words = new ArrayList<String>();
    var tokens = new StringTokenizer(line);
    while (tokens.hasMoreTokens()) {
      words.add(tokens.nextToken());
    }
    return words;
  }
}
