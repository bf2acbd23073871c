package io.eley.workloads;

import java.io.IOException;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.util.LongAccumulator;

/**
 * A scan: looks for a word in the lines of a text and counts those that have it, as searching logs
 * does. No shuffle, and little computing, so that the file system decides how long it takes.
 *
 * <p>Arguments: {@code INPUT-URI OUTPUT-URI PARTITIONS [--partition-bytes=N]
 * [--warm-up-input=URI]}. The output is one line, the digest, which does not depend on the order of
 * lines; PARTITIONS means nothing to it. Accumulators of the stage that ends a job count each
 * partition once, however often a task is repeated.
 */
public final class Scan {
  /** One of about a thousand, so that one line of twenty has it. */
  static final String WORD = RandomText.vocabulary().get(0);

  private Scan() {}

  public static void main(String[] args) throws IOException {
    try (var run = WorkloadRun.begin("Scan", args)) {
      LongAccumulator hash = run.context().sc().longAccumulator();
      run.warmUp(Scan::found);
      long count =
          found(run.lines())
              .map(
                  line -> {
                    hash.add(LineDigest.ofCount(line, 1));
                    return line;
                  })
              .count();
      var digest = new LineDigest(hash.sum(), count);
      run.context()
          .parallelize(List.of(digest.toString()), 1)
          .saveAsTextFile(run.arguments().output());
      run.finish(digest);
    }
  }

  private static JavaRDD<String> found(JavaRDD<String> lines) {
    return lines.filter(line -> has(line, WORD));
  }

  /** Whether the word is there as a whole, between spaces or the line's ends. */
  static boolean has(String line, String word) {
    for (int at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1)) {
      int end = at + word.length();
      if ((at == 0 || line.charAt(at - 1) == ' ')
          && (end == line.length() || line.charAt(end) == ' ')) {
        return true;
      }
    }
    return false;
  }
}
