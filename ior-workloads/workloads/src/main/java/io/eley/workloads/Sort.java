package io.eley.workloads;

import java.io.IOException;
import java.util.Comparator;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.util.CollectionAccumulator;
import scala.Tuple2;

/**
 * HiBench's Sort: reduce-heavy, all data goes through the shuffle. Sorts the lines of a text and
 * saves them.
 *
 * <p>Arguments: {@code INPUT-URI OUTPUT-URI PARTITIONS [--partition-bytes=N]
 * [--warm-up-input=URI]}. Partitions are ranges of the alphabet, see {@link AlphabetPartitioner}:
 * {@code sortBy} would read the whole input once more beforehand, to sample it. (HiBench's own
 * avoids that with a hash partitioner, whose output is sorted within each partition only.) The
 * digest covers the exact sequence of all lines, whatever the number of partitions.
 */
public final class Sort {
  private Sort() {}

  public static void main(String[] args) throws IOException {
    try (var run = WorkloadRun.begin("Sort", args)) {
      CollectionAccumulator<Tuple2<Integer, LineDigest>> digests =
          run.context().sc().collectionAccumulator();
      int partitions = run.arguments().partitions();
      run.warmUp(lines -> sorted(lines, partitions));
      sorted(run.lines(), partitions)
          .<String>mapPartitionsWithIndex(
              (index, lines) -> new DigestingIterator(index, lines, digests), true)
          .saveAsTextFile(run.arguments().output());
      var total =
          digests.value().stream()
              .sorted(Comparator.comparing(part -> part._1()))
              .map(part -> part._2())
              .reduce(LineDigest.EMPTY, LineDigest::then);
      run.finish(total);
    }
  }

  private static JavaRDD<String> sorted(JavaRDD<String> lines, int partitions) {
    return lines
        .mapToPair(line -> new Tuple2<>(line, (byte) 1))
        .repartitionAndSortWithinPartitions(new AlphabetPartitioner(partitions))
        .keys();
  }

  /** Passes lines on and reports their digest with the last one. */
  private static final class DigestingIterator implements Iterator<String> {
    private final int index;
    private final Iterator<String> lines;
    private final CollectionAccumulator<Tuple2<Integer, LineDigest>> digests;
    private LineDigest digest = LineDigest.EMPTY;
    private boolean told;

    DigestingIterator(
        int index,
        Iterator<String> lines,
        CollectionAccumulator<Tuple2<Integer, LineDigest>> digests) {
      this.index = index;
      this.lines = lines;
      this.digests = digests;
    }

    @Override
    public boolean hasNext() {
      boolean more = lines.hasNext();
      if (!more && !told) {
        told = true;
        digests.add(new Tuple2<>(index, digest));
      }
      return more;
    }

    @Override
    public String next() {
      String line = lines.next();
      digest = digest.add(line);
      return line;
    }
  }
}
