package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopStreams;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/** Reads a Parquet file's footer with the reader that Spark brings. */
final class ParquetFooters {
  /** Made once: making them loads Hadoop's defaults, which takes longer than most footers do. */
  private static final ParquetReadOptions OPTIONS = ParquetReadOptions.builder().build();

  private ParquetFooters() {}

  /**
   * The footer of an open file. Blocks.
   *
   * @param tail where the footer is
   * @param conf with which the file was opened
   */
  static Footer read(ColumnarFile file, FSDataInputStream in, ByteRange tail, Configuration conf)
      throws IOException {
    var input = new Opened(file.length(), HadoopStreams.wrap(in));
    var metadata = ParquetFileReader.readFooter(input, OPTIONS, input.newStream());
    return new ParquetFooter(file.path(), conf, metadata, tail);
  }

  /** The file that is open already: it is opened once, and asked for its length never. */
  private record Opened(long length, SeekableInputStream stream) implements InputFile {
    @Override
    public long getLength() {
      return length;
    }

    @Override
    public SeekableInputStream newStream() {
      return stream;
    }
  }
}
