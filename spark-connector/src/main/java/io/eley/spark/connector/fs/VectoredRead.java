package io.eley.spark.connector.fs;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.client.BbFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.VectoredReadUtils;

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
    List<? extends FileRange> sorted =
        VectoredReadUtils.validateAndSortRanges(ranges, java.util.Optional.of(length));
    for (var range : sorted) {
      if (range.getOffset() + range.getLength() > length) {
        throw new EOFException("range " + range + " passes the end of the file at " + length);
      }
    }
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
}
