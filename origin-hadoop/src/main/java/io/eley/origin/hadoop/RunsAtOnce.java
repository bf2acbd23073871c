package io.eley.origin.hadoop;

import io.eley.bb.api.origin.OriginFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.util.functional.FutureIO;

/**
 * Hadoop's vectored reads (3.3.5 and later, of which alone this class may be loaded): S3A makes a
 * request of each range, side by side.
 */
final class RunsAtOnce {
  private RunsAtOnce() {}

  /** Fills all targets; blocks as long as the slowest range. */
  static void fill(FSDataInputStream stream, List<OriginFile.Run> runs) throws IOException {
    List<FileRange> ranges =
        runs.stream()
            .map(run -> FileRange.createFileRange(run.position(), run.target().remaining()))
            .toList();
    stream.readVectored(ranges, ByteBuffer::allocate);
    for (int i = 0; i < runs.size(); i++) {
      runs.get(i).target().put(FutureIO.awaitFuture(ranges.get(i).getData()));
    }
  }
}
