package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import java.util.List;
import java.util.Optional;

/**
 * What the end of a file says of where its columns are. Immutable; any thread.
 *
 * <p>Readers of columnar files look at the end of a file first, whatever they want of it.
 */
interface Footer {
  /** Its file's name, and where it is kept. */
  long FILE_BYTES = 1 << 10;

  /** Measured of Parquet's chunks of columns with short statistics. */
  long CHUNK_BYTES = 768;

  /** The end of a columnar file that could not be understood, for example an encrypted one. */
  record Tail(ByteRange tail) implements Footer {
    @Override
    public Optional<List<ByteRange>> ranges(ScanColumns scan, ByteRange split) {
      return Optional.of(List.of(tail));
    }
  }

  /** A file of rows, or of a format that is not known. */
  record Rows() implements Footer {
    @Override
    public Optional<List<ByteRange>> ranges(ScanColumns scan, ByteRange split) {
      return Optional.empty();
    }

    @Override
    public ByteRange tail() {
      return new ByteRange(0, 0);
    }
  }

  /** What readers look at first. */
  ByteRange tail();

  /**
   * The ranges of the file that a task reads. It may fail in a Spark that is not known.
   *
   * @param split the part of the file that Spark has given to the task
   * @return in any order; empty when the task reads the split as it is
   */
  Optional<List<ByteRange>> ranges(ScanColumns scan, ByteRange split);

  /** What it takes of the heap, in bytes, or somewhat more. */
  default long weight() {
    return FILE_BYTES;
  }

  /**
   * The same of a footer that is understood. What the file holds of the smallest and largest values
   * of its columns, and its writers' notes, is in the heap as long as it is in the tail.
   *
   * @param chunks of columns, or streams
   */
  static long weight(long chunks, ByteRange tail) {
    return FILE_BYTES + CHUNK_BYTES * chunks + tail.length();
  }
}
