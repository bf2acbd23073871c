package io.eley.spark.connector.fs;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.client.BbFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FileRange;

/**
 * Vectored reads, in a class of their own: it is linked only where Hadoop has {@code FileRange}
 * (3.3.5 and later).
 */
final class VectoredRead {
  private VectoredRead() {}

  /**
   * Starts the reads and sets the future of each range.
   *
   * @param observer is told how long it took until all were there
   * @return bytes asked for
   */
  static long start(
      BbFile file,
      long length,
      List<? extends FileRange> ranges,
      IntFunction<ByteBuffer> allocate,
      ReadObserver observer)
      throws IOException {
    List<FileRange> sorted = sorted(ranges, length);
    long began = System.nanoTime();
    var futures =
        file.readVectored(
            sorted.stream().map(r -> new ByteRange(r.getOffset(), r.getLength())).toList(),
            allocate);
    var unused =
        CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
            .whenComplete((done, e) -> observer.waited(System.nanoTime() - began));
    long bytes = 0;
    for (int i = 0; i < futures.size(); i++) {
      sorted.get(i).setData(futures.get(i));
      bytes += sorted.get(i).getLength();
    }
    return bytes;
  }

  /**
   * The ranges in the order of their offsets, as Hadoop's contract wants them. Hadoop's own method
   * for it has another name before 3.4.1.
   *
   * @throws EOFException when one begins before the file or passes its end
   * @throws IllegalArgumentException when one has a negative length, or two overlap
   */
  static List<FileRange> sorted(List<? extends FileRange> ranges, long length) throws EOFException {
    var sorted = new ArrayList<FileRange>(ranges);
    sorted.sort(Comparator.comparingLong(FileRange::getOffset));
    long end = 0;
    for (FileRange range : sorted) {
      if (range.getLength() < 0) {
        throw new IllegalArgumentException("negative length of range " + range);
      }
      if (range.getOffset() < 0) {
        throw new EOFException("range " + range + " begins before the file");
      }
      if (range.getOffset() < end) {
        throw new IllegalArgumentException("range " + range + " overlaps the one before");
      }
      end = range.getOffset() + range.getLength();
    }
    if (!sorted.isEmpty()) {
      FileRange last = sorted.get(sorted.size() - 1);
      if (last.getOffset() >= length || end > length) {
        throw new EOFException("range " + last + " passes the end of the file at " + length);
      }
    }
    return sorted;
  }
}
